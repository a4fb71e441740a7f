//! `ptx map decode`.

use std::fmt::Write as _;

use ptx_isa::tensor::{Mode, Spec, Tensor, decode, describe, encode_unchecked};
use serde::Serialize;

/// A map, field by field.
#[derive(Debug, Serialize)]
pub(crate) struct Decoded {
    mode: &'static str,
    element: &'static str,
    rank: u32,
    address: String,
    dims: Vec<u64>,
    /// In bytes, that of dimension 1 first.
    strides: Vec<u64>,
    /// Of tiled maps.
    #[serde(rename = "box")]
    box_dims: Option<Vec<u32>>,
    /// Of `im2col` maps: the corners of the bounding box, the channels of a pixel and the pixels of a column.
    lower: Option<Vec<i32>>,
    upper: Option<Vec<i32>>,
    channels: Option<u32>,
    pixels: Option<u32>,
    element_strides: Vec<u32>,
    interleave: &'static str,
    swizzle: &'static str,
    l2_promotion: &'static str,
    fill: &'static str,
    tile_bytes: usize,
    tile_alignment: usize,
    transaction_bytes: usize,
    declaration: String,
}

/// Reads the fields of a map.
///
/// # Errors
/// The fields that cannot be those of a map, one in each line.
pub(crate) fn decoded(bytes: &[u8; 128]) -> Result<Decoded, Vec<String>> {
    let (spec, tensor) = decode(bytes).map_err(|error| vec![error.to_string()])?;
    let mut wrong = Vec::new();
    if let Some(whole) = encode_unchecked(&spec, &tensor) {
        for (field, value) in describe(bytes).fields() {
            let implied = field.get(&whole);
            if value != implied {
                let name = field.name;
                wrong.push(format!("`{name}` is {value}, and {implied} with the other fields"));
            }
        }
    }
    let unknown: Vec<usize> = describe(bytes).unknown_bits().collect();
    if let [first, ..] = unknown.as_slice() {
        let count = unknown.len();
        wrong.push(format!(
            "bits that are in no field are set: {count}, the first of them bit {first}"
        ));
    }
    let verdict = spec.check_tensor(&tensor, None);
    wrong.extend(verdict.driver().map(ToString::to_string));
    if wrong.is_empty() { Ok(Decoded::of(&spec, &tensor)) } else { Err(wrong) }
}

impl Decoded {
    fn of(spec: &Spec, tensor: &Tensor) -> Self {
        let rank = spec.rank as usize;
        let corners = |all: &[i32; 3]| all[..rank.saturating_sub(2).min(3)].to_vec();
        let (box_dims, lower, upper, channels, pixels) = match &spec.mode {
            Mode::Tiled { box_dims } => (Some(box_dims[..rank].to_vec()), None, None, None, None),
            mode => {
                let (lower, upper) = mode.corners();
                let (channels, pixels) = (mode.inner(), mode.pixels_per_column());
                (None, Some(corners(&lower)), Some(corners(&upper)), Some(channels), pixels)
            }
        };
        Self {
            mode: spec.mode.name(),
            element: spec.element.name(),
            rank: spec.rank,
            address: format!("{:#x}", tensor.address),
            dims: tensor.dims[..rank].to_vec(),
            strides: tensor.strides[..rank - 1].to_vec(),
            box_dims,
            lower,
            upper,
            channels,
            pixels,
            element_strides: spec.element_strides[..rank].to_vec(),
            interleave: spec.interleave.name(),
            swizzle: spec.swizzle.name(),
            l2_promotion: spec.l2_promotion.name(),
            fill: spec.oob_fill.name(),
            tile_bytes: spec.tile_bytes(),
            tile_alignment: spec.tile_alignment(),
            transaction_bytes: spec.transaction_bytes(),
            declaration: format!("#[tensor_map({spec})]"),
        }
    }

    /// The fields as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing into a `String` does not fail.
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "{name:<16} {value}");
        };
        line("mode", self.mode);
        line("element", self.element);
        line("rank", &self.rank.to_string());
        line("address", &self.address);
        line("dims", &format!("{} elements", list(&self.dims)));
        if !self.strides.is_empty() {
            line("strides", &format!("{} bytes", list(&self.strides)));
        }
        if let Some(box_dims) = &self.box_dims {
            line("box", &format!("{} elements", list(box_dims)));
        }
        if let (Some(lower), Some(upper)) = (&self.lower, &self.upper) {
            line("corners", &format!("{} to {}", list(lower), list(upper)));
        }
        if let (Some(channels), Some(pixels)) = (self.channels, self.pixels) {
            line("column", &format!("{pixels} pixels of {channels} channels"));
        }
        line("element strides", &list(&self.element_strides));
        line("interleave", self.interleave);
        line("swizzle", self.swizzle);
        line("L2 promotion", self.l2_promotion);
        line("fill", self.fill);
        line(
            "tile",
            &format!("{} bytes at a multiple of {}", self.tile_bytes, self.tile_alignment),
        );
        line("transaction", &format!("{} bytes", self.transaction_bytes));
        let _ = writeln!(text, "\n{}", self.declaration);
        text
    }
}

fn list<T: ToString>(all: &[T]) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join(" x ")
}
