//! The mapping from the bytes of the tensor to the bytes of the tile.

use super::check::{Operands, bounding_box, chunk};
use super::error::{Access, CopyError};
use crate::tensor::{MAX_RANK, Mode, Spec, Tensor};

/// Consecutive units of a row of the tile: elements, or slices of channels with an interleave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The offset of the first from the start of the tile, without the swizzle.
    pub(super) shared: usize,
    /// Its offset in global memory, if the units are inside the tensor.
    pub(super) global: Option<u64>,
    /// The number of units.
    pub(super) units: u64,
}

/// The result of a visitor: a copy stops at the first error.
type Visited = Result<(), CopyError>;

/// The path of a copy through its tensor.
pub(super) struct Walk<'a> {
    spec: &'a Spec,
    tensor: &'a Tensor,
    coordinates: &'a [i32],
    info: &'a [u16],
    tile: [u32; 5],
    pitch: usize,
    /// The units that are written together.
    chunk: u64,
}

impl<'a> Walk<'a> {
    /// The path for operands that were checked.
    pub(super) fn new(
        spec: &'a Spec,
        tensor: &'a Tensor,
        operands: &Operands<'a>,
        access: Access,
    ) -> Self {
        let Operands { coordinates, info } = *operands;
        let (tile, pitch, chunk) = (spec.tile_dims(), spec.row_pitch(), chunk(spec, access));
        Self { spec, tensor, coordinates, info, tile, pitch, chunk }
    }

    /// Visits every line in the order of shared memory.
    pub(super) fn lines(&self, mut visit: impl FnMut(Line) -> Visited) -> Visited {
        if self.pitch == 0 {
            return Ok(());
        }
        match self.spec.mode {
            Mode::Tiled { .. } => self.tiled(&mut visit),
            Mode::Gather4 { .. } | Mode::Scatter4 { .. } => {
                for (row, y) in self.coordinates[1..].iter().enumerate() {
                    let mut at = <[i64; MAX_RANK]>::default();
                    (at[0], at[1]) = (self.coordinates[0].into(), (*y).into());
                    self.row(row, at, &mut visit)?;
                }
                Ok(())
            }
            Mode::Im2col { pixels_per_column, .. } => self.pixels(pixels_per_column, &mut visit),
            Mode::Im2colW { pixels_per_column, .. } => {
                self.pixels(pixels_per_column.saturating_add(self.halo()), &mut visit)
            }
            Mode::Im2colW128 { .. } => self.pixels_of_128(&mut visit),
        }
    }

    /// Visits a box, row by row.
    fn tiled(&self, visit: &mut impl FnMut(Line) -> Visited) -> Visited {
        let (rank, mut index, mut row) = (self.spec.dimensions(), [0_u32; MAX_RANK], 0);
        if self.tile.contains(&0) {
            return Ok(());
        }
        loop {
            let mut at = <[i64; MAX_RANK]>::default();
            for i in 0..rank {
                let stride = i64::from(self.spec.element_strides[i].max(1));
                at[i] = i64::from(self.coordinates[i]) + i64::from(index[i]) * stride;
            }
            self.row(row, at, visit)?;
            row += 1;
            let mut i = 1;
            loop {
                if i >= rank {
                    return Ok(());
                }
                index[i] += 1;
                if index[i] < self.tile[i] {
                    break;
                }
                index[i] = 0;
                i += 1;
            }
        }
    }

    /// Visits one row of the tile: the units left of the tensor, inside it, and right of it.
    fn row(
        &self,
        row: usize,
        at: [i64; MAX_RANK],
        visit: &mut impl FnMut(Line) -> Visited,
    ) -> Visited {
        let slice = self.spec.slice_bytes();
        let units = u64::from(self.tile[0]);
        let shared = row * self.pitch;
        let Some(base) = self.base(&at) else {
            return visit(Line { shared, global: None, units });
        };
        let step = match slice {
            Some(_) => u64::from(self.spec.element_strides[0].max(1)),
            None => 1,
        };
        // `left` units are left of the tensor, and those from `end` on are right of it.
        let left = at[0].min(0).unsigned_abs().div_ceil(step).min(units);
        let end = self.tensor.dims[0].saturating_sub_signed(at[0]).div_ceil(step);
        let end = end.min(units).next_multiple_of(self.chunk).min(units).max(left);
        let shared_at = |unit: u64| match slice {
            Some(bytes) => shared + super::size(unit * u64::from(bytes)),
            None => shared + super::size(self.spec.element.shared_bytes(unit)),
        };
        if left != 0 {
            visit(Line { shared, global: None, units: left })?;
        }
        let global_at = |unit: u64| {
            let position = (at[0] + (unit * step).cast_signed()).unsigned_abs();
            match slice {
                Some(bytes) => base + position * u64::from(bytes),
                None => base + self.spec.element.global_bytes(position),
            }
        };
        if step == 1 && end > left {
            visit(Line {
                shared: shared_at(left),
                global: Some(global_at(left)),
                units: end - left,
            })?;
        } else {
            for unit in left..end {
                visit(Line { shared: shared_at(unit), global: Some(global_at(unit)), units: 1 })?;
            }
        }
        if units != end {
            visit(Line { shared: shared_at(end), global: None, units: units - end })?;
        }
        Ok(())
    }

    /// The start of the row in global memory, if it is inside the tensor in every dimension but the
    /// innermost.
    fn base(&self, at: &[i64; MAX_RANK]) -> Option<u64> {
        let mut base = 0_u64;
        let dims = self.tensor.dims[1..self.spec.dimensions()].iter();
        for ((at, dim), stride) in at[1..].iter().zip(dims).zip(&self.tensor.strides) {
            let position = u64::try_from(*at).ok()?;
            if position >= *dim {
                return None;
            }
            base = base.checked_add(position.checked_mul(*stride)?)?;
        }
        Some(base)
    }

    /// Visits this many pixels of the bounding box, starting at the base of the filter.
    fn pixels(&self, pixels: u32, visit: &mut impl FnMut(Line) -> Visited) -> Visited {
        let mut filter = Filter::new(self);
        for pixel in 0..pixels as usize {
            self.pixel(pixel, &filter, visit)?;
            filter.advance();
        }
        Ok(())
    }

    /// Visits 128 pixels, and after each 32 of them the halo: pixels that the next 32 start with.
    fn pixels_of_128(&self, visit: &mut impl FnMut(Line) -> Visited) -> Visited {
        let (mut filter, mut row) = (Filter::new(self), 0);
        for pixel in 1..=Mode::W128_PIXELS {
            self.pixel(row, &filter, visit)?;
            filter.advance();
            row += 1;
            if pixel.is_multiple_of(32) {
                let mut ahead = filter;
                for _ in 0..self.halo() {
                    self.pixel(row, &ahead, visit)?;
                    ahead.advance();
                    row += 1;
                }
            }
        }
        Ok(())
    }

    /// Visits the channels of one pixel, or one slice of them.
    fn pixel(
        &self,
        pixel: usize,
        filter: &Filter,
        visit: &mut impl FnMut(Line) -> Visited,
    ) -> Visited {
        let mut at = <[i64; MAX_RANK]>::default();
        for (at, coordinate) in at.iter_mut().zip(self.coordinates) {
            *at = i64::from(*coordinate);
        }
        let first = self.spec.first_spatial();
        for i in 0..filter.spatial {
            let offset = match self.spec.mode {
                // The offset of the `w` modes has already moved the box.
                Mode::Im2colW { .. } | Mode::Im2colW128 { .. } => 0,
                Mode::Tiled { .. }
                | Mode::Gather4 { .. }
                | Mode::Scatter4 { .. }
                | Mode::Im2col { .. } => self.info.get(i).copied().unwrap_or(0),
            };
            at[first + i] = filter.at[i] + i64::from(offset);
        }
        at[self.spec.dimensions() - 1] = filter.image;
        self.row(pixel, at, visit)
    }

    /// `wHalo`.
    fn halo(&self) -> u32 {
        self.info.first().copied().unwrap_or_default().into()
    }
}

/// The base of the filter as it moves through the bounding box: along W first, then H, D and N.
#[derive(Clone, Copy)]
struct Filter {
    spatial: usize,
    at: [i64; 3],
    image: i64,
    first: [i64; 3],
    last: [i64; 3],
    strides: [i64; 3],
    /// The traversal stride of N.
    images: i64,
}

impl Filter {
    fn new(walk: &Walk<'_>) -> Self {
        let spec = walk.spec;
        let first_spatial = spec.first_spatial();
        // The `w` modes stay in their row.
        let moved = if spec.mode.is_wide() { 1 } else { spec.spatial() };
        let [mut at, mut first, mut last, mut strides] = <[[i64; 3]; 4]>::default();
        for i in 0..spec.spatial() {
            at[i] = i64::from(walk.coordinates[first_spatial + i]);
            (first[i], last[i]) =
                if i < moved { bounding_box(spec, walk.tensor, i) } else { (at[i], at[i]) };
            strides[i] = i64::from(spec.element_strides[first_spatial + i].max(1));
        }
        if spec.mode.is_wide() {
            // `wOffset` moves both the box and the start.
            let offset = i64::from(walk.info.get(1).copied().unwrap_or_default());
            at[0] += offset;
            first[0] += offset;
            last[0] = last[0].saturating_add(offset);
        }
        let image = walk.coordinates.last().copied().unwrap_or_default().into();
        let images = i64::from(spec.element_strides[spec.dimensions() - 1].max(1));
        Self { spatial: spec.spatial(), at, image, first, last, strides, images }
    }

    fn advance(&mut self) {
        for i in 0..self.spatial {
            self.at[i] += self.strides[i];
            if self.at[i] <= self.last[i] {
                return;
            }
            self.at[i] = self.first[i];
        }
        self.image += self.images;
    }
}
