//! What may be demanded of a module once ptxas has assembled it.

use core::fmt;

use crate::rules::Comparison;

/// Declares [`Resource`], one row a thing that ptxas counts: its word, and what is said of a number of them.
macro_rules! resources {
    ($($(#[$doc:meta])* $Resource:ident $word:literal of $of:ident: $before:literal $after:literal;)*) => {
        /// Something that ptxas counts.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[non_exhaustive]
        pub enum Resource {
            $($(#[$doc])* $Resource,)*
        }

        impl Resource {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$Resource),*];

            /// Its word: `registers`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Resource => $word,)* }
            }

            /// Whether each kernel has its own number of it; otherwise the module has.
            pub const fn is_of_kernels(self) -> bool {
                match self { $(Self::$Resource => matches!(Of::$of, Of::Kernel),)* }
            }

            /// So many of it, in words: what comes before and after the number.
            const fn words(self) -> (&'static str, &'static str) {
                match self { $(Self::$Resource => ($before, $after),)* }
            }
        }
    };
}

/// What has a number of its own.
enum Of {
    Kernel,
    Module,
}

resources! {
    /// Registers of a thread.
    Registers "registers" of Kernel: "takes" "registers";
    /// Bytes that a thread stores and loads to spill registers, added up.
    Spills "spills" of Kernel: "stores and loads" "bytes of spilled registers";
    /// Bytes of a thread's stack.
    Stack "stack" of Kernel: "takes" "bytes of stack";
    /// Bytes of static shared memory of a block.
    Shared "shared" of Kernel: "takes" "bytes of static shared memory";
    /// Warnings of ptxas.
    Warnings "warnings" of Module: "has" "warnings of ptxas";
    /// Remarks of ptxas on performance (C7501 and the like).
    Remarks "remarks" of Module: "has" "remarks of ptxas";
}

impl Resource {
    /// The one with this name: `registers`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|resource| resource.name() == name)
    }
}

/// How many of a [`Resource`] are allowed: `registers <= 168`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Demand {
    /// What is counted.
    pub resource: Resource,
    /// How the number compares with the amount.
    pub comparison: Comparison,
    /// The amount.
    pub amount: usize,
}

impl Demand {
    /// The demand for so many.
    ///
    /// ```
    /// # #[cfg(feature = "types")] {
    /// use ptx_types::{Demand, Resource, rules::Comparison};
    ///
    /// let demand = Demand::new(Resource::Registers, Comparison::LessOrEqual, 168);
    /// assert_eq!(demand.to_string(), "registers <= 168");
    /// assert!(demand.is_met_by(168) && !demand.is_met_by(169));
    /// # }
    /// ```
    pub const fn new(resource: Resource, comparison: Comparison, amount: usize) -> Self {
        Self { resource, comparison, amount }
    }

    /// Whether it is met by this number.
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

    /// What is wrong with this number: ``takes 40 registers, and `registers <= 32` is demanded``.
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
