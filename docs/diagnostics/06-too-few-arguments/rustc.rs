fn axpy(a: f32, x: f32, y: f32) -> f32 {
    a * x + y
}

pub fn k() -> f32 {
    axpy(1.0, 2.0)
}
