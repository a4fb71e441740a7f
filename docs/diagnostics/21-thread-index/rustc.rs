pub fn k() -> u32 {
    threadIdx.x
}
