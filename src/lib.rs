//! PTX kernels in Rust, for those who write PTX, or have it from a compiler, and launch it from Rust: every byte of GPU storage that a
//! kernel touches is declared once, as a Rust item.
//!
//! That one declaration yields the PTX text, the size, the alignment, the kernel parameter, the host's handle and the checks. A
//! mistake is a compile error at the offending token.
//!
#![cfg_attr(feature = "cuda", doc = "```no_run")]
#![cfg_attr(not(feature = "cuda"), doc = "```ignore")]
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_80)]
//! pub mod scale {
//!     use super::*;
//!
//!     /// The host may replace it before a launch.
//!     #[constant]
//!     pub static FACTOR: f32 = 2.5;
//!
//!     /// Multiplies the first `n` numbers by `FACTOR`.
//!     #[kernel(
//!         reqntid = 128,
//!         requires(data.len() >= n), // checked at each launch
//!         grid = n.div_ceil(128),    // so a launch need not give it
//!         unsafe(safe_launch),       // the author vouches for the rest of the body
//!     )]
//!     pub fn scale(data: Ptr<Global, f32>, n: u32) {
//!         ptx! {
//!             let %outside: bool;
//!             let %i, %block, %n: u32;
//!             let %at: Ptr<Global, f32>;
//!             let %x, %factor: f32;
//!             mov.u32         %i, %tid.x;
//!             mov.u32         %block, %ctaid.x;
//!             mad.lo.u32      %i, %block, 128, %i;
//!             ld.param.u32    %n, [n];
//!             setp.ge.u32     %outside, %i, %n;
//!             @%outside ret;
//!             lea.global.u64  %at, data[%i];
//!             ld.global.f32   %x, [%at];
//!             ld.const.f32    %factor, [FACTOR];
//!             mul.f32         %x, %x, %factor;
//!             st.global.f32   [%at], %x;
//!             ret;
//!         }
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     println!("{}", scale::MODULE); // the PTX
//!     let context = ptx::cuda::context(0)?;
//!     let stream = context.default_stream();
//!     let scale = ptx::cuda::load::<scale::Loaded>(&context)?; // compiled, and compared with the declaration
//!     scale.FACTOR.set(&stream, &3.0)?; // an `f32`, and nothing else
//!     let mut data = stream.clone_htod(&[1.0_f32, 2.0, 4.0])?;
//!     scale.scale().launch(&stream, (&mut data, 3))?; // one argument per parameter, by type
//!     assert_eq!(stream.clone_dtoh(&data)?, [3.0, 6.0, 12.0]);
//!     Ok(())
//! }
//!
//! ptx::assembles!(scale); // a test: the rules with every constant known, and then ptxas
//! ```
//!
//! # What is where
//!
//! | To | there is |
//! |---|---|
//! | declare storage and kernels | [`#[ptx::module]`](macro@module), whose page lists what a module holds: [`#[global]`](macro@global), [`#[constant]`](macro@constant), [`#[shared]`](macro@shared), [`#[kernel]`](macro@kernel), [`#[device]`](macro@device) |
//! | describe a struct or a tensor map | [`#[derive(PtxType)]`](derive@PtxType), [`#[ptx::padded]`](macro@padded), [`#[tensor_map]`](macro@tensor_map) |
//! | share code between kernels | [`#[ptx::fragment]`](macro@fragment), and the fragments of [`lib`](mod@lib) |
//! | use a PTX file | [`import!`](macro@import); at run time, [`Module::parse`] |
//! | load and launch | `ptx::cuda`, with the feature `cuda` |
//! | test a module | [`assembles!`](macro@assembles), [`Module::check`]; its rules are in [`rules`] |
//! | see the text and the storage | [`Module`], which prints itself; [`MemoryMap`], [`emit`] |
//! | run NVIDIA's assembler | [`ptxas`]; in a build script, [`build`] |
//! | make tensor maps without a driver | [`tensor`]; or the crate [`ptx-types`](https://docs.rs/ptx-types) alone |
//! | convert small floats on the host | [`float`]; or the crate [`ptx-float`](https://docs.rs/ptx-float) alone |
//! | build a module by hand | [`ir`], [`emit::write()`] |
//!
//! [The guide](https://ptx-rs.github.io/ptx/introduction.html) explains all of it, with complete programs. The tool
//! [`ptx`](https://docs.rs/ptx-cli) creates a project with `ptx new`, and checks PTX files.
//!
//! | Feature | adds |
//! |---|---|
//! | `check` (default) | [`Module::check`]: every rule, at run time |
//! | `parse` (default) | [`Module::parse`] and [`text`]: PTX text, at run time |
//! | `half` (default) | `f16` and `bf16` of the crate `half`, `F16x2`, `Bf16x2` |
//! | `cuda` | `ptx::cuda`: loading and launching, on cudarc; a driver is needed at run time, no toolkit |
//! | `serde` | small floats, tensor maps and their parts are written and read |
//! | `rayon` | slices of small floats on all cores |
//! | `ndarray` | matrices of the crate `ndarray` |
//!
//! A kernel without a launch needs no feature, and its handles work in constant code:
//!
//! ```
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_90a)]
//! pub mod scale {
//!     use super::*;
//!
//!     #[constant]
//!     pub static FACTOR: f32 = 2.5;
//!
//!     #[kernel(maxntid = 128)]
//!     pub fn scale(data: Ptr<Global, f32>) {
//!         ptx! {
//!             .reg .b32 %r<2>;
//!             .reg .b64 %rd<3>;
//!             .reg .f32 %f<3>;
//!             mov.u32         %r1, %tid.x;
//!             ld.param.u64    %rd1, [data];
//!             mad.wide.u32    %rd2, %r1, #(size_of::<f32>()), %rd1;
//!             ld.global.f32   %f1, [%rd2];
//!             ld.const.f32    %f2, [FACTOR];
//!             mul.f32         %f1, %f1, %f2;
//!             st.global.f32   [%rd2], %f1;
//!             ret;
//!         }
//!     }
//! }
//!
//! # fn main() {
//! let text = scale::MODULE.to_string();
//! assert!(text.contains(".visible .const .f32 FACTOR = 0f40200000;"));
//! assert!(text.contains(".param .u64 .ptr .global .align 4 data"));
//!
//! const FACTOR: f32 = *scale::FACTOR.initial().unwrap();
//! assert_eq!(FACTOR, 2.5);
//! assert_eq!(scale::scale().param_bytes(), 8);
//! # }
//! ```
//!
//! # Tensor maps
//!
//! `#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)] pub struct A;` declares a map (PTX
//! ISA 5.5), whose rules are checked at its tokens. [`Tile<A>`](Tile) is its tile in shared memory, aligned to
//! the swizzle's boundary in arrays and structs too; [`TensorMap<A>`](TensorMap) is a kernel's parameter,
//! or a static map: `#[global] static MAP: TensorMap<A> = TensorMap::over(generic(BUFFER), [64, 64],
//! [128]);`. [`Mbarrier`] is the object that a copy completes on. `A::BYTES` is the size of a tile, `A::STRIDE`
//! the distance from one tile to the next in an array, and `A::TRANSACTION_BYTES` the bytes that a copy completes. See
//! [`tensor`] for the rules, the encoder that needs no driver and the copies on the CPU, and `ptx::cuda`
//! (feature `cuda`) for the driver's calls.
//!
//! # Accesses
//!
//! Every instruction that accesses memory is a row of
//! [a table](instruction::INSTRUCTIONS), and each of its addresses is compared with the storage
//! that it refers to, by name or through a register. A register that is written from a name, a
//! pointer parameter or such a register by `mov`, `cvta`, `mapa`, `cvt`, `add`, `sub`, `mad`, `mul`,
//! `shl`, `or`, `xor`, `and` or `selp` is followed, through branches and loops: the storage it
//! refers to, the kind of address it holds, its constant offset, and the multiples added to that. What is not
//! known is not judged.
//!
//! ```compile_fail
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_90a)]
//! mod rows {
//!     use super::*;
//!
//!     #[shared(align = 16)]
//!     static ROW: [V4<f32>; 66];
//!
//!     #[kernel]
//!     fn read() {
//!         ptx! {
//!             .reg .b32 %i, %at;
//!             .reg .f32 %f<4>;
//!             mov.u32 %i, %tid.x;
//!             mov.u32 %at, ROW;
//!             mad.lo.u32 %at, %i, 16, %at;
//!             ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%at + 8]; // not a multiple of 16, whatever %i is
//!             ret;
//!         }
//!     }
//! }
//! # fn main() {}
//! ```
//!
//! Memory has no type: what is accessed as another type is reported where the code computes with it in another
//! floating-point format than the declared one; anything declared as bits ([`B8`] to [`B128`]) or as bytes (`u8`)
//! may be used as any type. A pointer parameter
//! promises the alignment of its type, or a higher one: `Ptr<Global, f32, U16>`; with `U1` it promises
//! nothing. Where the code tests the alignment (`and` with a mask, a comparison with 0 and a branch), an access
//! after the branch may need more. A declaration that is aligned to less than its accesses need is reported
//! once, at the declaration. No hazard is reported in unreachable code.
//!
//! An intended hazard is allowed by its code, on the statement, on the kernel, or, for all
//! accesses to a variable or field, on its declaration (`#[shared(allow(A034))]`, `#[allow(A034)] word: u32`):
//!
//! ```
//! # use ptx::prelude::*;
//! # #[ptx::module(target = sm_90a)]
//! # mod bits {
//! #     use super::*;
//! #     #[global]
//! #     static MASK: [u32; 4];
//! #     #[kernel]
//! #     fn read() {
//! #         ptx! {
//! #             .reg .f32 %f;
//! #[allow(A034)]
//! ld.global.f32 %f, [MASK + 4];
//! add.f32 %f, %f, %f;
//! #             ret;
//! #         }
//! #     }
//! # }
//! # fn main() {}
//! ```
//!
//! A tensor copy must have the rank, the mode and the number of coordinates of its map. Its tile must be
//! large enough, aligned to the swizzle and declared for this map, a constant first coordinate a multiple
//! of 16 bytes, and its barrier an mbarrier. Where an `expect_tx` and the copies of its phase form
//! straight-line code, the bytes are added up. A `wgmma` descriptor that is made from the address
//! of a [`Tile`] must have the tile's swizzle and offsets, as
//! [`A::SPEC.matrix_descriptor(Major::K)`](tensor::Spec::matrix_descriptor) gives them, and the
//! instruction has the tile's type and no more rows than it. Where the memory of a tile is reused for another
//! map, `allow(A039)` permits it; `allow(A023)` permits reusing that of a barrier after `mbarrier.inval`.
//!
//! In messages, `*src` is the target of the pointer `src`. The macro reports what the tokens show;
//! rustc reports the rest when it evaluates constants, after its words "evaluation panicked".
//!
//! The checks use the value of a Rust constant that the module itself defines: `const STEP: u32 = 16;`. A mistake that
//! depends on that value is reported by rustc, which confirms the value. For a constant from
//! elsewhere the macro follows sums and products; [`Module::check`] judges everything else, because it
//! sees every value: in a test, `assert!(blur::MODULE.check().is_empty())`.
//!
//! # From PTX back to Rust
//!
//! Every declaration and statement of a module knows its [`Location`](ir::Location) in Rust. For what
//! [`ptxas`] reports about its text, [`Diagnostic::place`](ptxas::Diagnostic::place) gives it, and the message starts
//! with it: `src/kernel.rs:12:17: error: Arguments mismatch for instruction 'add'`. It is the
//! location of the token that the message quotes, or else of the statement's first token. Tokens from
//! a `macro_rules!` have the location where they are written: in the macro's body, or, for tokens
//! that are passed to it, in the call.
//!
//! With `line_info = true`, the text has a `.loc` before each instruction (PTX ISA 11.5), so that
//! profilers, debuggers and sanitizers show the Rust file and line. Text without it is unchanged,
//! and so is the generated code.
//!
//! ```
//! #[ptx::module(target = sm_90a, line_info = true)]
//! mod shown {
//!     #[kernel]
//!     pub fn nothing() {
//!         ptx! { ret; }
//!     }
//! }
//!
//! # fn main() {
//! let text = shown::MODULE.to_string();
//! assert!(text.contains(".file 1 \""));
//! assert!(text.contains("    .loc 1 ")); // before `ret`
//! # }
//! ```
//!
//! - [`Ptxas::assemble`](ptxas::Ptxas::assemble) keeps the lines in the cubin
//!   (`--generate-line-info`); for text, give that option to
//!   [`assemble_text_with`](ptxas::Ptxas::assemble_text_with). Line tables have no columns.
//! - `ptx::cuda::load` makes the driver keep them, too; if you load the text yourself, it needs the driver's option
//!   `CU_JIT_GENERATE_LINE_INFO = 1`.
//! - File names are absolute, as with nvcc, because a cubin does not record where relative ones start:
//!   the name that rustc uses, appended to the folder that rustc ran in. The text then differs on
//!   another machine, unless `--remap-path-prefix` makes the names absolute, which are kept:
//!   `--remap-path-prefix src=/kernels/src`. Characters beyond ASCII, which ptxas refuses, become `_`.
//! - A statement from a `macro_rules!` has its line in the macro, which is where rustc puts the
//!   macros of the same crate; rustc puts macros of other crates at the call, which a procedural
//!   macro cannot see.
#![no_std]

extern crate alloc;
extern crate self as ptx;
extern crate std;

pub mod assembly;
#[cfg(feature = "cuda")]
pub mod cuda;
#[cfg(feature = "check")]
mod finding;
mod import;
#[path = "library/mod.rs"]
pub mod lib;
mod module;

pub use assembly::assembles;
#[cfg(feature = "check")]
pub use finding::Finding;
pub use module::Module;
pub use ptx_emit as emit;
pub use ptx_emit::{Fingerprint, MemoryMap, build, ptxas};
/// PTX text: [`Module::parse`] reads it.
#[cfg(feature = "parse")]
pub mod text {
    pub use ptx_text::{Diagnostic, Extent, Kind, Lexer, Parsed, Piece, PieceKind, Position};
}
pub use ptx_macros::{
    PtxType, assembles, constant, device, fragment, global, import, kernel, module, padded, ptx,
    shared, tensor_map,
};
pub use ptx_types::*;

/// Expands to code for the host: all of it, with the feature `cuda`.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[macro_export]
macro_rules! __cuda {
    ($($item:tt)*) => { $($item)* };
}

/// Expands to code for the host: nothing, without the feature `cuda`.
#[cfg(not(feature = "cuda"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __cuda {
    ($($item:tt)*) => {};
}

/// Expands to the names that launches would look up, where nothing is launched.
#[cfg(feature = "cuda")]
#[doc(hidden)]
#[macro_export]
macro_rules! __without_cuda {
    ($($item:tt)*) => {};
}

/// Expands to the names that launches would look up, where nothing is launched.
#[cfg(not(feature = "cuda"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __without_cuda {
    ($($item:tt)*) => { $($item)* };
}

/// The names that the file has which `include_cubins!` includes.
#[cfg(feature = "cuda")]
#[doc(hidden)]
pub mod __cubins {
    pub use crate::cuda::{Cubin, Cubins};
    pub use ptx_emit::Fingerprint;
    pub use ptx_types::Target;
}

#[doc(hidden)]
pub mod __private {
    pub use crate::assembly::assert_assembles;
    pub use crate::import::{Shape, check_shape, imported, value_of};
    pub use ptx_macros::with_fragments;
    pub use ptx_types::__private::*;
}

/// The names that a module of storage and kernels usually needs.
pub mod prelude {
    #[cfg(feature = "cuda")]
    pub use crate::cuda::Over as _;
    pub use core::mem::{offset_of, size_of};
    pub use ptx_macros::{PtxType, tensor_map};
    pub use ptx_types::__private::half::{bf16, f16};
    pub use ptx_types::__private::{packed_types::*, small_floats::*};
    pub use ptx_types::tensor::Major;
    pub use ptx_types::typenum::{
        U0, U1, U2, U3, U4, U5, U8, U16, U32, U64, U128, U256, U512, U1024, U2048, U4096,
    };
    pub use ptx_types::{
        Aligned, B8, B16, B32, B64, B128, Const, Cvt, Family, Generic, Global, Local, MapType,
        Mbarrier, Natural, Ptr, PtxType, Reg, SamplerRef, Shared, SurfRef, TensorMap, TexRef, Tile,
        V2, V3, V4,
    };
}
