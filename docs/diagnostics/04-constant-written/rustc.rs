static FACTOR: f32 = 2.0;

pub fn k() {
    FACTOR = 1.0;
}
