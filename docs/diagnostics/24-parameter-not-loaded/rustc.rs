pub fn k(src: &&f32) -> f32 {
    src + 0.0
}
