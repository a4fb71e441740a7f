#[ptx::module(target = sm_80)]
mod kernels {
    #[kernel(reqntid = 256)]
    pub fn fill(data: Ptr<Global, [u32; 4]>) {
        ptx! {
          let %to: Ptr<Global, [u32; 4]>; let %i: u32;
            mov.u32   %i,%tid.x;
            lea.global.u64 %to, data[%i];
            for j in 0..4 { st.global.u32 [%to[0][j]],#(j * j); } // squares
            ret;
        }
    }
}
