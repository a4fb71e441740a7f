//! Tensor maps as types.

use super::spec::Spec;

/// A type that stands for a tensor map (PTX ISA 5.5): what its declaration fixes, in constants.
///
/// ```
/// use ptx_types::tensor::{ElementType, MapType, Spec};
///
/// /// A row of 64 floats.
/// struct Row;
///
/// impl MapType for Row {
///     const SPEC: Spec = Spec::tiled(ElementType::F32, 1, [64, 1, 1, 1, 1]);
///     type Element = f32;
/// }
///
/// const _: () = assert!(Row::SPEC.first_violation(None).is_none());
/// ```
pub trait MapType: 'static {
    /// What the declaration says.
    const SPEC: Spec;
    /// What the host holds for an element: `f32` for [`ElementType::F32`](super::ElementType::F32);
    /// bytes, of elements smaller than one.
    type Element;
}
