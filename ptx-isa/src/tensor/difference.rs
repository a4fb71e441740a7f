//! The differences of two descriptors.

use core::fmt;

use super::describe::describe;

/// Two descriptors, whose `Display` lists the fields in which they differ.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    ours: &'a [u8; 128],
    theirs: &'a [u8; 128],
}

/// The fields of [`BITS`](super::BITS) in which two descriptors differ.
///
/// ```
/// use ptx_isa::Target;
/// use ptx_isa::tensor::{ElementType, MapError, Spec, Tensor, difference, encode};
/// let tensor = Tensor::dense(0x1000, ElementType::F32, [64, 32, 1, 1, 1]);
/// let wide = encode(&Spec::tiled(ElementType::F32, &[16, 8])?, &tensor, Target::Sm90)?;
/// let narrow = encode(&Spec::tiled(ElementType::F32, &[8, 8])?, &tensor, Target::Sm90)?;
/// assert_eq!(
///     difference(&wide, &narrow).to_string(),
///     "`box 0 - 1` is 15 here and 7 there, `bytes of a tile` is 512 here and 256 there"
/// );
/// # Ok::<(), MapError>(())
/// ```
pub const fn difference<'a>(ours: &'a [u8; 128], theirs: &'a [u8; 128]) -> Difference<'a> {
    Difference { ours, theirs }
}

impl Difference<'_> {
    /// Whether all bytes are equal.
    pub fn is_empty(&self) -> bool {
        self.ours == self.theirs
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_first = true;
        let mut comma = |f: &mut fmt::Formatter<'_>| {
            let separator = if is_first { "" } else { ", " };
            is_first = false;
            f.write_str(separator)
        };
        let ours = describe(self.ours);
        for (field, ours) in ours.fields() {
            let theirs = field.get(self.theirs);
            if ours != theirs {
                comma(f)?;
                write!(f, "`{}` is {ours} here and {theirs} there", field.name)?;
            }
        }
        let covers = |bit: usize| {
            ours.fields().any(|(field, _)| bit >= field.at && bit < field.at + field.width)
        };
        for bit in 0..1024 {
            let get = |bytes: &[u8; 128]| bytes[bit / 8] >> (bit % 8) & 1;
            let (ours, theirs) = (get(self.ours), get(self.theirs));
            if ours != theirs && !covers(bit) {
                comma(f)?;
                write!(f, "bit {bit} is {ours} here and {theirs} there")?;
            }
        }
        Ok(())
    }
}
