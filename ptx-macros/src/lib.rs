//! The procedural macros of `ptx`, for `ptx` itself: depend on that. `ptx-frontend` reads and checks, this crate expands.

#![forbid(unsafe_code)]

mod expand;

use proc_macro::TokenStream;
use ptx_frontend::Errors;
use ptx_frontend::fragment::WithFragments;
use quote::quote;

#[doc = include_str!("../docs/module.md")]
#[proc_macro_attribute]
pub fn module(args: TokenStream, item: TokenStream) -> TokenStream {
    let arena = ptx_frontend::Arena::new();
    let (args, item) = (args.into(), item.into());
    let editor = expand::Editor::new(&args, &item);
    let (module, errors) = ptx_frontend::module(args, item, &arena);
    let items = module.map(expand::expand_module).map(|items| editor.module(items));
    expand::with_errors(&errors, items).into()
}

#[doc = include_str!("../docs/fragment.md")]
#[proc_macro_attribute]
pub fn fragment(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (args, item) = (args.into(), item.into());
    let editor = expand::Editor::new(&args, &item);
    let defined = ptx_frontend::fragment::fragment(&args, &item, &mut errors);
    let items = defined.map(|defined| editor.function(expand::expand_defined(&defined)));
    expand::with_errors(&errors, items).into()
}

/// Goes on with a module or a fragment, once the tokens of the fragments that it uses are there.
#[doc(hidden)]
#[proc_macro]
pub fn with_fragments(input: TokenStream) -> TokenStream {
    let (mut errors, arena) = (Errors::default(), ptx_frontend::Arena::new());
    let input = input.into();
    let editor = expand::Editor::new(&proc_macro2::TokenStream::new(), &input);
    let found = ptx_frontend::fragment::with_fragments(input, &arena, &mut errors);
    let items = found.map(|found| match found {
        WithFragments::Module(checked) => expand::expand_module(*checked),
        WithFragments::Fragment(defined) => expand::expand_defined(&defined),
    });
    let items = items.map(|items| editor.items(items));
    expand::with_errors(&errors, items).into()
}

#[doc = include_str!("../docs/ptx_type.md")]
#[proc_macro_derive(PtxType, attributes(ptx))]
pub fn derive_ptx_type(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let input = input.into();
    let editor = expand::Editor::new(&proc_macro2::TokenStream::new(), &input);
    let parsed = ptx_frontend::derive::parse(input, &mut errors);
    let items = parsed.filter(|_| errors.is_empty());
    let items = items.map(|parsed| editor.items(expand::expand_derive(&parsed)));
    expand::with_errors(&errors, items).into()
}

#[doc = include_str!("../docs/padded.md")]
#[proc_macro_attribute]
pub fn padded(args: TokenStream, item: TokenStream) -> TokenStream {
    let (mut errors, written) = (Errors::default(), proc_macro2::TokenStream::from(item));
    let parsed = ptx_frontend::padded::parse(&args.into(), written.clone(), &mut errors);
    let items = match parsed {
        Some(parsed) if errors.is_empty() => expand::expand_padded(parsed),
        Some(parsed) => quote::ToTokens::into_token_stream(parsed.item),
        None => written,
    };
    expand::with_errors(&errors, items).into()
}

#[doc = include_str!("../docs/tensor_map.md")]
#[proc_macro_attribute]
pub fn tensor_map(args: TokenStream, item: TokenStream) -> TokenStream {
    let (args, item) = (args.into(), item.into());
    let editor = expand::Editor::new(&args, &item);
    let (maps, errors) = ptx_frontend::tensor_map::tensor_maps(args, item);
    let items = editor.items(expand::expand_tensor_maps(&maps));
    expand::with_errors(&errors, items).into()
}

#[doc = include_str!("../docs/assembles.md")]
#[proc_macro]
pub fn assembles(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = ptx_frontend::assembles::parse(input.into(), &mut errors);
    let tests =
        parsed.filter(|_| errors.is_empty()).map(|parsed| expand::expand_assembles(&parsed));
    let errors = errors.to_compile_errors();
    quote!(#errors #tests).into()
}

#[doc = include_str!("../docs/import.md")]
#[proc_macro]
pub fn import(input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let import = ptx_frontend::import::import(input.into(), &mut errors);
    let items = import.map(|import| {
        let declared = import.declared(&mut errors);
        expand::expand_import(&import, &declared)
    });
    expand::with_errors(&errors, items).into()
}

/// An attribute that is only valid inside a `#[ptx::module]`.
macro_rules! inside_module {
    ($($(#[$doc:meta])* $name:ident: $example:literal;)*) => {$(
        $(#[$doc])*
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, _: TokenStream) -> TokenStream {
            let message = concat!(
                "`#[", stringify!($name), "]` belongs inside a module: `#[ptx::module(target = sm_90a)] mod name { ",
                $example, " }`; what a macro inside a module expands to is not seen by the module"
            );
            quote!(::core::compile_error! { #message }).into()
        }
    )*};
}

inside_module! {
    #[doc = include_str!("../docs/global.md")]
    global: "#[global] static X: u32;";
    #[doc = include_str!("../docs/constant.md")]
    constant: "#[constant] static X: u32 = 1;";
    #[doc = include_str!("../docs/shared.md")]
    shared: "#[shared] static X: [f32; 32];";
    #[doc = include_str!("../docs/kernel.md")]
    kernel: "#[kernel] pub fn f() { ptx! { ret; } }";
    #[doc = include_str!("../docs/device.md")]
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

/// The example of the README is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
