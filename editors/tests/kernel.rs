//! A body of PTX in a Rust file, which nothing compiles.

#[ptx::module(target = sm_80)]
mod scale {
    #[kernel]
    pub fn scale(out: Ptr<Global, f32>) {
        ptx! {
            let %i: u32;
            let %x: f32;
            lea.global.u64 %at, out[%i];
            ld.global.f32 %x, [%at];
            mul.f32 %x, %x, #(f32::MAX);
            ret;
        }
    }
}
