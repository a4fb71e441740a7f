#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub struct F4([f32; 4]);

pub fn k() -> F4 {
    let row = [0.0_f32; 32];
    unsafe { *row.as_ptr().add(2).cast::<F4>() }
}
