//! Address operands.

use proc_macro2::TokenStream;
use ptx_frontend::analysis::deferred::DeferredOperand;
use ptx_frontend::{AccessForm, AddressKind, Computed, LaunchCondition, Reached, Settled};
use quote::quote;

use super::parts::option;
use super::sum::Sums;
use super::variant::variant;

/// A key that is the same for operands that differ only in their offset.
pub(super) fn operand_key(operand: &DeferredOperand<'_>) -> String {
    let DeferredOperand { memory, via, settled, only_where, reached, .. } = operand;
    let of = (memory.form, memory.bytes, memory.align, via, settled, only_where, reached);
    format!("{of:?}")
}

/// An operand without its offset.
pub(super) fn operand_ir(sums: Sums<'_>, operand: &DeferredOperand<'_>) -> TokenStream {
    let ptx = sums.ptx;
    let DeferredOperand { memory, settled, only_where, reached, .. } = operand;
    let settled = if *settled == Settled::default() {
        quote!(#ptx::rules::Settled::NOTHING)
    } else {
        let Settled { is_tile, is_aligned, computed, is_conditional } = *settled;
        let computed = option(computed.map(|computed| match computed {
            Computed::Numbers(format) => {
                let format = variant(&format);
                quote!(#ptx::rules::Computed::Numbers(#ptx::NumberFormat::#format))
            }
            Computed::Address => quote!(#ptx::rules::Computed::Address),
        }));
        quote! {
            #ptx::rules::Settled {
                is_tile: #is_tile, is_aligned: #is_aligned, computed: #computed,
                is_conditional: #is_conditional,
            }
        }
    };
    let form = form_ir(ptx, memory.form);
    let (bytes, align) = (sums.size(&memory.bytes), sums.size(&memory.align));
    let only_where = match only_where {
        Some(condition) => launch_ir(ptx, condition),
        None => option(None),
    };
    let reached = option(reached.map(|reached| {
        let reached = reached_ir(ptx, &reached);
        quote!(&#reached)
    }));
    let via = match &operand.via {
        None => quote!(Name),
        Some((name, kind)) => {
            let kind = match kind {
                AddressKind::Own => quote!(Own),
                AddressKind::In(space) => {
                    let space = variant(space);
                    quote!(In(#ptx::Space::#space))
                }
                AddressKind::Generic => quote!(Generic),
                AddressKind::Unsure => quote!(Unsure),
            };
            quote!(Register(#name, #ptx::rules::AddressKind::#kind))
        }
    };
    quote! {
        #ptx::rules::StorageAccess {
            form: #form,
            bytes: #bytes,
            align: #align,
            via: #ptx::rules::Via::#via,
            offset: #ptx::rules::Offset::UNKNOWN,
            settled: #settled,
            only_where: #only_where,
            reached: #reached,
        }
    }
}

/// The execution that is judged.
pub(super) fn reached_ir(
    ptx: &TokenStream,
    Reached { thread, round, is_nearest }: &Reached<'_>,
) -> TokenStream {
    let thread = option(thread.map(|[x, y, z]| quote!([#x, #y, #z])));
    let round = option(round.map(|(label, round)| quote!((#label, #round))));
    quote! {
        #ptx::rules::Reached { thread: #thread, round: #round, is_nearest: #is_nearest }
    }
}

/// How an instruction accesses an address.
fn form_ir(ptx: &TokenStream, form: AccessForm) -> TokenStream {
    // A new field must be written here.
    let AccessForm {
        role,
        direction,
        space,
        names_space,
        nameable,
        sub_space,
        ty,
        may_be_nothing,
        unified,
        tensor,
        isa_align,
    } = form;
    let (role, direction) = (variant(&role), variant(&direction));
    let space = option(space.as_ref().map(variant).map(|space| quote!(#ptx::Space::#space)));
    let sub_space = sub_space.as_ref().map(variant);
    let sub_space = option(sub_space.map(|part| quote!(#ptx::rules::access::SubSpace::#part)));
    let ty = option(ty.as_ref().map(variant).map(|ty| quote!(#ptx::ScalarType::#ty)));
    let unified = option(unified.map(|unified| quote!(#unified)));
    let tensor = option(tensor.map(|tensor| {
        let (mode, direction) = (variant(&tensor.mode), variant(&tensor.direction));
        let rank = option(tensor.rank.map(|rank| quote!(#rank)));
        quote! {
            #ptx::rules::TensorAccess {
                rank: #rank,
                mode: #ptx::rules::TensorMode::#mode,
                direction: #ptx::instruction::Direction::#direction,
            }
        }
    }));
    let nameable = nameable.bits();
    let isa_align = option(isa_align.map(|align| quote!(#align)));
    quote! {
        #ptx::rules::AccessForm {
            role: #ptx::instruction::Role::#role,
            direction: #ptx::instruction::Direction::#direction,
            space: #space,
            names_space: #names_space,
            nameable: #ptx::Spaces::from_bits(#nameable),
            sub_space: #sub_space,
            ty: #ty,
            may_be_nothing: #may_be_nothing,
            unified: #unified,
            tensor: #tensor,
            isa_align: #isa_align,
        }
    }
}

/// A condition that the launch decides.
fn launch_ir(ptx: &TokenStream, condition: &LaunchCondition) -> TokenStream {
    let side = |terms: Vec<(&str, i128)>| {
        let terms = terms.iter().map(|(name, times)| quote!((#name, #times)));
        quote!(&[#(#terms),*])
    };
    let (left, right) = (side(condition.left().collect()), side(condition.right().collect()));
    let (comparison, plus) = (variant(&condition.comparison()), condition.plus());
    let comparison = quote!(#ptx::rules::Comparison::#comparison);
    quote! {
        (const { &#ptx::rules::LaunchCondition::new(#left, #comparison, #right, #plus) }).as_ref()
    }
}
