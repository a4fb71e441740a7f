#[repr(C)]
pub struct Config {
    pub mode: u8,
    pub scale: f32,
}

pub fn k(config: Config) -> f32 {
    config.scale
}
