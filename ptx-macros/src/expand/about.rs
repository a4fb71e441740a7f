//! The subjects of the checks of accesses.

use proc_macro2::TokenStream;
use ptx_frontend::analysis::Linear;
use ptx_frontend::analysis::deferred::{
    Deferred, DeferredCopied, DeferredDescriptor, DeferredKind, DeferredObject,
};
use ptx_frontend::ast::Module;
use ptx_frontend::{CheckedBody, FunctionKind};
use quote::{format_ident, quote};
use syn::{Attribute, Ident};

use super::encoded::EncodedOffset;
use super::object::{local_of, used_ir};
use super::operand::{operand_ir, operand_key, reached_ir};
use super::parts::{conditions, option};
use super::sum::Sums;
use super::table::Table;
use super::variant::variant;

/// The subject of a check, and the conditions under which it exists.
pub(super) struct About {
    pub(super) of: Of,
    /// A key that is the same for equal checks.
    pub(super) key: String,
    pub(super) conditions: Vec<Attribute>,
}

/// The subject of a check.
pub(super) enum Of {
    /// Rust code.
    Written(TokenStream),
    /// An operand that is always reached: the indices of its shape and of its object, and its
    /// offset.
    Operand([usize; 2], EncodedOffset),
}

/// The tables of a function that its checks use.
pub(super) struct Tables<'m> {
    pub(super) sums: Sums<'m>,
    pub(super) ident: &'m Ident,
    pub(super) kind: FunctionKind,
    pub(super) module: &'m Module,
    pub(super) body: &'m CheckedBody<'m>,
    /// The declarations that the body names, by index.
    pub(super) locals: Vec<usize>,
    pub(super) objects: Table,
    pub(super) shapes: Table,
}

impl Tables<'_> {
    pub(super) fn check(&mut self, check: &Deferred<'_>) -> Option<About> {
        let ptx = self.sums.ptx;
        let (of, conditions) = match &check.kind {
            DeferredKind::Operand(operand) => {
                let (object, conditions) = self.object(&operand.object)?;
                let shape = operand_key(operand);
                let Linear { base: known, steps, bits, .. } = &operand.offset;
                let key = format!("{shape} at {known:?} {steps:?} {bits} of {:?}", operand.object);
                let sums = self.sums;
                let place = self.shapes.place(shape, || operand_ir(sums, operand));
                let is_simple = conditions.is_empty() && check.conditions.is_empty();
                let at = self.objects.find(&format!("{:?}", operand.object)).filter(|_| is_simple);
                if let (Some(at), Some(offset)) = (at, EncodedOffset::of(&operand.offset)) {
                    return Some(About { of: Of::Operand([place, at], offset), key, conditions });
                }
                let (base, step) = self.sums.linear(&operand.offset);
                let shapes = &self.shapes.name;
                let of = quote! {
                    #ptx::__private::Checked::Operand(
                        &#shapes[#place], &#object, #ptx::rules::Offset { base: #base, step: #step },
                    )
                };
                return Some(About { of: Of::Written(of), key, conditions });
            }
            DeferredKind::Copy(copy) => {
                let (tile, mut conditions) = self.place(&copy.tile.0, &copy.tile.1)?;
                let (map, of_map) = self.place(&copy.map.0, &copy.map.1)?;
                conditions.extend(of_map);
                let halo = self.sums.halo(&copy.halo);
                let first = option(copy.first.as_ref().map(|first| self.sums.sum(first)));
                let executions = copy.executions.iter().map(|(offset, reached)| {
                    let reached = reached_ir(ptx, reached);
                    quote!((#offset, #reached))
                });
                let of = quote! {
                    #ptx::__private::Checked::Copy(#ptx::rules::copy::TensorCopy {
                        tile: #tile, map: #map, halo: #halo, first: #first,
                        executions: &[#(#executions),*],
                    })
                };
                (of, conditions)
            }
            DeferredKind::Transactions(expected, copied) => {
                let expected = self.sums.sum(expected);
                let (mut all, mut conditions) = (Vec::new(), Vec::new());
                for copied in copied {
                    all.push(match copied {
                        DeferredCopied::Bytes(bytes) => {
                            let bytes = self.sums.sum(bytes);
                            quote!(#ptx::rules::copy::Copied::Bytes(#bytes))
                        }
                        DeferredCopied::Tile(object, offset, halo) => {
                            let (place, of_tile) = self.place(object, offset)?;
                            conditions.extend(of_tile);
                            let halo = self.sums.halo(halo);
                            quote!(#ptx::rules::copy::Copied::Tile(#place, #halo))
                        }
                    });
                }
                let of = quote! {
                    #ptx::__private::Checked::Transactions(#ptx::rules::copy::Transactions {
                        expected: #expected, copied: &[#(#all),*],
                    })
                };
                (of, conditions)
            }
            DeferredKind::Count { of, count, by_copies } => {
                let (of, value) = (variant(of), self.sums.sum(count));
                let of = quote! {
                    #ptx::__private::Checked::Count(#ptx::rules::copy::BarrierCount {
                        of: #ptx::rules::copy::Counted::#of, value: #value, by_copies: #by_copies,
                    })
                };
                (of, Vec::new())
            }
            DeferredKind::Descriptor(descriptor) => {
                let DeferredDescriptor { tile, bits, is_transposed, element, rows } = &**descriptor;
                let (tile, conditions) = self.place(&tile.0, &tile.1)?;
                let bits = self.sums.sum(bits);
                let major = format_ident!("{}", if *is_transposed { "Mn" } else { "K" });
                let of = quote! {
                    #ptx::__private::Checked::Descriptor(#ptx::rules::copy::TileDescriptor {
                        tile: #tile,
                        bits: #ptx::__private::to_mask(#bits),
                        major: #ptx::tensor::Major::#major,
                        element: #element,
                        rows: #rows,
                    })
                };
                (of, conditions)
            }
        };
        Some(About { key: of.to_string(), of: Of::Written(of), conditions })
    }

    /// The offset and the object.
    fn place(
        &mut self,
        object: &DeferredObject,
        offset: &Linear,
    ) -> Option<(TokenStream, Vec<Attribute>)> {
        let ptx = self.sums.ptx;
        let (object, conditions) = self.object(object)?;
        let (base, step) = self.sums.linear(offset);
        let place = quote!((#ptx::rules::Offset { base: #base, step: #step }, #object));
        Some((place, conditions))
    }

    pub(super) fn object(&mut self, id: &DeferredObject) -> Option<(TokenStream, Vec<Attribute>)> {
        let (ptx, ident) = (self.sums.ptx, self.ident);
        let (conditions, object) = match id {
            DeferredObject::Variable(used) => match self.module.variable(used.index) {
                Some(variable) if !variable.refused => {
                    let object = used_ir(ptx, used, &variable.ident);
                    (conditions(&variable.attrs), quote!(Variable(#object)))
                }
                Some(_) | None => return None,
            },
            DeferredObject::Param(i) => {
                let param = quote!(#ident().ir().params[#i]);
                let object = match self.kind {
                    FunctionKind::Kernel => quote!(EntryParam(&#param)),
                    FunctionKind::Device => quote!(Input(&#param.variable)),
                };
                (Vec::new(), object)
            }
            DeferredObject::Pointee(i) => (Vec::new(), quote!(Pointee(&#ident().ir().params[#i]))),
            // The macro does not know the fields of structs.
            DeferredObject::FieldPointee(..) => return None,
            DeferredObject::Return(i) => {
                (Vec::new(), quote!(Return(&#ident().ir().returns[#i].variable)))
            }
            DeferredObject::Declaration(n) => {
                let declared = self.body.declared[*n];
                let (local, name) = (local_of(ident, &self.locals, *n)?, declared.name);
                let object = if declared.ty.family().is_some() {
                    quote!(&const { #ptx::ir::Variable::member(#local, #name) })
                } else {
                    local
                };
                (Vec::new(), quote!(Variable(#object)))
            }
        };
        let object = quote!(#ptx::rules::access::Object::#object);
        let object = if conditions.is_empty() {
            let place = self.objects.place(format!("{id:?}"), || object);
            let objects = &self.objects.name;
            quote!(#objects[#place])
        } else {
            object
        };
        Some((object, conditions))
    }
}
