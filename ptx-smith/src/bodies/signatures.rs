//! The signatures of the functions that programs call.

/// A function that programs call. Its parameters and results are registers or `.param` variables,
/// each with a width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee {
    /// Its name.
    pub name: &'static str,
    /// What it returns.
    pub returns: &'static [Formal],
    /// Its parameters.
    pub params: &'static [Formal],
}

/// The name of a parameter or result, and its width.
pub type Formal = (&'static str, u32);

/// The functions that programs call: one with registers, and one with `.param` variables, which calls the
/// other.
pub const CALLEES: [Callee; 2] = [
    Callee { name: "g", returns: &[("%rz", 32)], params: &[("%ra", 32), ("%rb", 32), ("%da", 64)] },
    Callee { name: "h", returns: &[("hz", 32)], params: &[("ha", 32), ("hb", 64)] },
];

/// The variables that pass the arguments of `h`, in the order of its parameters, and its result.
pub(crate) const ACTUALS: [Formal; 3] = [("pa", 32), ("pb", 64), ("pz", 32)];

impl Callee {
    /// Returns the functions that it calls.
    pub fn callees(&self) -> &'static [Callee] {
        if self.name == "h" { &CALLEES_OF_H } else { &[] }
    }
}

const CALLEES_OF_H: [Callee; 1] = [CALLEES[0]];
