//! The declaration of a tensor map.

use proc_macro2::TokenStream;
use ptx_isa::Target;
use ptx_isa::tensor::rules::Field;
use ptx_isa::tensor::{ElementType, Interleave, L2Promotion, Mode, OobFill, Spec, Swizzle};
use quote::ToTokens;
use syn::{Expr, Ident, ItemStruct, Path};

use super::args::Partial;

/// The declaration of a tensor map.
pub struct TensorMap {
    /// `crate = path`.
    pub krate: Option<Path>,
    /// The struct as written.
    pub item: ItemStruct,
    /// The static properties, with placeholders for the numbers that rustc evaluates.
    pub spec: Spec,
    /// The numbers that rustc evaluates, by their fields. If there are none, every rule was checked.
    pub deferred: Vec<(Field, Expr)>,
    /// The host's element type, if it is a small float that is transferred as bytes: `E4M3`.
    pub host: Option<&'static str>,
    /// The target, if it is given.
    pub target: Option<Target>,
    /// The rules that the map may break.
    pub allow: Vec<&'static str>,
    /// The tokens that specify each field.
    pub places: Vec<(Field, TokenStream)>,
}

impl TensorMap {
    /// Replaces a map with errors, which were reported, so that its uses do not cause further errors.
    pub(super) fn fallback(item: ItemStruct, partial: Partial) -> Self {
        let rank = partial.rank.unwrap_or(2).clamp(1, 5);
        let (element, host) =
            partial.element.map_or((ElementType::U8, None), |element| (element.ty, element.host));
        let box_dims = [16, 1, 1, 1, 1];
        Self {
            krate: None,
            item,
            spec: Spec {
                element,
                rank,
                mode: Mode::Tiled { box_dims },
                element_strides: [1; 5],
                interleave: Interleave::None,
                swizzle: Swizzle::None,
                l2_promotion: L2Promotion::None,
                oob_fill: OobFill::Zero,
            },
            deferred: Vec::new(),
            host,
            target: None,
            allow: Vec::new(),
            places: Vec::new(),
        }
    }

    /// The name.
    pub fn ident(&self) -> &Ident {
        &self.item.ident
    }

    /// The tokens at which errors in a field are reported: its own, or the name of the map.
    pub fn place(&self, field: Field) -> TokenStream {
        let own = self.places.iter().find(|(place, _)| *place == field);
        own.map_or_else(|| self.item.ident.to_token_stream(), |(_, tokens)| tokens.clone())
    }
}
