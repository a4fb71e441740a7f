//! Each finding in a file is an error at its position there.

ptx::import!("import/broken.ptx");

// Only hazards can be allowed for the whole file.
mod allowed {
    ptx::import!(pub mod hazard = "import/hazard.ptx", allow(A034));

    ptx::import!(mod again = "import/hazard.ptx", allow(A034, A020, A034, D014, A999, "A034"));

    ptx::import!(mod bare = "import/hazard.ptx", allow);
}

fn main() {
    // Nothing else is reported for the part that was read.
    let _ = broken::rows();
    let _ = broken::flags.initial();
    let _ = (&broken::MODULE, allowed::hazard::rows());
}
