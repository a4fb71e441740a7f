#[ptx::module(target = sm_80, version = 8.0)]
pub mod rows {
    #[kernel]
    pub fn rows(data: u64, n: u32) {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<8>;
            .reg .b64 %rd<4>;
            .shared .align 4 .b8 row[1024];

            ld.param.u64 %rd1, [data];
            cvta.to.global.u64 %rd1, %rd1;
            mov.u32 %r1, %tid.x;
            mul.wide.u32 %rd2, %r1, 4;
            add.u64 %rd3, %rd1, %rd2;
            ld.global.u32 %r2, [%rd3];
            mov.u32 %r3, row;
            shl.b32 %r4, %r1, 2;
            add.u32 %r3, %r3, %r4;
            st.shared.u32 [%r3], %r2;
            setp.eq.u32 %p1, %r1, 0;
            @%p1 bra $end;
            ld.shared.u32 %r5, [%r3+-4];
            add.u32 %r6, %r5, %r2;
            st.global.u32 [%rd3], %r6;
            $end:
            ret;
        }
    }
}
