#[ptx::module(target = sm_90a)]
pub mod m {
    #[global]
    static COUNT: u32 = 1;

    #[kernel]
    fn k() {
        ptx! {
            let %count: u32;
            let %x: f32;
            ld.global.u32 %count, [COUNT];
            cvt.rn.f32.u32 %x, %count;
            add.f32 %x, %x, %x;
            ret;
        }
    }
}

fn main() {}
