pub static TAPS: [f32; 5] = [1.0, 4.0, 6.0, 4.0];
