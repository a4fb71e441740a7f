//! The result of assembling a module.

use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use ptx_types::{Release, Target};

use super::message::Message;
use crate::ptxas::{Assembled, FindError};

/// A module that assembles and meets its demands.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assembly {
    /// The release of the ptxas that was used.
    pub release: Release,
    /// The result for each target, the module's own first.
    pub assembled: Vec<(Target, Assembled)>,
    /// The warnings and remarks.
    pub messages: Vec<Message>,
}

/// Why a module does not assemble.
#[derive(Clone)]
#[non_exhaustive]
pub enum NotAssembled {
    /// There is no ptxas. The rules find nothing.
    NoPtxas {
        /// The module.
        module: String,
        /// Where ptxas was looked for, and how to get it.
        error: FindError,
    },
    /// The rules, ptxas or a demand refuse it.
    Refused {
        /// The module.
        module: String,
        /// All messages: the findings of the rules, and then those of ptxas, errors first.
        messages: Vec<Message>,
    },
}

ptx_types::__debug_as_message!(NotAssembled);

impl fmt::Display for NotAssembled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPtxas { module, error } => {
                write!(f, "`{module}` was checked, but not assembled: {error}")
            }
            Self::Refused { module, messages } => {
                write!(f, "`{module}` does not assemble:")?;
                messages.iter().try_for_each(|message| write!(f, "\n  {message}"))
            }
        }
    }
}

impl Error for NotAssembled {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::NoPtxas { error, .. } => Some(error),
            Self::Refused { .. } => None,
        }
    }
}
