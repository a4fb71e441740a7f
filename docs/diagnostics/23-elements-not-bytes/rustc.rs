pub fn k(row: &[f32; 32]) -> f32 {
    unsafe { *row.as_ptr().byte_add(3) }
}
