//! What is wrong with a fragment is reported where it is written.
use ptx::prelude::*;

const ROWS: u32 = 4;

#[ptx::fragment]
fn returns(x: Reg<f32>) -> Reg<f32> {
    ptx! { mov.f32 returned, x; ret; }
}

#[ptx::fragment]
fn undeclared(x: Reg<f32>) -> Reg<f32> {
    ptx! { add.f32 returned, x, %y; }
}

#[ptx::fragment]
fn wrong_type(x: Reg<u64>) -> Reg<f32> {
    ptx! { mov.f32 returned, x; }
}

#[ptx::fragment]
fn unknown(x: Reg<f32>) -> Reg<f32> {
    ptx! { mull.f32 returned, x, x; }
}

#[ptx::fragment]
fn too_far(row: &[f32; 32], x: Reg<f32>) {
    ptx! { st.shared.f32 [row + 128], x; }
}

#[ptx::fragment(target = sm_80)]
fn too_new(x: Reg<f32>, y: Reg<f32>) -> Reg<B32> {
    ptx! { cvt.rn.satfinite.e4m3x2.f32 returned, x, y; }
}

#[ptx::fragment]
fn parameters(self, x: f64x2, mut y: Reg<f32>, z: &mut u32, r: &Reg<u32>, (a, b): Reg<u32>) -> u32 {
    ptx! { mov.u32 returned, z; }
}

#[ptx::fragment]
fn named(add: Reg<u32>) -> Reg<u32> {
    ptx! { mov.u32 returned, 0; }
}

#[ptx::fragment]
fn mixed(x: Reg<u32>, n: u32) -> Reg<u32> {
    ptx! { add.u32 returned, x, #(n * ROWS); }
}

#[ptx::fragment]
fn of_another(row: &mut Reg<u32>, parity: &mut Reg<u32>) {
    ptx! { ptx::lib::ring::next::<ROWS> row, parity; }
}

#[ptx::fragment]
fn label(x: Reg<u32>) -> Reg<u32> {
    ptx! { $1: mov.u32 returned, x; bra $1; }
}

#[ptx::fragment]
fn itself(x: Reg<u32>) -> Reg<u32> {
    ptx! { itself returned, x; }
}

#[ptx::fragment]
fn no_body(x: Reg<u32>) -> Reg<u32> {}

#[ptx::fragment]
async fn bounds<T: Copy>(x: Reg<T>) -> Reg<T>
where
    T: Send,
{
    ptx! { mov.T returned, x; }
}

#[ptx::fragment(return(sum))]
fn argument(x: Reg<u32>) -> Reg<u32> {
    ptx! { mov.u32 sum, x; }
}

#[ptx::fragment(returns(sum, carry))]
fn names(x: Reg<u32>) -> Reg<u32> {
    ptx! { mov.u32 sum, x; }
}

#[ptx::fragment]
fn no_result(x: Reg<u32>) -> Reg<u32> {
    ptx! { }
}

#[ptx::fragment]
fn of_the_caller<T, const N: u32>(x: Reg<T>) -> Reg<T> {
    ptx! { add.T returned, x, %other; bra END; for i in 0..N { mov.T returned, x; } }
}

#[ptx::fragment]
fn constant<const N: Reg<u32>>() {
    ptx! { mov.u32 %x, N; }
}

#[ptx::fragment]
struct NotAFunction;

fn main() {}
