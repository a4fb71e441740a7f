//! Variables of the environment that change how kernels are launched.

use std::env::var_os;

/// Whether every launch is [checked](super::Launch::checked): `PTX_CHECKED_LAUNCHES` is set, and not to 0.
pub(super) fn are_launches_checked() -> bool {
    is_on("PTX_CHECKED_LAUNCHES")
}

/// Whether the driver waits for each launch: `CUDA_LAUNCH_BLOCKING`.
pub(super) fn are_launches_blocking() -> bool {
    is_on("CUDA_LAUNCH_BLOCKING")
}

fn is_on(variable: &str) -> bool {
    var_os(variable).is_some_and(|value| !value.is_empty() && value != "0")
}
