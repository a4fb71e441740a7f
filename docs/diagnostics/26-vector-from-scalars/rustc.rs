#[repr(align(16))]
pub struct Four(pub [f32; 4]);

pub fn k(src: &f32) -> &Four {
    unsafe { &*(src as *const f32 as *const Four) }
}
