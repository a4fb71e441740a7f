pub fn k() -> f32 {
    let x = 1.0_f32
    x + x
}
