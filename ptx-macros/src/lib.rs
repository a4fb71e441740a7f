//! The procedural macros of `ptx`: `ptx-syntax` reads and checks, this crate expands.

mod expand;

use proc_macro::TokenStream;
use ptx_syntax::Errors;
use quote::quote;

/// Makes a `mod` of typed GPU storage and kernels a PTX module.
///
/// `#[ptx::module(target = sm_90a, version = 8.6, ptxas = 13.0)]`: the target is required; the
/// version is the lowest that suffices if it is left out; `ptxas` names the oldest release that has
/// to take the text, and raises limits that older ones have; `texmode = independent` separates
/// samplers from textures; `line_info = true` names the Rust lines of the statements in the text, for
/// debuggers and profilers. `crate = path` says where `ptx` is, if not where `Cargo.toml` says.
///
/// In the module, a `static` under `#[global]`, `#[constant]` or `#[shared]` becomes a
/// `Variable` handle, and a `fn` under `#[kernel]` becomes a `const fn` that returns its `Kernel`
/// handle; `MODULE` is the whole. See the crate's documentation.
#[proc_macro_attribute]
pub fn module(args: TokenStream, item: TokenStream) -> TokenStream {
    let (module, errors) = ptx_syntax::module(args.into(), item.into());
    let items = module.map(|module| expand::expand_module(&module));
    let errors = errors.to_compile_errors();
    quote!(#errors #items).into()
}

/// Makes a `#[repr(C)]` struct a PTX storage type, flattened to aligned bytes (PTX ISA 5.1.6.4).
///
/// Every field is a PTX type, and there is no padding: its bytes would be undefined on the GPU.
/// `Config::OFFSETS.gain` is the offset of the field `gain` in bytes, as `offset_of!(Config, gain)`
/// is; the struct of the offsets is called `ConfigOffsets`.
#[proc_macro_derive(PtxType, attributes(ptx))]
pub fn derive_ptx_type(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = ptx_syntax::derive::parse(input.into(), &mut errors);
    let items = parsed.filter(|_| errors.is_empty()).map(|parsed| expand::expand_derive(&parsed));
    let errors = errors.to_compile_errors();
    quote!(#errors #items).into()
}

/// Makes a unit struct a tensor map (PTX ISA 5.5), checked when it is declared.
///
/// ```text
/// #[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
/// pub struct A;
/// ```
///
/// - `element`: `u8`, `u16`, `u32`, `i32`, `u64`, `i64`, `f16`, `bf16`, `f32`, `f64`, `f32_ftz`,
///   `tf32`, `tf32_ftz`, `b4x16`, `b4x16_p64`, `b6x16_p32`, `b6p2x16`; `b32` and `b64`, which are
///   `u32` and `u64`; or `E4M3`, `E5M2`, `Ue8m0`, `Ue4m3`, which travel as bytes.
/// - `box`: the extents in elements, the innermost first: any constants.
/// - `swizzle`: `B32`, `B64`, `B128`, `B128Atom32`, `B128Atom32Flip8`, `B128Atom64`, `B96`;
///   `interleave`: `B16`, `B32`; `element_strides = [1, 2]`; `l2_promotion`: `B64`, `B128`, `B256`;
///   `oob = Nan`.
/// - `mode`: `tile::gather4` and `tile::scatter4` with `row = 64` in place of the box; `im2col` with
///   `lower`, `upper` (W first), `channels_per_pixel` and `pixels_per_column`; `im2col::w` with `rank`
///   and the same, of W alone; `im2col::w::128` without pixels.
/// - `target = sm_100a` asks what that target has; `allow(M009)` allows what a document forbids and
///   the driver takes.
///
/// The struct gets `BYTES`, `STRIDE` and `TRANSACTION_BYTES` of its tile, `swizzle(offset)`,
/// `element_offset([..])`, `matrix_descriptor(major)` and `transaction_bytes(halo)`, and is a
/// `MapType`: `Tile<A>` is its tile in shared memory, `TensorMap<A>` the map itself.
#[proc_macro_attribute]
pub fn tensor_map(args: TokenStream, item: TokenStream) -> TokenStream {
    let (map, errors) = ptx_syntax::tensor_map::tensor_map(args.into(), item.into());
    let items = map.map(|map| expand::expand_tensor_map(&map));
    let errors = errors.to_compile_errors();
    quote!(#errors #items).into()
}

/// An attribute that means something only inside a `#[ptx::module]`.
macro_rules! inside_module {
    ($($(#[$doc:meta])* $name:ident: $example:literal;)*) => {$(
        $(#[$doc])*
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, _: TokenStream) -> TokenStream {
            let message = concat!(
                "`#[", stringify!($name), "]` belongs inside a module: `#[ptx::module(target = sm_90a)] mod name { ",
                $example, " }`"
            );
            quote!(::core::compile_error! { #message }).into()
        }
    )*};
}

inside_module! {
    /// Global memory: `#[global(align = 16)] pub static NAME: T = value;` (PTX ISA 5.1.4).
    global: "#[global] static X: u32;";
    /// Constant memory: `#[constant] pub static NAME: T = value;` (PTX ISA 5.1.3).
    constant: "#[constant] static X: u32 = 1;";
    /// Shared memory: `#[shared] static NAME: T;`, and `#[shared(dynamic)] static NAME: [T];` for
    /// memory that the launch sizes (PTX ISA 5.1.7).
    shared: "#[shared] static X: [f32; 32];";
    /// A kernel: `#[kernel(maxntid = 256)] pub fn name(n: u32) { ptx! { .. } }`. Its directives (PTX ISA
    /// 11.4) are `maxntid`, `reqntid`, `minnctapersm`, `maxnreg`, `reqnctapercluster`, `maxclusterrank`
    /// and `explicitcluster`; `weak` is its linkage; `allow(A034)` allows hazards.
    /// `#[kernel(extern)] fn name(n: u32);` is one that another PTX module defines.
    kernel: "#[kernel] pub fn f() { ptx! { ret; } }";
    /// A device function: `#[device] fn f(x: Reg<f32>) -> Reg<f32> { ptx! { .. } }`, or one that is
    /// defined elsewhere: `#[device(extern)] fn vprintf(..) -> i32;` (PTX ISA 5.1.6.4).
    /// `returns(sum, #[align(16)] rest)` names what it returns, and raises alignments in bytes;
    /// `noreturn` says that it does not return; `weak`, `unified(..)` and `allow(..)` are as elsewhere.
    device: "#[device] fn f(x: Reg<u32>) { ptx! { ret; } }";
}

/// The body of a `#[kernel]` or `#[device]` function: PTX, verbatim, with Rust constants spliced in by `#( expr )`.
#[proc_macro]
pub fn ptx(_: TokenStream) -> TokenStream {
    quote!(::core::compile_error! {
        "`ptx!` is the body of a `#[kernel]` or `#[device]` function inside a `#[ptx::module]`"
    })
    .into()
}
