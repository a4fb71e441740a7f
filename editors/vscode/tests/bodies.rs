use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
pub mod blur {
    use super::*;

    /// ptx! { in a comment }
    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];

    #[kernel(maxntid = 256)]
    pub fn rows(src: Ptr<Global, V4<f32>>, n: u32) {
        ptx! {
            .reg .b64 %rd<4>; .reg .f32 %f<8>;
            let %i, %j: u32;
            let %at: Ptr<Global, [f32; 2]>;
            ld.param.u64 %rd1, [src]; // where it comes from
            #[allow(A034)]
            st.shared.v4.f32 [ROW + #(16 * usize::max(2, (N + 1)))], {%f1, %f2, %f3, %f4};
            lea.shared.u32 %i, SMEM.full[%j];
            for lanes in [16, 8] {
                shfl.sync.bfly.b32 %f1, %f1, lanes, 31, -1;
                if lanes % 2 == 0 { add.T %f1, %f2, %f3; } else { trap; }
            }
            use lib::twice;
            ret;
        }
    }

    #[device]
    fn half(x: f32) -> f32 {
        ptx::ptx! { mul.f32 returned, x, 0f3F000000; ret; }
    }
}

fn main() {
    let text = "ptx! { in a string }";
    println!("{text} {}", blur::MODULE);
}
