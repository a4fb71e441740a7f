//! The `mod`, and `MODULE` in it.

use std::fmt::Write as _;

use proc_macro2::{Delimiter, Group, TokenStream};
use ptx_frontend::group::Peel;
use ptx_frontend::import::{Declared, Import, Source};
use quote::quote;
use syn::Token;

use super::super::documentation::hidden;
use super::super::facade::facade;
#[cfg(feature = "cuda")]
use super::super::launch::{Loadable, Open, expand_loaded};
use super::super::parts::option;
use super::super::place::Places;
use super::super::variant::variant;
use super::context::Context;
use super::function::{ExpandedFunction, Variables, expand_function};
use super::variable::{ExpandedVariable, Handle, expand_variable};

/// The module of a file, with an item for each declaration in it.
pub(crate) fn expand_import(import: &Import, declared: &Declared<'_>) -> TokenStream {
    let ptx = &facade(import.arguments.krate.as_ref());
    let mut context = Context { ptx, import, places: Places::default() };
    let variables: Vec<ExpandedVariable<'_>> =
        declared.variables.iter().map(|item| expand_variable(&mut context, item)).collect();
    let named: Variables<'_, '_> =
        variables.iter().map(|variable| (variable.ir.name, variable)).collect();
    let functions: Vec<Option<ExpandedFunction>> =
        declared.functions.iter().map(|item| expand_function(&mut context, item, &named)).collect();
    let places = context.places.table(ptx);
    let handles = variables.iter().filter_map(|variable| variable.handle.as_ref());
    let handles = handles.map(|Handle { items, .. }| items);
    let items = functions.iter().flatten().map(|function| &function.items);
    let constant = expand_constant(ptx, import, declared, &variables, &functions);
    #[cfg(feature = "cuda")]
    let launch = expand_launch(ptx, import, &variables, &functions);
    #[cfg(not(feature = "cuda"))]
    let launch = TokenStream::new();
    // The types that the user gives are repeated here as they are written in the call.
    let arguments = &import.arguments;
    let has_types = !arguments.types.is_empty() || !arguments.signatures.is_empty();
    let around = has_types.then(|| {
        quote! {
            #[allow(unused_imports)]
            use super::*;
        }
    });
    let path = &import.arguments.path;
    // A path that is built by macros may read the environment, which cargo has to track.
    let tracked = (is_made(path) && import.source().is_some()).then(|| {
        quote! {
            const _: &::core::primitive::str = #path;
        }
    });
    let content = hidden(quote! {
        #around
        #(#handles)*
        #(#items)*
        #places
        #constant
        #launch
        #tracked
    });
    let (attrs, vis, ident) = (&import.arguments.attrs, &import.arguments.vis, &import.ident);
    // The module has the span of its name, or of the path that names it: rustc reports a duplicate name there.
    let mod_token = Token![mod](ident.span());
    let mut body = Group::new(Delimiter::Brace, content);
    body.set_span(ident.span());
    let is_documented = attrs.iter().any(|attr| attr.path().is_ident("doc"));
    let documentation = format!("What `{}` declares.", import.written);
    let documentation = (!is_documented).then(|| quote!(#[doc = #documentation]));
    quote! {
        #documentation
        #(#attrs)*
        // The names come from the file, and it may declare items that nothing uses.
        #[allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
        #[allow(non_snake_case, non_upper_case_globals)]
        #vis #mod_token #ident #body
    }
}

/// `MODULE`.
fn expand_constant(
    ptx: &TokenStream,
    import: &Import,
    declared: &Declared<'_>,
    variables: &[ExpandedVariable<'_>],
    functions: &[Option<ExpandedFunction>],
) -> TokenStream {
    let name = import.ident.to_string();
    let module = import.module();
    let target = variant(&module.map_or(ptx_frontend::FALLBACK_TARGET, |module| module.target));
    let version = option(module.and_then(|module| module.version).map(|version| {
        let (major, minor) = (version.major, version.minor);
        quote!(#ptx::Version::new(#major, #minor))
    }));
    let mode = module.map(|module| module.texture_mode).unwrap_or_default();
    let mode = variant(&mode);
    let mut left_out: Vec<&str> = Vec::new();
    let variables_ir = variables.iter().map(|variable| variable.ir(ptx));
    let functions_ir = declared.functions.iter().zip(functions).filter_map(|(item, expanded)| {
        expanded.as_ref()?;
        let ident = &item.ident;
        Some(quote!(#ident().ir()))
    });
    let functions_ir: Vec<TokenStream> = functions_ir.collect();
    left_out
        .extend(variables.iter().filter(|found| found.handle.is_none()).map(|found| found.ir.name));
    let all = declared.functions.iter().zip(functions);
    left_out.extend(all.filter(|(_, found)| found.is_none()).map(|(item, _)| item.ir.name));
    let mut documentation = format!("The PTX of `{}`, which `Display` prints.", import.written);
    if !left_out.is_empty() {
        let all = left_out.join("`, `");
        let _ = write!(documentation, "\n\nRust has no type for `{all}`: no handle is here.");
    }
    let source = match import.source() {
        // rustc reads the file again, which costs less than a token of its length, and cargo tracks it.
        Some(Source::File(path)) => quote!(::core::include_str!(#path)),
        Some(Source::Here(text)) => quote!(#text),
        None => quote!(""),
    };
    quote! {
        #[doc = #documentation]
        pub static MODULE: #ptx::Module<'static> = #ptx::Module::new(#ptx::ir::Module {
            version: #version,
            texture_mode: #ptx::TextureMode::#mode,
            source: ::core::option::Option::Some(#source),
            variables: &[#(#variables_ir),*],
            functions: &[#(#functions_ir),*],
            ..#ptx::ir::Module::new(#name, #ptx::Target::#target)
        });
    }
}

#[cfg(feature = "cuda")]
fn expand_launch(
    ptx: &TokenStream,
    import: &Import,
    variables: &[ExpandedVariable<'_>],
    functions: &[Option<ExpandedFunction>],
) -> TokenStream {
    use ptx_frontend::Space;
    use ptx_frontend::ir::Variable;
    use quote::ToTokens as _;
    use syn::{Attribute, Visibility, parse_quote};

    let public: Visibility = parse_quote!(pub);
    let on_host =
        |found: &&ExpandedVariable<'_>| matches!(found.ir.space, Space::Global | Space::Const);
    let handles = variables.iter().filter(on_host).filter_map(|found| {
        let handle = found.handle.as_ref()?;
        let documentation = &handle.documentation;
        let attrs: Vec<Attribute> = vec![parse_quote!(#[doc = #documentation])];
        Some((found.ir, handle, attrs))
    });
    let handles: Vec<(&Variable<'_>, &Handle, Vec<Attribute>)> = handles.collect();
    let mut loadable: Vec<Loadable<'_>> = handles
        .iter()
        .map(|(ir, handle, attrs)| Loadable::Variable {
            attrs,
            vis: &public,
            ident: &handle.ident,
            space: ir.space,
            managed: ir.managed,
            rust: handle.ty.to_token_stream(),
        })
        .collect();
    let kernels = functions.iter().flatten().filter(|function| function.is_launched);
    loadable.extend(kernels.map(|function| Loadable::Kernel {
        item: &function.declared,
        shown: None,
        open: Open::of(&function.declared, &function.directives, function.has_slice),
        is_partial: false,
    }));
    expand_loaded(ptx, &import.ident.to_string(), &loadable, &[], true)
}

/// Whether a path is more than a literal.
fn is_made(path: &syn::Expr) -> bool {
    !matches!(path.peel(), syn::Expr::Lit(_))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::{env, fs, process};

    use proc_macro2::{TokenStream, TokenTree};
    use ptx_frontend::Errors;
    use ptx_frontend::import::import;
    use quote::quote;

    use super::expand_import;

    fn count(tokens: TokenStream) -> usize {
        let one = |token| match token {
            TokenTree::Group(group) => 1 + count(group.stream()),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
        };
        tokens.into_iter().map(one).sum()
    }

    /// The tokens of a module of a kernel with this many statements.
    fn tokens_of(statements: usize) -> usize {
        let mut text = String::from(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n\
             .reg .b32 %r<9>;\nld.param.u32 %r1, [n];\n",
        );
        for _ in 0..statements {
            writeln!(text, "add.u32 %r1, %r1, 1;").expect("a string takes it");
        }
        text.push_str("ret;\n}\n");
        let path = env::temp_dir().join(format!("import-{}-{statements}.ptx", process::id()));
        fs::write(&path, text).expect("a file can be written");
        let mut errors = Errors::default();
        let written = path.to_str().expect("it is text");
        let found = import(quote!(mod m = #written, crate = ptx), &mut errors).expect("a module");
        let declared = found.declared(&mut errors);
        let expanded = expand_import(&found, &declared);
        fs::remove_file(&path).expect("it is there");
        assert!(errors.is_empty(), "{}", errors.to_compile_errors());
        count(expanded)
    }

    #[test]
    fn statements_cost_no_tokens() {
        let few = tokens_of(1);
        assert_eq!(tokens_of(5_000), few);
        assert!(few < 2_000, "{few}");
    }
}
