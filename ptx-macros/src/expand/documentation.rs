//! The documentation of kernels and functions, in addition to what their authors write.

use std::env;
use std::fmt::Write as _;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use ptx_frontend::ast::{Function, Param};
use ptx_frontend::{Checked, FunctionKind, Space};
use quote::{ToTokens, quote};
use syn::Expr;

use super::text::{text_of, type_text};
use super::variable::slice_element;

/// Whether the expansion is for rustdoc, not for a compilation: other builds do not pay for the documentation.
pub(super) fn is_documented() -> bool {
    let program = env::args_os().next();
    let name = program.as_deref().map(Path::new).and_then(Path::file_stem);
    name.is_some_and(|name| name == "rustdoc")
}

/// The documentation of a function as an attribute, below its author's.
pub(super) fn documentation(
    item: &Function,
    index: usize,
    checked: &Checked<'_>,
) -> Option<TokenStream> {
    is_documented().then(|| {
        let text = text(item, index, checked);
        quote!(#[doc = #text])
    })
}

/// The signature as declared, since the expanded function has no parameters, and how it uses memory.
fn text(item: &Function, index: usize, checked: &Checked<'_>) -> String {
    let mut text = String::from("\n```text\n");
    let word = match item.kind {
        FunctionKind::Kernel => "kernel",
        FunctionKind::Device => "device",
    };
    let arguments = arguments(item);
    if arguments.is_empty() {
        let _ = writeln!(text, "#[{word}]");
    } else {
        let _ = writeln!(text, "#[{word}({})]", arguments.join(", "));
    }
    let params: Vec<String> = item.params.iter().map(param).collect();
    let on_a_line = format!("fn {}({})", item.ident, params.join(", "));
    if on_a_line.len() <= 80 {
        text.push_str(&on_a_line);
    } else {
        let _ = writeln!(text, "fn {}(", item.ident);
        for param in params {
            let _ = writeln!(text, "    {param},");
        }
        text.push(')');
    }
    let returns: Vec<String> = item.returns.iter().map(ty).collect();
    match returns.as_slice() {
        [] => {}
        [one] => {
            let _ = write!(text, " -> {one}");
        }
        all => {
            let _ = write!(text, " -> ({})", all.join(", "));
        }
    }
    text.push_str("\n```\n");
    let memory = memory(index, checked);
    if !memory.is_empty() {
        text.push_str("\nMemory:\n");
        for line in memory {
            let _ = writeln!(text, "- {line}");
        }
    }
    text
}

/// The contents of the attribute's parentheses: directives, and the contract of launches.
fn arguments(item: &Function) -> Vec<String> {
    let mut arguments = Vec::new();
    for directive in &item.directives {
        let values: Vec<String> =
            directive.values.iter().map(|value| text_of(&value.to_token_stream())).collect();
        let name = directive.kind.name();
        arguments.push(match values.as_slice() {
            [] => name.to_owned(),
            [one] => format!("{name} = {one}"),
            all => format!("{name} = ({})", all.join(", ")),
        });
    }
    let text_of = |expr: &Expr| text_of(&expr.to_token_stream());
    arguments.extend(item.contract.requires.iter().map(|it| format!("requires({})", text_of(it))));
    arguments.extend(item.contract.grid.iter().map(|grid| format!("grid = {}", text_of(grid))));
    arguments.extend(item.contract.vouched.map(|_| "unsafe(safe_launch)".to_owned()));
    arguments
}

fn param(param: &Param) -> String {
    let readonly = if param.readonly.is_some() { "#[readonly] " } else { "" };
    format!("{readonly}{}: {}", param.ident, ty(param))
}

fn ty(param: &Param) -> String {
    let ty = type_text(&param.ty);
    if param.space == Space::Reg { format!("Reg<{ty}>") } else { ty }
}

/// The storage that a body names, the module's and its own; for a kernel, also that of the functions that it calls.
fn memory(index: usize, checked: &Checked<'_>) -> Vec<String> {
    let Some((read, body)) = checked.body(index) else { return Vec::new() };
    let of_module = body.uses.iter().filter_map(|used| match checked.module.variable(used.index) {
        Some(item) => {
            let ty = type_text(&item.ty);
            let dynamic = item.space == Space::Shared && slice_element(&item.ty).is_some();
            let dynamic = if dynamic { ", sized by the launch" } else { "" };
            let bytes = checked.bytes.get(used.index).copied().flatten();
            let bytes = bytes.map(|bytes| format!(", {bytes} bytes")).unwrap_or_default();
            let align = item.align.as_ref().map(|align| text_of(&align.to_token_stream()));
            let align = align.map(|align| format!(", aligned to {align} bytes"));
            let align = align.unwrap_or_default();
            Some(format!("`{}: {ty}`, {}{dynamic}{bytes}{align}", item.ident, space(item.space)))
        }
        None => None,
    });
    let declared = read.source.declarations.iter();
    let own = declared.filter(|declared| !matches!(declared.space, Space::Reg | Space::Param));
    let own = own.map(|declared| format!("`{}`, {}", declared.name.text, space(declared.space)));
    of_module.chain(own).collect()
}

fn space(space: Space) -> String {
    match space {
        Space::Const => "constant memory".to_owned(),
        other => format!("{} memory", other.name()),
    }
}

/// Hides what only the expansion names: tables and similar items beside the user's items.
pub(super) fn hidden(items: TokenStream) -> TokenStream {
    if !is_documented() {
        return items;
    }
    hide(items)
}

fn hide(items: TokenStream) -> TokenStream {
    let items: Vec<TokenTree> = items.into_iter().collect();
    let mut out = TokenStream::new();
    for (n, token) in items.iter().enumerate() {
        let is_item =
            matches!(token, TokenTree::Ident(word) if word == "static" || word == "const");
        let is_ours = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if name.to_string().starts_with("__PTX_"));
        if is_item && items.get(n + 1).is_some_and(is_ours) {
            out.extend(quote!(#[doc(hidden)]));
        }
        out.extend([token.clone()]);
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use ptx_frontend::Arena;
    use ptx_frontend::ast::Item;
    use quote::quote;

    use super::{hide, text};

    #[test]
    fn kernels_show_parameters_directives_and_memory() {
        let module = quote! {
            pub mod m {
                use super::*;
                #[constant]
                static TAPS: [f32; 5] = [0.0; 5];
                #[shared(align = 16)]
                static ROW: [[V4<f32>; 2 * N]; 66];
                #[shared(dynamic)]
                static SCRATCH: [V4<E4M3x4>];
                #[device]
                fn twice(x: Reg<f32>) -> Reg<f32> {
                    ptx! { add.f32 returned, x, x; ret; }
                }
                #[kernel(maxntid = (16, 16), minnctapersm = 2, requires(src.len() >= n), grid = n.div_ceil(256), unsafe(safe_launch))]
                pub fn rows(
                    #[readonly] src: Ptr<Global, V4<f32>>,
                    dst: Ptr<Global, V4<f32>>,
                    n: u32,
                ) {
                    ptx! {
                        .shared .b32 OWN[4];
                        .reg .f32 %f; .reg .b32 %r;
                        ld.const.f32 %f, [TAPS];
                        mov.u32 %r, ROW;
                        mov.u32 %r, SCRATCH;
                        mov.u32 %r, OWN;
                        ret;
                    }
                }
                #[kernel]
                pub fn nothing() { ptx! { ret; } }
            }
        };
        let arena = Arena::new();
        let (module, errors) = ptx_frontend::module(quote!(target = sm_90a), module, &arena);
        assert!(errors.is_empty(), "{}", errors.to_compile_errors());
        let checked = module.expect("it was read");
        let functions = checked.module.items.iter().enumerate();
        let shown = functions.filter_map(|(n, item)| match item {
            Item::Function(item) => Some(text(item, n, &checked)),
            Item::Variable(_) | Item::Rust(_) => None,
        });
        expect![[r#"

            ```text
            #[device]
            fn twice(x: Reg<f32>) -> Reg<f32>
            ```

            ```text
            #[kernel(maxntid = (16, 16), minnctapersm = 2, requires(src.len() >= n), grid = n.div_ceil(256), unsafe(safe_launch))]
            fn rows(
                #[readonly] src: Ptr<Global, V4<f32>>,
                dst: Ptr<Global, V4<f32>>,
                n: u32,
            )
            ```

            Memory:
            - `TAPS: [f32; 5]`, constant memory, 20 bytes
            - `ROW: [[V4<f32>; 2 * N]; 66]`, shared memory, aligned to 16 bytes
            - `SCRATCH: [V4<E4M3x4>]`, shared memory, sized by the launch
            - `OWN`, shared memory

            ```text
            #[kernel]
            fn nothing()
            ```
        "#]].assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn what_only_the_expansion_names_is_hidden() {
        let items = quote! {
            #[allow(unused)] static __PTX_PLACES: u32 = 1;
            pub static MODULE: u32 = __PTX_PLACES;
            const __PTX_CHECK: u32 = { const __PTX_INSIDE: u32 = 2; __PTX_INSIDE };
        };
        let hidden = quote! {
            #[allow(unused)] #[doc(hidden)] static __PTX_PLACES: u32 = 1;
            pub static MODULE: u32 = __PTX_PLACES;
            #[doc(hidden)] const __PTX_CHECK: u32 = { const __PTX_INSIDE: u32 = 2; __PTX_INSIDE };
        };
        assert_eq!(hide(items).to_string(), hidden.to_string());
    }
}
