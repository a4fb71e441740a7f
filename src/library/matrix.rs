//! Matrices in the registers of a warp or a warpgroup (PTX ISA 9.7.14, 9.7.15): which register holds which element, and the
//! instructions that load and multiply them.
//!
//! A [`Layout`] is data: kernels, tests on the host and pictures read the same.
//!
//! ```
//! use ptx::lib::matrix;
//!
//! // Lane 5 holds in register 0 the elements in columns 2 and 3 of row 1.
//! assert_eq!(matrix::A_16X16.element(5, 0), (1, 2));
//! assert_eq!(matrix::A_16X16.element(5, 1), (1, 3));
//! println!("{}", matrix::C_16X8);
//! ```

use core::fmt;

use ptx_macros::fragment;
use ptx_types::tensor::{MatrixDescriptor, MatrixError};
use ptx_types::{B32, Reg};

/// Which register of which lane holds an element of a matrix.
///
/// Elements of 16 bits share a register: elements 0 and 1 of a lane are the lower and the upper half of register 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The number of lanes: 32, or the 128 threads of a warpgroup.
    pub lanes: u32,
    /// The number of elements of each lane.
    pub elements: u32,
    /// Whether the elements of a register are below each other, as in the second operand of a product.
    by_column: bool,
}

/// The first operand of `mma.m16n8k16`, 16-bit elements: four registers.
pub const A_16X16: Layout =
    Layout { rows: 16, columns: 16, lanes: 32, elements: 8, by_column: false };

/// The second operand of `mma.m16n8k16`, 16-bit elements: two registers.
pub const B_16X8: Layout = Layout { rows: 16, columns: 8, lanes: 32, elements: 4, by_column: true };

/// The accumulators of `mma.m16n8k16`, 32-bit elements: four registers.
pub const C_16X8: Layout =
    Layout { rows: 16, columns: 8, lanes: 32, elements: 4, by_column: false };

/// The accumulators of `wgmma.m64nNk16`, 32-bit elements: `columns` / 2 registers of each thread of a warpgroup. `columns` is a
/// multiple of 8 up to 256.
pub const fn accumulators_of_warpgroup(columns: u32) -> Layout {
    Layout { rows: 64, columns, lanes: 128, elements: columns / 2, by_column: false }
}

impl Layout {
    /// The row and the column of element `n` of a lane, both from 0.
    pub const fn element(&self, lane: u32, n: u32) -> (u32, u32) {
        let (of_four, pair) = (lane % 32 / 4, lane % 4 * 2 + n % 2);
        if self.by_column {
            return (pair + n / 2 * 8, of_four);
        }
        let (down, right) = (n / 2 % 2, n / 4);
        (lane / 32 * 16 + of_four + 8 * down, pair + 8 * right)
    }

    /// The lane that holds the element in this row and column, and its number there; `None` outside the matrix.
    pub const fn holder(&self, row: u32, column: u32) -> Option<(u32, u32)> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        if self.by_column {
            return Some((column * 4 + row % 8 / 2, row / 8 * 2 + row % 2));
        }
        let lane = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
        Some((lane, column / 8 * 4 + row % 16 / 8 * 2 + column % 2))
    }
}

impl fmt::Display for Layout {
    /// Writes a picture: a line for each row, with the lane and the element of each column, `5:0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let Some((lane, n)) = self.holder(row, column) else { continue };
                let gap = if column == 0 { "" } else { " " };
                write!(f, "{gap}{lane:>3}:{n:<3}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// The row and the column whose address a lane passes to [`load_16x16`]: `matrix::address_16x16 %row, %column;`.
///
/// The address is that of `[%row][%column]` in a tile of 16-bit elements, 8 of which lie next to each other.
///
/// 4 instructions, 1 of them a `mov`.
#[fragment(returns(row, column))]
pub fn address_16x16() -> (Reg<u32>, Reg<u32>) {
    ptx! {
        mov.u32 column, %laneid;
        and.b32 row, column, 15;
        shr.u32 column, column, 4;
        shl.b32 column, column, 3;
    }
}

/// A matrix of 16 rows and 16 columns of 16 bits, as [`A_16X16`], from addresses in shared memory of rows of 8 elements:
/// `matrix::load_16x16 %a, %at;` (`sm_75` or newer).
///
/// 1 `ldmatrix`.
#[fragment(target = sm_75, returns(a))]
pub fn load_16x16(at: Reg<u32>) -> Reg<[B32; 4]> {
    ptx! { ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a[0], a[1], a[2], a[3]}, [at]; }
}

/// Two matrices of 16 rows and 8 columns of 16 bits, each as [`B_16X8`], that lie next to each other in rows of 16 elements:
/// `matrix::load_two_16x8 %left, %right, %at;` (`sm_75` or newer). The addresses are those of [`address_16x16`].
///
/// 1 `ldmatrix` that transposes.
#[fragment(target = sm_75, returns(left, right))]
pub fn load_two_16x8(at: Reg<u32>) -> (Reg<[B32; 2]>, Reg<[B32; 2]>) {
    ptx! {
        ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {left[0], left[1], right[0], right[1]}, [at];
    }
}

/// Products of a warp, by the type of the factors.
macro_rules! products {
    ($($(#[$doc:meta])* $name:ident: $ty:ident;)*) => {$(
        $(#[$doc])*
        #[fragment(target = sm_80)]
        pub fn $name(c: &mut Reg<[f32; 4]>, a: Reg<[B32; 4]>, b: Reg<[B32; 2]>) {
            ptx! {
                mma.sync.aligned.m16n8k16.row.col.f32.$ty.$ty.f32
                    {c[0], c[1], c[2], c[3]}, {a[0], a[1], a[2], a[3]}, {b[0], b[1]},
                    {c[0], c[1], c[2], c[3]};
            }
        }
    )*};
}

products! {
    /// Adds the product of [`A_16X16`] and [`B_16X8`] of `f16` to [`C_16X8`] of `f32`: `matrix::multiply_f16 %c, %a, %b;` (`sm_80` or
    /// newer).
    ///
    /// 1 `mma`.
    multiply_f16: f16;

    /// The same with `bf16`: `matrix::multiply_bf16 %c, %a, %b;`.
    ///
    /// 1 `mma`.
    multiply_bf16: bf16;
}

/// The bits of a descriptor without its address, for [`descriptor`]: `const LEFT: u64 =
/// matrix::bits(A::matrix_descriptor(Major::K));`.
///
/// # Panics
/// If the tile has none, as an error of compilation in a constant.
pub const fn bits(descriptor: Result<MatrixDescriptor, MatrixError>) -> u64 {
    match descriptor {
        Ok(descriptor) => descriptor.bits(),
        Err(_) => {
            panic!("this tile has no descriptor as a matrix: its `matrix_descriptor` says why")
        }
    }
}

/// The descriptor of a matrix in shared memory for `wgmma`, from the address of its first element and the [`bits`] that its map
/// gives: `matrix::descriptor %left, %at, #(LEFT);` (PTX ISA 9.7.15.5.1).
///
/// 4 instructions; 1 register.
#[fragment(returns(matrix))]
pub fn descriptor(at: Reg<u32>, bits: u64) -> Reg<u64> {
    ptx! {
        .reg .b32 %at;
        and.b32 %at, at, 0x3ffff;
        shr.u32 %at, %at, 4;
        cvt.u64.u32 matrix, %at;
        or.b64 matrix, matrix, bits;
    }
}

/// The descriptor of the tile with this number in an array of tiles, from that of the first: `matrix::nth %left, %first, %stage,
/// #(A::STRIDE);`, where a tile and the gap after it have `stride` bytes.
///
/// 1 `mul.wide`, 1 `add`.
#[fragment(returns(matrix))]
pub fn nth(first: Reg<u64>, n: Reg<u32>, stride: u32) -> Reg<u64> {
    ptx! {
        mul.wide.u32 matrix, n, #(stride / 16);
        add.u64 matrix, matrix, first;
    }
}

/// Products of a warpgroup, by the number of columns and of registers.
macro_rules! warpgroup_products {
    ($($(#[$doc:meta])* $name:ident: $shape:ident $registers:literal;)*) => {$(
        $(#[$doc])*
        #[fragment(target = sm_90a)]
        pub fn $name(c: &mut Reg<[f32; $registers]>, a: Reg<u64>, b: Reg<u64>) {
            ptx! {
                wgmma.mma_async.sync.aligned.$shape.f32.bf16.bf16 {c[0..$registers]}, a, b, 1, 1, 1, 0, 0;
            }
        }
    )*};
}

warpgroup_products! {
    /// Adds the product of 64 rows and 64 columns of `bf16`, 16 deep, to the [accumulators](accumulators_of_warpgroup) of a
    /// warpgroup, from descriptors in shared memory: `matrix::multiply_64x64 %c, %a, %b;` (`sm_90a`). Both are K-major.
    /// `wgmma.fence` stands before the first, and `wgmma.commit_group` and `wait_group` after the last.
    ///
    /// 1 `wgmma.mma_async`.
    multiply_64x64: m64n64k16 32;

    /// The same with 128 columns: `matrix::multiply_64x128 %c, %a, %b;`.
    ///
    /// 1 `wgmma.mma_async`.
    multiply_64x128: m64n128k16 64;

    /// The same with 256 columns: `matrix::multiply_64x256 %c, %a, %b;`.
    ///
    /// 1 `wgmma.mma_async`.
    multiply_64x256: m64n256k16 128;
}
