//! Compares the encoder that needs no driver with the driver.

use std::boxed::Box;

use ptx_types::Target;
use ptx_types::tensor::{Descriptor, Spec, Tensor, Verdict, difference, encode_unchecked};
use thiserror::Error;

use super::calls::current_target;
use super::encode::{EncodeError, ask};
use super::refusal::Refusal;

/// A difference between [`tensor`](crate::tensor) and the driver.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// The driver could not be called.
    #[error("the driver could not be called: {0}")]
    NotAsked(#[from] EncodeError),
    /// The driver did not judge the map.
    #[error("the driver did not check the map: {0}")]
    NoContext(#[source] Refusal),
    /// The driver accepts a map that a rule claims it refuses.
    #[error("the driver accepts the map, but the rules predict that it does not:\n{verdict}")]
    Taken {
        /// Every rule that the map breaks.
        verdict: Verdict,
    },
    /// The driver refuses a map that no rule claims it refuses.
    #[error("the driver refuses the map, but no rule predicts it: {refusal}")]
    Refused {
        /// The driver's answer.
        #[source]
        refusal: Refusal,
        /// Every rule that the map breaks, none of which the driver is known to enforce.
        verdict: Verdict,
    },
    /// The driver accepts a map that the encoder has no layout for.
    #[error("the driver accepts the map, but the encoder has no layout for it")]
    NoLayout,
    /// Both produce a descriptor, with different bytes.
    #[error(
        "the encoder and the driver differ: {}",
        difference(.ours.as_bytes(), .driver.as_bytes())
    )]
    Bytes {
        /// The encoder's descriptor: "here" in the message.
        ours: Box<Descriptor>,
        /// The driver's descriptor: "there" in the message.
        driver: Box<Descriptor>,
    },
}

ptx_types::__debug_as_message!(Mismatch);

/// Compares the rules' verdict and the bytes of the encoder that needs no driver,
/// [`tensor::encode`](crate::tensor::encode), with the driver's answer for the GPU of
/// the current context.
///
/// Both were established on `sm_90` with a driver of CUDA 13.0. A program that relies on them
/// elsewhere should call this first.
///
/// # Errors
/// The difference, or why the driver could not be called.
pub fn verify_against_driver(spec: &Spec, tensor: &Tensor) -> Result<(), Mismatch> {
    let answer = ask(spec, tensor)?;
    let target = current_target().unwrap_or(Target::Sm90a);
    let verdict = spec.check_tensor(tensor, Some(target));
    match answer.descriptor {
        Err(refusal) if !refusal.is_about_the_map() => Err(Mismatch::NoContext(refusal)),
        Err(refusal) if verdict.is_accepted() => Err(Mismatch::Refused { refusal, verdict }),
        Err(_) => Ok(()),
        Ok(_) if !verdict.is_accepted() => Err(Mismatch::Taken { verdict }),
        Ok(driver) => match encode_unchecked(spec, tensor) {
            None => Err(Mismatch::NoLayout),
            Some(ours) if ours == driver => Ok(()),
            Some(ours) => Err(Mismatch::Bytes { ours: Box::new(ours), driver: Box::new(driver) }),
        },
    }
}
