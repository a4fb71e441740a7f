pub fn k() -> f32 {
    let row = [0.0_f32; 32];
    row[32]
}
