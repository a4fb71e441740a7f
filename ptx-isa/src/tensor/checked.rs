//! Maps whose numbers are known at run time: constructors that check.

use super::error::MapError;
use super::rules::Verdict;
use crate::map::{
    ElementType, Interleave, L2Promotion, MAX_RANK, Mode, OobFill, Spec, Swizzle, Tensor,
};
use crate::target::Target;

/// These numbers, and `padding` past the last. Numbers beyond [`MAX_RANK`] are left out: the rank
/// shows that they exist.
fn padded<T: Copy, const N: usize>(numbers: &[T], padding: T) -> [T; N] {
    let mut array = [padding; N];
    for (to, from) in array.iter_mut().zip(numbers) {
        *to = *from;
    }
    array
}

/// A number of dimensions as a rank.
fn rank(count: usize) -> u32 {
    u32::try_from(count).unwrap_or_default()
}

fn counted(list: &'static str, found: usize, needed: usize) -> Result<(), MapError> {
    if found == needed { Ok(()) } else { Err(MapError::Count { list, found, needed }) }
}

impl Spec {
    /// A tiled map (PTX ISA 5.5.3) whose box has these extents in elements, the innermost first:
    /// one for each dimension of the tensor. Traversal strides are 1, and there is no interleave,
    /// no swizzle, no promotion, and zeros for elements out of bounds; the fields and the methods
    /// `with_..` change that, and [`checked`](Self::checked) checks again.
    ///
    /// ```
    /// use ptx_isa::Target;
    /// use ptx_isa::tensor::{ElementType, MapError, Spec, Swizzle, encode};
    ///
    /// # fn main() -> Result<(), MapError> {
    /// let target = Target::Sm90;
    /// let spec = Spec::tiled(ElementType::Bf16, &[64, 128])?;
    /// let spec = spec.with_swizzle(Swizzle::B128).checked(Some(target))?;
    /// // 4,096 rows of 1,024 elements at an address of the GPU.
    /// let tensor = spec.tensor(0x7f00_0000_0000, &[1024, 4096], None)?;
    /// let descriptor: [u8; 128] = encode(&spec, &tensor, target)?;
    /// assert_eq!(spec.tile_bytes(), 64 * 128 * 2);
    /// # let _ = descriptor;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Every rule that the declaration breaks on every target: ranks other than 1 to 5, extents other than 1 to 256, rows
    /// that are not a multiple of 16 bytes.
    pub fn tiled(element: ElementType, box_dims: &[u32]) -> Result<Self, Verdict> {
        let box_dims_of_map = padded(box_dims, 1);
        Self::tiled_unchecked(element, rank(box_dims.len()), box_dims_of_map).checked(None)
    }

    /// An `im2col` map (PTX ISA 5.5.4) with these corners of the bounding box, W first: one for
    /// each spatial dimension, two fewer than the dimensions of the tensor. Everything else has its
    /// default, as in [`tiled`](Self::tiled).
    ///
    /// ```
    /// use ptx_isa::tensor::{ElementType, Spec};
    /// // 3 x 3 filters over images with a padding of 1: 64 channels of 128 pixels.
    /// let spec = Spec::im2col(ElementType::F16, &[-1, -1], &[-1, -1], 64, 128)?;
    /// assert_eq!(spec.rank, 4);
    /// # Ok::<(), ptx_isa::tensor::MapError>(())
    /// ```
    ///
    /// # Errors
    /// If the numbers of lower and upper corners differ; or every rule that the declaration breaks
    /// on every target.
    pub fn im2col(
        element: ElementType,
        lower: &[i32],
        upper: &[i32],
        channels_per_pixel: u32,
        pixels_per_column: u32,
    ) -> Result<Self, MapError> {
        counted("upper", upper.len(), lower.len())?;
        let (corners, rank) = ((padded(lower, 0), padded(upper, 0)), rank(lower.len() + 2));
        let (lower, upper) = corners;
        let mode = Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column };
        let map = Self::tiled_unchecked(element, rank, <[u32; MAX_RANK]>::default());
        Ok(Self { mode, ..map }.checked(None)?)
    }

    /// The same declaration with this swizzle.
    #[must_use]
    pub const fn with_swizzle(self, swizzle: Swizzle) -> Self {
        Self { swizzle, ..self }
    }

    /// The same declaration with this interleave.
    #[must_use]
    pub const fn with_interleave(self, interleave: Interleave) -> Self {
        Self { interleave, ..self }
    }

    /// The same declaration with this L2 promotion.
    #[must_use]
    pub const fn with_l2_promotion(self, l2_promotion: L2Promotion) -> Self {
        Self { l2_promotion, ..self }
    }

    /// The same declaration with this fill for elements out of bounds.
    #[must_use]
    pub const fn with_oob_fill(self, oob_fill: OobFill) -> Self {
        Self { oob_fill, ..self }
    }

    /// The same declaration with these traversal strides in elements, the innermost first: one for
    /// each dimension.
    ///
    /// # Errors
    /// If there are more or fewer of them.
    pub fn with_element_strides(self, element_strides: &[u32]) -> Result<Self, MapError> {
        counted("element_strides", element_strides.len(), self.rank as usize)?;
        Ok(Self { element_strides: padded(element_strides, 1), ..self })
    }

    /// The declaration, if it breaks no rule; for a target, if it is known.
    ///
    /// # Errors
    /// Every rule that it breaks, including those that the driver does not enforce, which
    /// [`check`](Self::check) leaves to the caller.
    pub fn checked(self, target: Option<Target>) -> Result<Self, Verdict> {
        let verdict = self.check(target);
        if verdict.is_clean() { Ok(self) } else { Err(verdict) }
    }

    /// The tensor at this address of the GPU with these extents in elements, the innermost first,
    /// and these strides in bytes, that of dimension 1 first: one stride fewer than extents.
    /// Without strides its rows have no gaps between them, like those of [`dense`](Self::dense).
    ///
    /// # Errors
    /// If the number of extents is not the number of dimensions of the declaration, or that of
    /// strides is not one less; or every rule that the declaration breaks, alone or with this
    /// tensor, including those that the driver does not enforce.
    pub fn tensor(
        &self,
        address: u64,
        dims: &[u64],
        strides: Option<&[u64]>,
    ) -> Result<Tensor, MapError> {
        counted("dims", dims.len(), self.rank as usize)?;
        let tensor = match strides {
            None => {
                let mut dense = self.dense(address, padded(dims, 1));
                dense
                    .strides
                    .iter_mut()
                    .skip(dims.len().saturating_sub(1))
                    .for_each(|stride| *stride = 0);
                dense
            }
            Some(strides) => {
                counted("strides", strides.len(), dims.len().saturating_sub(1))?;
                Tensor { address, dims: padded(dims, 1), strides: padded(strides, 0) }
            }
        };
        let verdict = self.check_tensor(&tensor, None);
        if verdict.is_clean() { Ok(tensor) } else { Err(MapError::Rules(verdict)) }
    }
}

impl Tensor {
    /// A tensor of these elements at this address of the GPU, with these extents in elements, the
    /// innermost first, and these strides in bytes, that of dimension 1 first: one stride fewer
    /// than extents. Without strides its rows have no gaps between them.
    ///
    /// Further requirements of a declaration, such as another alignment with an interleave, are
    /// checked by [`Spec::tensor`], which makes the same tensor.
    ///
    /// ```
    /// use ptx_isa::tensor::{ElementType, Tensor};
    /// let padded = Tensor::new(0x1000, ElementType::F32, &[100, 32], Some(&[512]))?;
    /// assert_eq!((padded.dims, padded.strides[0]), ([100, 32, 1, 1, 1], 512));
    /// let error = Tensor::new(0x1000, ElementType::F32, &[101, 32], None).unwrap_err();
    /// assert!(error.to_string().starts_with(
    ///     "`strides[0]` is 404 bytes, but a stride is a multiple of 16; pad it to 416"
    /// ));
    /// # Ok::<(), ptx_isa::tensor::MapError>(())
    /// ```
    ///
    /// # Errors
    /// If there is not one stride fewer than extents; or every rule that such a tensor breaks,
    /// whatever its map: extents other than 1 to 2^32, an address or a stride that is not a
    /// multiple of 16 bytes, rows that overlap.
    pub fn new(
        address: u64,
        element: ElementType,
        dims: &[u64],
        strides: Option<&[u64]>,
    ) -> Result<Self, MapError> {
        // A box of one row, which breaks no rule.
        let row = if element.is_padded() { 128 } else { 16 * 8 / element.bits() };
        let spec = Spec::tiled_unchecked(element, rank(dims.len()), padded(&[row], 1));
        spec.checked(None)?.tensor(address, dims, strides)
    }
}
