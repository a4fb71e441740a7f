//! Lowers the arguments to the static properties of a map, and to the numbers that rustc evaluates.

use proc_macro2::TokenStream;
use ptx_isa::tensor::rules::Field;
use ptx_isa::tensor::{Interleave, L2Promotion, Mode, OobFill, Spec, Swizzle};
use quote::ToTokens;
use syn::{Expr, ItemStruct};

use super::args::{MapArguments, Written};
use super::declaration::TensorMap;
use crate::errors::Errors;
use crate::group::Peel;
use crate::integer::{Integer, literal};

/// The map that the arguments describe, or `None` if some of them are invalid.
pub(super) fn lower(
    arguments: MapArguments,
    item: ItemStruct,
    errors: &mut Errors,
) -> Option<TensorMap> {
    let MapArguments { written, mode, element } = arguments;
    let before = errors.len();
    let mut numbers = Numbers::default();
    let (mode, rank) = lower_mode(&written, mode, &mut numbers, errors)?;
    let strides = written.list("element_strides", errors);
    if let (Some(value @ Expr::Array(_)), true) =
        (written.get("element_strides").map(Peel::peel), strides.len() != rank as usize)
    {
        errors.on(
            value,
            format_args!(
                "the list of traversal strides has length {}, but the map has rank {rank}; write one stride for each dimension",
                strides.len()
            ),
        );
    }
    let known = |names: &'static [&'static str]| names.iter().copied();
    let swizzle_names: Vec<_> = Swizzle::ALL.iter().map(|choice| choice.name()).collect();
    let swizzle = written.word(
        "swizzle",
        Swizzle::None,
        swizzle_names.into_iter(),
        Swizzle::from_name,
        errors,
    );
    let interleave = written.word(
        "interleave",
        Interleave::None,
        known(&["None", "B16", "B32"]),
        Interleave::from_name,
        errors,
    );
    let l2_promotion = written.word(
        "l2_promotion",
        L2Promotion::None,
        known(&["None", "B64", "B128", "B256"]),
        L2Promotion::from_name,
        errors,
    );
    let oob_fill =
        written.word("oob", OobFill::Zero, known(&["Zero", "Nan"]), OobFill::from_name, errors);
    if errors.len() > before {
        return None;
    }
    // The places of the strides precede those of the mode, because rustc reports errors in this order.
    let of_mode = core::mem::take(&mut numbers.places);
    let element_strides = numbers.counts(Field::ElementStride, &strides);
    let places = places(&written, numbers.places.into_iter().chain(of_mode));
    Some(TensorMap {
        krate: written.krate,
        item,
        spec: Spec {
            element: element.ty,
            rank,
            mode,
            element_strides,
            interleave,
            swizzle,
            l2_promotion,
            oob_fill,
        },
        deferred: numbers.deferred,
        host: element.host,
        target: written.target,
        allow: written.allow,
        places,
    })
}

/// The mode and the rank.
fn lower_mode(
    written: &Written,
    name: &str,
    numbers: &mut Numbers,
    errors: &mut Errors,
) -> Option<(Mode, u32)> {
    let count = |list: &[Expr]| u32::try_from(list.len()).unwrap_or(u32::MAX);
    match name {
        "tile" => {
            let extents = written.list("box", errors);
            let box_dims = numbers.counts(Field::Box, &extents);
            return Some((Mode::Tiled { box_dims }, count(&extents)));
        }
        "tile::gather4" => {
            let row = numbers.count(Field::Row, written.one("row"));
            return Some((Mode::Gather4 { row }, 2));
        }
        "tile::scatter4" => {
            let row = numbers.count(Field::Row, written.one("row"));
            return Some((Mode::Scatter4 { row }, 2));
        }
        _ => {}
    }
    let (lower, upper, rank) = if name == "im2col" {
        let (lower, upper) = (written.list("lower", errors), written.list("upper", errors));
        if lower.len() != upper.len() {
            errors.on(
                written.get("upper"),
                format_args!(
                    "the corners have {} and {} dimensions; write as many in both, W first",
                    lower.len(),
                    upper.len()
                ),
            );
        }
        let rank = count(&lower) + 2;
        (lower, upper, rank)
    } else {
        let rank = written.get("rank");
        let Some(number) = rank.and_then(literal::<u32>) else {
            errors.on(rank, "write the rank as a number, as in `rank = 4`");
            return None;
        };
        (vec![written.one("lower")], vec![written.one("upper")], number)
    };
    let lower = numbers.corners(Field::Lower, &lower);
    let upper = numbers.corners(Field::Upper, &upper);
    let channels_per_pixel =
        numbers.count(Field::ChannelsPerPixel, written.one("channels_per_pixel"));
    let pixels_per_column = match written.get("pixels_per_column") {
        Some(pixels) => numbers.count(Field::PixelsPerColumn, pixels.clone()),
        None => Mode::W128_PIXELS,
    };
    let mode = match name {
        "im2col" => Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column },
        "im2col::w" => Mode::Im2colW {
            lower: lower[0],
            upper: upper[0],
            channels_per_pixel,
            pixels_per_column,
        },
        _ => Mode::Im2colW128 {
            lower: lower[0],
            upper: upper[0],
            channels_per_pixel,
            pixels_per_column,
        },
    };
    Some((mode, rank))
}

/// Converts expressions to numbers.
#[derive(Default)]
struct Numbers {
    /// The numbers that rustc evaluates.
    deferred: Vec<(Field, Expr)>,
    /// The tokens of the numbers in arrays.
    places: Vec<(Field, TokenStream)>,
}

impl Numbers {
    /// A number of elements. One that does not fit becomes the maximum, which every rule rejects, and 1 is
    /// the placeholder for one that rustc evaluates.
    fn count(&mut self, field: Field, expr: Expr) -> u32 {
        let number: Integer = Integer::new(expr);
        match number.known() {
            Some(known) => u32::try_from(known).unwrap_or(u32::MAX),
            None => {
                self.deferred.push((field, number.into_expr()));
                1
            }
        }
    }

    /// The numbers of the first dimensions; the others are 1.
    fn counts(&mut self, field: fn(usize) -> Field, exprs: &[Expr]) -> [u32; 5] {
        self.place(field, exprs);
        let mut counts = [1; 5];
        for (i, (to, expr)) in counts.iter_mut().zip(exprs).enumerate() {
            *to = self.count(field(i), expr.clone());
        }
        counts
    }

    /// The corner in the first spatial dimensions; the others, and those that rustc evaluates, are 0.
    fn corners(&mut self, field: fn(usize) -> Field, exprs: &[Expr]) -> [i32; 3] {
        self.place(field, exprs);
        let mut corners = [0; 3];
        for (i, (to, expr)) in corners.iter_mut().zip(exprs).enumerate() {
            let number = Integer::signed(expr.clone());
            match number.known() {
                Some(known) if known < 0 => *to = i32::try_from(known).unwrap_or(i32::MIN),
                Some(known) => *to = i32::try_from(known).unwrap_or(i32::MAX),
                None => self.deferred.push((field(i), number.into_expr())),
            }
        }
        corners
    }

    fn place(&mut self, field: fn(usize) -> Field, exprs: &[Expr]) {
        let tokens = exprs.iter().enumerate().map(|(i, expr)| (field(i), expr.to_token_stream()));
        self.places.extend(tokens);
    }
}

/// The tokens of each field, starting with those in arrays.
fn places(
    written: &Written,
    in_arrays: impl Iterator<Item = (Field, TokenStream)>,
) -> Vec<(Field, TokenStream)> {
    let mut places: Vec<(Field, TokenStream)> = in_arrays.collect();
    let rank = if written.get("rank").is_some() {
        "rank"
    } else if written.get("lower").is_some() {
        "lower"
    } else {
        "box"
    };
    for (field, name) in [
        (Field::Element, "element"),
        (Field::Rank, rank),
        (Field::Row, "row"),
        (Field::Tile, "box"),
        (Field::Interleave, "interleave"),
        (Field::Swizzle, "swizzle"),
        (Field::OobFill, "oob"),
        (Field::ChannelsPerPixel, "channels_per_pixel"),
        (Field::PixelsPerColumn, "pixels_per_column"),
    ] {
        places.extend(written.get(name).map(|value| (field, value.peel().to_token_stream())));
    }
    places.extend(written.mode.iter().map(|(_, tokens)| (Field::Mode, tokens.clone())));
    places
}
