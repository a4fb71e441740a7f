//! Limits on the resources of a module, checked once ptxas has assembled it.

use core::fmt;

use crate::rules::Comparison;

/// Declares [`Resource`], one row for each: its name, and the words around an amount of it in a message.
macro_rules! resources {
    ($($(#[$doc:meta])* $Resource:ident $word:literal of $of:ident: $before:literal $after:literal;)*) => {
        /// A resource or a kind of message that ptxas counts.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Resource {
            $($(#[$doc])* $Resource,)*
        }

        impl Resource {
            /// Every resource.
            pub const ALL: &'static [Self] = &[$(Self::$Resource),*];

            /// The name: `registers`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Resource => $word,)* }
            }

            /// Whether it is counted for each kernel; otherwise, for the module.
            pub const fn is_of_kernels(self) -> bool {
                match self { $(Self::$Resource => matches!(Of::$of, Of::Kernel),)* }
            }

            /// The words before and after an amount of it in a message.
            const fn words(self) -> (&'static str, &'static str) {
                match self { $(Self::$Resource => ($before, $after),)* }
            }
        }
    };
}

/// What a resource is counted for.
enum Of {
    Kernel,
    Module,
}

resources! {
    /// Registers per thread.
    Registers "registers" of Kernel: "takes" "registers";
    /// Bytes of spill stores and spill loads per thread, added up.
    Spills "spills" of Kernel: "stores and loads" "bytes of spilled registers";
    /// Bytes of stack per thread.
    Stack "stack" of Kernel: "takes" "bytes of stack";
    /// Bytes of static shared memory per block.
    Shared "shared" of Kernel: "takes" "bytes of static shared memory";
    /// Warnings from ptxas.
    Warnings "warnings" of Module: "has" "warnings of ptxas";
    /// Performance remarks from ptxas (C7501 and similar).
    Remarks "remarks" of Module: "has" "remarks of ptxas";
}

impl Resource {
    /// The resource with this name: `registers`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|resource| resource.name() == name)
    }
}

/// A limit on a [`Resource`]: `registers <= 168`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Demand {
    /// The resource.
    pub resource: Resource,
    /// How the count must compare with the amount.
    pub comparison: Comparison,
    /// The amount.
    pub amount: usize,
}

impl Demand {
    /// Creates a demand.
    ///
    /// ```
    /// use ptx_isa::{Demand, Resource, rules::Comparison};
    ///
    /// let demand = Demand::new(Resource::Registers, Comparison::LessOrEqual, 168);
    /// assert_eq!(demand.to_string(), "registers <= 168");
    /// assert!(demand.is_met_by(168) && !demand.is_met_by(169));
    /// ```
    pub const fn new(resource: Resource, comparison: Comparison, amount: usize) -> Self {
        Self { resource, comparison, amount }
    }

    /// Whether this count meets the demand.
    pub const fn is_met_by(&self, number: usize) -> bool {
        match self.comparison {
            Comparison::Equal => number == self.amount,
            Comparison::NotEqual => number != self.amount,
            Comparison::Less => number < self.amount,
            Comparison::LessOrEqual => number <= self.amount,
            Comparison::Greater => number > self.amount,
            Comparison::GreaterOrEqual => number >= self.amount,
        }
    }

    /// The message for a count that does not meet it: ``takes 40 registers, and `registers <= 32` is demanded``.
    pub fn broken_by(&self, number: usize) -> impl fmt::Display {
        Broken { demand: *self, number }
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.resource.name(), self.comparison.symbol(), self.amount)
    }
}

struct Broken {
    demand: Demand,
    number: usize,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = self.demand.resource.words();
        write!(f, "{before} {} {after}, but `{}` is required", self.number, self.demand)
    }
}
