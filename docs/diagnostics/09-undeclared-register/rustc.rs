pub fn k() -> f32 {
    let (f0, f1) = (1.0, 2.0);
    f0 + f1 + f2
}
