//! The rows of a matrix start at multiples of the size of a fragment (PTX ISA 9.7.14.4.2).

#![allow(unused)]
#[ptx::module(target = sm_90a)]
mod m {
    #[shared(align = 16)]
    static LOW: [f32; 64];
    #[shared(align = 32)]
    static S: [f32; 64];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .f64 %d<2>;
            wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
                {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [S + 32];
            wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
                {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [S + 16];
            wmma.load.a.sync.aligned.row.m16n16k16.shared.f16
                {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [LOW];
            wmma.load.a.sync.aligned.row.m16n16k16.shared.u8 {%r0, %r1}, [S + 8];
            wmma.load.a.sync.aligned.row.m16n16k16.shared.u8 {%r0, %r1}, [S + 4];
            wmma.store.d.sync.aligned.row.m8n8k4.shared.f64 [S + 16], {%d0, %d1};
            wmma.store.d.sync.aligned.row.m8n8k4.shared.f64 [S + 8], {%d0, %d1};
            ret;
        }
    }
}

fn main() {}
