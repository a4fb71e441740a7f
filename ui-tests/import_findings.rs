//! What is wrong with a file is an error for each, at the place in it.

ptx::import!("import/broken.ptx");

// Hazards may be allowed for the whole file, and nothing else.
mod allowed {
    ptx::import!(pub mod hazard = "import/hazard.ptx", allow(A034));

    ptx::import!(mod again = "import/hazard.ptx", allow(A034, A020, A034, D014, A999, "A034"));

    ptx::import!(mod bare = "import/hazard.ptx", allow);
}

fn main() {
    // Nothing else is said of what could be read.
    let _ = broken::rows();
    let _ = broken::flags.initial();
    let _ = (&broken::MODULE, allowed::hazard::rows());
}
