//! `#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)] pub struct A;`

mod args;
mod check;

use proc_macro2::TokenStream;
use ptx_types::Target;
use ptx_types::float::Format;
use ptx_types::tensor::rules::Field;
use ptx_types::tensor::{ElementType, Interleave, L2Promotion, OobFill, Swizzle};
use quote::ToTokens;
use syn::{Expr, Fields, Generics, Ident, ItemStruct, Path};

use crate::errors::Errors;

/// The declaration of a tensor map.
#[derive(Debug)]
pub struct TensorMap {
    /// `crate = path`.
    pub krate: Option<Path>,
    /// The struct, as it was written.
    pub item: ItemStruct,
    /// The type of the elements.
    pub element: Element,
    /// The number of dimensions.
    pub rank: u32,
    /// The mode, with its parameters.
    pub mode: Mode,
    /// The traversal strides, one a dimension; none for all 1.
    pub element_strides: Vec<Expr>,
    /// The interleave.
    pub interleave: Interleave,
    /// The swizzle.
    pub swizzle: Swizzle,
    /// The L2 promotion.
    pub l2_promotion: L2Promotion,
    /// What fills the outside.
    pub oob_fill: OobFill,
    /// The target that it is for, if it is said.
    pub target: Option<Target>,
    /// The rules that are allowed to be broken.
    pub allow: Vec<&'static str>,
    /// The tokens that say each field.
    pub places: Vec<(Field, TokenStream)>,
    /// Whether every number is a literal, so that all rules were asked.
    pub is_judged: bool,
}

/// The type of the elements: what the map calls it, and what the host holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// What the map calls it.
    pub ty: ElementType,
    /// A small float that travels as bytes: `E4M3`.
    pub host: Option<&'static str>,
}

/// The small floats of a byte, which maps copy as bytes.
fn byte_floats() -> impl Iterator<Item = &'static str> + Clone {
    let is_byte = |format: &&&Format| format.tensor_map.is_none() && format.bits <= 8;
    Format::ALL.iter().filter(is_byte).map(|format| format.rust_name)
}

impl Element {
    fn from_name(name: &str) -> Option<Self> {
        if let Some(host) = byte_floats().find(|byte| *byte == name) {
            return Some(Self { ty: ElementType::U8, host: Some(host) });
        }
        // Bits are copied as the integers of their size (PTX ISA 5.5.1).
        let name = match name {
            "b32" => ElementType::U32.name(),
            "b64" => ElementType::U64.name(),
            other => other,
        };
        ElementType::from_name(name).map(|ty| Self { ty, host: None })
    }

    fn names() -> impl Iterator<Item = &'static str> + Clone {
        ElementType::ALL
            .iter()
            .map(|element| element.name())
            .chain(["b32", "b64"])
            .chain(byte_floats())
    }
}

/// A mode with its parameters, as they were written.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // one a declaration
pub enum Mode {
    /// `tile`.
    Tiled {
        /// The box.
        extents: Vec<Expr>,
    },
    /// `tile::gather4`.
    Gather4 {
        /// The elements of a row.
        row: Expr,
    },
    /// `tile::scatter4`.
    Scatter4 {
        /// The elements of a row.
        row: Expr,
    },
    /// `im2col`, `im2col::w` and `im2col::w::128`.
    Im2col {
        /// Which of the three.
        walk: Walk,
        /// The lower corner, W first.
        lower: Vec<Expr>,
        /// The upper corner, W first.
        upper: Vec<Expr>,
        /// The channels of a pixel.
        channels: Expr,
        /// The pixels of a column; `None` where they are fixed.
        pixels: Option<Expr>,
    },
}

/// How an `im2col` mode goes through pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Walk {
    /// `im2col`: through the whole bounding box.
    Box,
    /// `im2col::w`: along W.
    W,
    /// `im2col::w::128`: 128 pixels along W.
    W128,
}

/// Reads the arguments and the item of `#[tensor_map]`, and asks every rule that can be answered
/// from the tokens alone. What has errors becomes a map without, so that it can be used.
pub fn tensor_map(args: TokenStream, item: TokenStream) -> (Option<TensorMap>, Errors) {
    let mut errors = Errors::default();
    let item = match syn::parse2::<ItemStruct>(item) {
        Ok(item) => item,
        Err(error) => {
            errors.at(
                error.span(),
                "a tensor map is declared on a struct, as in `#[tensor_map(element = bf16, box = [64, 128])] pub struct A;`",
            );
            return (None, errors);
        }
    };
    let mut item = item;
    if !matches!(item.fields, Fields::Unit) {
        errors.on(
            &item.fields,
            "the struct of a tensor map stands for its declaration and holds nothing; remove its fields",
        );
    }
    if !item.generics.params.is_empty() {
        errors.on(
            &item.generics,
            "a tensor map has one layout; write a struct for each, and be generic over `M: MapType` instead",
        );
        item.generics = Generics::default();
        item.fields = Fields::Unit;
    }
    let written = args::parse(args, item.clone(), &mut errors);
    let mut map = written.unwrap_or_else(|| TensorMap::fallback(item.clone(), 2));
    check::check(&mut map, &mut errors);
    if !errors.is_empty() {
        map = TensorMap::fallback(item, map.rank.clamp(1, 5));
    }
    (Some(map), errors)
}

impl TensorMap {
    /// Stands in for a map with errors, which were reported, so that what uses it has none.
    fn fallback(item: ItemStruct, rank: u32) -> Self {
        let extents = (0..rank).map(|_| syn::parse_quote!(16)).collect();
        Self {
            krate: None,
            item,
            element: Element { ty: ElementType::U8, host: None },
            rank,
            mode: Mode::Tiled { extents },
            element_strides: Vec::new(),
            interleave: Interleave::None,
            swizzle: Swizzle::None,
            l2_promotion: L2Promotion::None,
            oob_fill: OobFill::Zero,
            target: None,
            allow: Vec::new(),
            places: Vec::new(),
            is_judged: true,
        }
    }

    /// The name.
    pub fn ident(&self) -> &Ident {
        &self.item.ident
    }

    /// The tokens that a field is blamed at: its own, or the name of the map.
    pub fn place(&self, field: Field) -> TokenStream {
        let own = self.places.iter().find(|(place, _)| *place == field);
        own.map_or_else(|| self.item.ident.to_token_stream(), |(_, tokens)| tokens.clone())
    }
}
