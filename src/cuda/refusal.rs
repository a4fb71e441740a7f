//! Refusals of the driver.

use core::fmt;

use thiserror::Error;

use super::calls::{Call, error_texts};

/// The driver's refusal of a call.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
pub struct Refusal {
    /// The call.
    pub call: Call,
    /// The driver's number, a `CUresult`; never 0.
    pub code: u32,
}

ptx_types::__debug_as_message!(Refusal);

impl Refusal {
    /// `CUDA_ERROR_INVALID_VALUE`.
    const INVALID_VALUE: u32 = 1;

    pub(super) fn of(call: Call, code: u32) -> Result<(), Self> {
        if code == 0 { Ok(()) } else { Err(Self { call, code }) }
    }

    /// The driver's name for the number, if it has one.
    pub fn name(&self) -> Option<&'static str> {
        match self.code {
            Self::INVALID_VALUE => Some("CUDA_ERROR_INVALID_VALUE"),
            3 => Some("CUDA_ERROR_NOT_INITIALIZED"),
            4 => Some("CUDA_ERROR_DEINITIALIZED"),
            201 => Some("CUDA_ERROR_INVALID_CONTEXT"),
            709 => Some("CUDA_ERROR_CONTEXT_IS_DESTROYED"),
            other => error_texts(other)[0],
        }
    }

    /// Whether the driver judged the map: it does so only if a context is current.
    pub const fn is_about_the_map(&self) -> bool {
        self.code == Self::INVALID_VALUE
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` answers {}", self.call, self.code)?;
        if let Some(name) = self.name() {
            write!(f, " ({name})")?;
        }
        match self.code {
            Self::INVALID_VALUE => Ok(()),
            3 | 201 => f.write_str(": no context is current on this thread"),
            709 => f.write_str(": the context that is current on this thread was dropped"),
            other => match error_texts(other)[1] {
                Some(text) => write!(f, ": {text}"),
                None => Ok(()),
            },
        }
    }
}
