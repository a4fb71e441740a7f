#[ptx::module(target = sm_90a)]
pub mod m {
    #[device]
    fn axpy(a: Reg<f32>, x: Reg<f32>, y: Reg<f32>) -> Reg<f32> {
        ptx! { fma.rn.f32 returned, a, x, y; ret; }
    }

    #[kernel]
    fn k() {
        ptx! {
            let %a, %x: f32;
            mov.f32 %a, 1.0;
            call (%x), axpy, (%a, %a, %a);
            ret;
        }
    }
}

fn main() {}
