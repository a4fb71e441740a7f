// A string is not a body: "ptx! { add.u32 %r1,%r2,%r3; }".
#[ptx::module(target = sm_80)]
mod kernels {
    #[kernel]
    pub fn add(n: u32) {
        ptx! {
            let %x, %y: u32;  // numbers
            let %d: [f32; 4];
            ld.param.u32 %x, [n];
            for i in 0..4 {
                mov.f32 %d[i], #( f32::from( i ) );
            }
            if IS_SUM {
                add.u32 %y, %x, %x;
            } else {
                mov.u32 %y, 0;
            }
            #[allow(A034)]
            st.shared.u32 [ROW[%x].y + 4], %y;
            ret;
        }
    }

    #[device]
    fn twice(x: Reg<u32>) -> Reg<u32> {
        ptx! { add.u32 returned, x, x; ret; }
    }
}

macro_rules! each {
    ($($x:ident),*) => { ptx! { $( add.u32   $x, $x, 1; )* } };
}
