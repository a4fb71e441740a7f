//! Typed PTX memory: every byte of GPU storage that a kernel touches is declared once, in Rust.
//!
//! That one declaration yields the PTX text, the size, the alignment, the kernel parameter, the host's
//! handle and the checks. A mistake is a compile error at the offending token.
//!
//! ```
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_90a)]
//! pub mod scale {
//!     use super::*;
//!
//!     /// The host may replace it before a launch.
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
//! // Handles work in constant code, too.
//! const FACTOR: f32 = *scale::FACTOR.initial().unwrap();
//! assert_eq!(FACTOR, 2.5);
//! assert_eq!(scale::scale().param_bytes(), 8);
//! # }
//! ```
//!
//! [The guide](https://github.com/ptx-rs/ptx/blob/main/docs/guide/src/SUMMARY.md) explains all of it, with complete
//! programs.
//!
//! # What a module holds
//!
//! - `#[global]`, `#[constant]` and `#[shared]` on a `static`, with or without a value:
//!   [`Variable`] handles. `align = 16` raises its alignment, in bytes; `allow(D006)` allows a
//!   [hazard](rules::Kind::Hazard) by its code. Any visibility beyond private is `.visible`:
//!   other PTX modules may name the variable. (The driver finds a private one too; Rust's privacy keeps
//!   host code from it.) Vectors are `V4::new([..])`, and `f16` is
//!   `f16::from_f32_const(0.5)`.
//!   `weak`, `common`, `extern`, `managed` and `unified(upper, lower)` are available where PTX has
//!   them; `exact` refuses floating-point literals that the type does not hold exactly, and
//!   `#[unsafe(export_name = "..")]` gives another name in PTX.
//! - `#[shared(dynamic)]`: memory that the launch sizes; `NAME.bytes()` is its size, for a slice
//!   `NAME.bytes(len)`.
//! - Types: `u8` to `u64`, `i8` to `i64`, `f16`, `bf16`, `f32`, `f64`, [`B8`] to [`B128`], the
//!   alternate formats ([`E4M3`], [`Tf32`], ..) and [`Packed`] types (`E4M3x4`, `F16x2`, ..),
//!   [`V2`], [`V3`] and [`V4`], [`Ptr`], arrays (with `_` as the first extent of a value),
//!   [`Aligned`], and structs of these with `#[derive(PtxType)]` and `#[repr(C)]`, whose gaps
//!   [`#[ptx::padded]`](macro@padded) fills; [`Family`] for
//!   variables under numbered names; [`TexRef`], [`SamplerRef`] and [`SurfRef`]. `f16` and `bf16` are the crate
//!   `half`'s, and exist with the feature `half`, which is on by default.
//! - Addresses in initial values: `addr(X)`, in `X`'s own space, and `generic(X)`, optionally with an offset in
//!   bytes added, for `u64` and `Ptr<Space, T>`; `addr(f)` for functions and kernels;
//!   `mask(0xff00, generic(X) + 4)` for one byte of an address in a `u8`. See below.
//! - `#[kernel(maxntid = 256, ..)]` on a `fn`: a `const fn` that returns its [`Kernel`] handle. Its
//!   body is PTX in `ptx! { .. }`, in which `#( expr )` splices a Rust constant, `[SMEM.full[2]]` is a typed
//!   place, `lea.shared.u32 %bar, SMEM.full[%stage];` computes the address of one, `let %d: [f32; 8];` declares
//!   registers and `for i in 0..8 { .. }` writes its block eight times: `docs/guide/src/bodies.md` shows what each becomes.
//!   An undeclared name is an error, and `///` is an ordinary comment there, as in PTX.
//!   With `#[kernel(explicitcluster)]` the launch sets the cluster; `#[kernel(extern)] fn child(n: u32);` is a kernel
//!   that another PTX module defines, for dynamic parallelism. `#[readonly]` on a pointer or a
//!   tensor map: the kernel only reads through it. `requires(..)`, `grid = ..` and `unsafe(safe_launch)`
//!   specify what every launch has to satisfy: see [`kernel`](macro@kernel). The page of each attribute lists all that
//!   it accepts.
//! - `#[device] fn f(x: Reg<f32>, s: Config) -> Reg<f32>`: a device function, whose handle is a
//!   [`DeviceFunction`]. [`Reg`] passes a value in a register, and everything else is passed as a `.param`,
//!   structs as aligned bytes; `#[align(8)] buffer: [B8; 64]` raises an alignment. The return value
//!   is called `returned` in the body; several are called `returned0`, `returned1`, .., or as
//!   `#[device(returns(sum, carry))]` names them, and `returns(#[align(16)] sum)` aligns one. `call (r), f, (a, b);`
//!   in a body is checked against it, also in the body of another module or crate, `call (r), other::f, (a, b);`, which then
//!   has a copy of it. `#[device(noreturn)]` does not return, and a last parameter
//!   `#[align(8)] list: [B8]` accepts as many bytes as a call passes.
//! - `#[device(extern)] fn vprintf(format: u64, arguments: u64) -> i32;`: a function that is
//!   defined elsewhere: by the driver, or by a module that `ptx::cuda::load_linked` links this one with.
//! - `#[kernel(for(T in [f32, f16], N: u32 in [64, 128]))]`: a kernel that is written once for each combination, and
//!   `name::<f32, 64>()` for the handle of one; also for device functions, variables, tensor maps and whole modules.
//! - [`#[fragment] fn f(x: Reg<f32>) -> Reg<f32>`](macro@fragment), here or in any other Rust module or crate: PTX that is
//!   inlined where a body writes `f %y, %x;`. [`lib`](mod@lib) has some that many kernels need.
//! - Ordinary Rust items, and `MODULE`: the [`Module`], which prints itself and its [`MemoryMap`].
//!
//! A `macro_rules!` may write all of this, generic over types, extents and names of registers.
//!
//! # Addresses
//!
//! ```
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_90a)]
//! pub mod table {
//!     use super::*;
//!
//!     #[global]
//!     static SAMPLES: [f32; 3] = [0.25, 0.5, 0.25];
//!     #[constant]
//!     pub static MIDDLE: Ptr<Generic, f32> = generic(SAMPLES) + size_of::<f32>();
//!     #[constant]
//!     static OPERATIONS: [u64; 2] = [addr(twice), addr(half)];
//!
//!     #[device]
//!     fn twice(x: Reg<f32>) -> Reg<f32> {
//!         ptx! { add.f32 returned, x, x; ret; }
//!     }
//!
//!     #[device]
//!     fn half(x: Reg<f32>) -> Reg<f32> {
//!         ptx! { mul.f32 returned, x, #(0.5_f32); ret; }
//!     }
//! }
//!
//! # fn main() {
//! let text = table::MODULE.to_string();
//! // The declarations that an initial value names precede it, whatever the order in Rust.
//! assert!(text.contains(".visible .const .u64 MIDDLE = generic(SAMPLES)+4;"));
//! assert!(text.contains(".const .u64 OPERATIONS[2] = {twice, half};"));
//! // Addresses are known when the module is loaded, not before.
//! assert_eq!(table::MIDDLE.initial().unwrap().address(), 0);
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
//! behind the branch may need more. A declaration that is aligned to less than its accesses need is reported
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
//!
//! # The host's side
//!
//! With the feature `cuda`, `ptx::cuda::load::<scale::Loaded>(&context)?` compiles the module `scale` for a
//! device, compares it with its declaration, and returns a value with a method for each kernel and a field for
//! each variable: `scale.FACTOR.set(&stream, &2.0)?`, `scale.scale().launch(&stream, (&mut data, n))?`. See
//! `ptx::cuda`.
//!
//! # Checking with ptxas
//!
//! `ptx::assembles!(blur);` is a test of the module `blur`: [`Module::check`], and then the real ptxas, whose
//! errors, warnings and performance remarks are reported at the Rust tokens. It can also require `registers <= 40` and
//! the like. See [`assembles!`](macro@assembles), and [`assembles()`](fn@assembles), which is the same as a
//! function.
//!
//! # Existing PTX
//!
//! `ptx::import!("kernels.ptx")` makes a module from a PTX file, with the same handles, launches and rules: see
//! [`import!`](macro@import), whose page lists all that it accepts. [`Module::parse`] reads a text at run time.
//!
//! # Beyond modules
//!
//! The [`ir`] can be built by hand, checked by the [`rules`], written by [`emit::write()`] and
//! assembled by [`ptxas`].
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

pub use ptx_types::__private::typenum;

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
    pub use ptx_types::__private::typenum::{
        U0, U1, U2, U3, U4, U5, U8, U16, U32, U64, U128, U256, U512, U1024, U2048, U4096,
    };
    pub use ptx_types::__private::{packed_types::*, small_floats::*};
    pub use ptx_types::tensor::Major;
    pub use ptx_types::{
        Aligned, B8, B16, B32, B64, B128, Const, Cvt, Family, Generic, Global, Local, MapType,
        Mbarrier, Natural, Ptr, PtxType, Reg, SamplerRef, Shared, SurfRef, TensorMap, TexRef, Tile,
        V2, V3, V4,
    };
}
