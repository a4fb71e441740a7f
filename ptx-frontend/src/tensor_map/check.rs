//! The rules of tensor maps, asked of tokens.

use ptx_types::tensor::{self, Spec};
use syn::{Expr, UnOp};

use super::{Mode, TensorMap, Walk};
use crate::errors::Errors;
use crate::types::literal;

/// Asks every rule if all numbers are literals; what Rust decides is asked by rustc.
pub(super) fn check(map: &mut TensorMap, errors: &mut Errors) {
    let Some(spec) = spec(map) else { return };
    map.is_judged = true;
    let verdict = spec.check(map.target);
    // Without a rank, which comes first, what else is wrong says nothing.
    let most = if (1..=5).contains(&map.rank) { usize::MAX } else { 1 };
    for violation in verdict.violations().iter().take(most) {
        if !map.allow.contains(&violation.rule.code) {
            errors.on(map.place(violation.blames), violation);
        }
    }
}

fn spec(map: &TensorMap) -> Option<Spec> {
    let mode = match &map.mode {
        Mode::Tiled { extents } => tensor::Mode::Tiled { box_dims: counts(extents)? },
        Mode::Gather4 { row } => tensor::Mode::Gather4 { row: count(row)? },
        Mode::Scatter4 { row } => tensor::Mode::Scatter4 { row: count(row)? },
        Mode::Im2col { walk, lower, upper, channels, pixels } => {
            let (channels_per_pixel, lower, upper) =
                (count(channels)?, corners(lower)?, corners(upper)?);
            let pixels_per_column = match pixels {
                Some(pixels) => count(pixels)?,
                None => tensor::Mode::W128_PIXELS,
            };
            match walk {
                Walk::Box => {
                    tensor::Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column }
                }
                Walk::W => tensor::Mode::Im2colW {
                    lower: lower[0],
                    upper: upper[0],
                    channels_per_pixel,
                    pixels_per_column,
                },
                Walk::W128 => tensor::Mode::Im2colW128 {
                    lower: lower[0],
                    upper: upper[0],
                    channels_per_pixel,
                    pixels_per_column,
                },
            }
        }
    };
    Some(Spec {
        element: map.element.ty,
        rank: map.rank,
        mode,
        element_strides: counts(&map.element_strides)?,
        interleave: map.interleave,
        swizzle: map.swizzle,
        l2_promotion: map.l2_promotion,
        oob_fill: map.oob_fill,
    })
}

/// A number of elements; one that does not fit is the greatest, which no rule lets pass.
fn count(expr: &Expr) -> Option<u32> {
    literal::<u128>(expr).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// The numbers of the first dimensions; 1 behind them.
fn counts(exprs: &[Expr]) -> Option<[u32; 5]> {
    let mut counts = [1; 5];
    for (to, expr) in counts.iter_mut().zip(exprs) {
        *to = count(expr)?;
    }
    Some(counts)
}

/// The corner of the first spatial dimensions; 0 behind them.
fn corners(exprs: &[Expr]) -> Option<[i32; 3]> {
    let mut corners = [0; 3];
    for (to, expr) in corners.iter_mut().zip(exprs) {
        *to = corner(expr)?;
    }
    Some(corners)
}

fn corner(expr: &Expr) -> Option<i32> {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let magnitude = literal::<u128>(&unary.expr)?;
            Some(i32::try_from(magnitude).map_or(i32::MIN, |magnitude| -magnitude))
        }
        Expr::Group(group) => corner(&group.expr),
        Expr::Paren(paren) => corner(&paren.expr),
        other => literal::<u128>(other).map(|n| i32::try_from(n).unwrap_or(i32::MAX)),
    }
}
