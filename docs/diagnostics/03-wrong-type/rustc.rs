static COUNT: u32 = 1;

pub fn k() -> f32 {
    COUNT
}
