//! Operands that name storage, where rustc decides what tokens do not tell.

use proc_macro2::TokenStream;
use ptx_syntax::ast::{Item, Module};
use ptx_syntax::body::{Amount, Body, Declaration, Family, LateObject, LateOperand, MemoryOperand};
use quote::{format_ident, quote};
use syn::Ident;

use super::function::{local_of, split_locals, used_ir};
use super::span::at;
use super::{conditions, option, space_variant};

/// A check for each operand, at its name and at its offset.
pub(super) fn operand_checks(
    ptx: &TokenStream,
    ident: &Ident,
    body: &Body,
    module: &Module,
) -> Vec<TokenStream> {
    let declarations: Vec<&Declaration> = body.declarations().collect();
    let (locals, _) = split_locals(body);
    let check = |LateOperand { operand, object }: &LateOperand| {
        let (conditions, object) = match object {
            LateObject::Variable(used) => match module.items.get(used.index) {
                Some(Item::Variable(variable)) if !variable.refused => {
                    let object = used_ir(ptx, used, &variable.ident);
                    (conditions(&variable.attrs), quote!(Variable(#object)))
                }
                Some(Item::Variable(_) | Item::Function(_) | Item::Rust(_)) | None => return None,
            },
            LateObject::Param(i) => {
                (Vec::new(), quote!(EntryParam(&#ident().ir().params[#i].variable)))
            }
            LateObject::Return(i) => {
                (Vec::new(), quote!(Return(&#ident().ir().returns[#i].variable)))
            }
            LateObject::Declaration(n) => {
                let declared = declarations[*n];
                let local = local_of(ident, &locals, declared)?;
                let name = &declared.name.text;
                let object = match declared.family {
                    Family::No => local,
                    Family::Of(_) => quote!(&const { #ptx::ir::Variable::member(#local, #name) }),
                };
                (Vec::new(), quote!(Variable(#object)))
            }
        };
        let ir = operand_ir(ptx, operand);
        let check = |part: &str| {
            let part = format_ident!("{part}");
            quote! {
                #ptx::__private::require_operand(
                    #ir,
                    #ptx::rules::access::Object::#object,
                    #ident().ir().allow,
                    #ptx::rules::Part::#part,
                )
            }
        };
        let of_name = at(operand.name.tokens(), check("Name"));
        let of_offset = at(operand.offset_place.tokens(), check("Offset"));
        let both = quote!(#of_name; #of_offset;);
        let is_sure = conditions.is_empty();
        Some(if is_sure { both } else { quote!(#(#conditions)* const _: () = { #both };) })
    };
    body.operands.iter().filter_map(check).collect()
}

fn operand_ir(ptx: &TokenStream, operand: &MemoryOperand) -> TokenStream {
    let role = format_ident!("{}", operand.role.variant());
    let space = operand.space.map(space_variant).map(|space| quote!(#ptx::Space::#space));
    let (space, is_said) = (option(space), operand.is_said);
    let size = |amount: &Amount| {
        option(match amount {
            Amount::Known(value) => usize::try_from(*value).ok().map(|value| quote!(#value)),
            Amount::Splice(expr) => Some(at(expr, quote!(#ptx::__private::to_usize(#expr)))),
            Amount::Unknown => None,
        })
    };
    let (bytes, align) = (size(&operand.bytes), size(&operand.align));
    let offset = option(match &operand.offset {
        Amount::Known(value) => Some(quote!(#value)),
        Amount::Splice(expr) => Some(at(expr, quote!(#ptx::__private::to_i128(#expr)))),
        Amount::Unknown => None,
    });
    let tensor = option(operand.tensor.map(|tensor| {
        let (rank, is_im2col) = (tensor.rank, tensor.is_im2col);
        quote!(#ptx::rules::TensorAccess { rank: #rank, is_im2col: #is_im2col })
    }));
    quote! {
        #ptx::rules::Operand {
            role: #ptx::rules::instruction::Role::#role,
            space: #space,
            is_said: #is_said,
            bytes: #bytes,
            align: #align,
            offset: #offset,
            tensor: #tensor,
        }
    }
}
