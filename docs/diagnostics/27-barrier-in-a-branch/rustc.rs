pub fn k(barrier: &std::sync::Barrier, i: usize) {
    if i < 16 {
        barrier.wait();
    }
}
