fn copy(src: &[f32], dst: &mut [f32]) {
    dst.copy_from_slice(src);
}

pub fn run(src: &[f32], dst: Vec<f32>) {
    copy(src, &dst);
}
