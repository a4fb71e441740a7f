//! The functions that programs call, as they are declared.

/// A function that programs call. What it takes and returns has registers of their own or variables of the
/// parameter space, with the bits of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Callee {
    pub(crate) name: &'static str,
    pub(crate) returns: &'static [Formal],
    pub(crate) params: &'static [Formal],
}

/// The name of a parameter or result, and how many bits it has.
pub(crate) type Formal = (&'static str, u32);

/// The functions that programs call: one by registers, and one by the parameter space, which calls the
/// other.
pub(crate) const CALLEES: [Callee; 2] = [
    Callee { name: "g", returns: &[("%rz", 32)], params: &[("%ra", 32), ("%rb", 32), ("%da", 64)] },
    Callee { name: "h", returns: &[("hz", 32)], params: &[("ha", 32), ("hb", 64)] },
];

/// The variables by which `h` is called, in the order of its parameters, and of its result.
pub(crate) const ACTUALS: [Formal; 3] = [("pa", 32), ("pb", 64), ("pz", 32)];

impl Callee {
    /// Those that it calls.
    pub(crate) fn callees(&self) -> &'static [Callee] {
        if self.name == "h" { &CALLEES_OF_H } else { &[] }
    }
}

const CALLEES_OF_H: [Callee; 1] = [CALLEES[0]];
