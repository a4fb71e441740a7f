//! Element types, as the arguments name them.

use ptx_isa::tensor::ElementType;

/// The element type: in the map, and on the host.
#[derive(Clone, Copy)]
pub(super) struct Element {
    /// The type in the map.
    pub(super) ty: ElementType,
    /// A small float that is transferred as bytes: `E4M3`.
    pub(super) host: Option<&'static str>,
}

impl Element {
    pub(super) fn from_name(name: &str) -> Option<Self> {
        if let Some(host) = ElementType::BYTE_FLOATS.into_iter().find(|byte| *byte == name) {
            return Some(Self { ty: ElementType::U8, host: Some(host) });
        }
        // Bit types are copied as the integers of their size (PTX ISA 5.5.1).
        let name = match name {
            "b32" => ElementType::U32.name(),
            "b64" => ElementType::U64.name(),
            other => other,
        };
        ElementType::from_name(name).map(|ty| Self { ty, host: None })
    }

    pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
        ElementType::ALL
            .iter()
            .map(|element| element.name())
            .chain(["b32", "b64"])
            .chain(ElementType::BYTE_FLOATS)
    }
}
