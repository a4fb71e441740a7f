pub fn k() -> f32 {
    let mut x = 1.0_f32;
    add x, x, 1.0;
    x
}
