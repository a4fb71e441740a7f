pub extern "C" fn k(src: [f32]) {}
