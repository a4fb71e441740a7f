//! The language server: what it answers to a client that speaks the protocol, on good and on broken files.

mod client;
mod completion;
mod findings;
mod names;
mod place;
mod robust;
mod rust;
mod speed;
mod stdio;
mod words;

/// A file with everything that has a name.
const SCALE: &str = "\
// Scales rows.
.version 8.0
.target sm_90a
.address_size 64

.const .align 16 .f32 TAPS[4] = {0.5, 1.0, 0.5, 0.25};
.shared .align 16 .f32 row[64];
.extern .shared .align 128 .b8 dynamic[];

.func (.reg .f32 out) half(.reg .f32 in)
{
    mul.f32 out, in, 0f3F000000;
    ret;
}

.visible .entry scale(
    .param .u64 .ptr .global .align 16 data,
    .param .u32 count
)
.maxntid 64, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    .reg .f32 %f<4>, total;

    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd1, %rd1, %rd2;
    ld.global.f32 %f1, [%rd1];
    ld.const.f32 %f2, [TAPS+4];
    fma.rn.f32 %f3, %f1, %f2, 0f00000000;
    {
        .reg .f32 total;
        mov.f32 total, %f3;
        st.global.f32 [%rd1], total;
    }
    mov.f32 total, %f1;
DONE:
    ret;
}
";

/// The same, with mistakes: a missing name, a word that is not one, and a statement that is not finished.
const BROKEN: &str = "\
.version 8.0
.target sm_90a
.address_size 64

.shared .align 4 .f32 row[32];

.visible .entry broken()
{
    .reg .b32 %r<4>;
    .reg .v4 .f32 %f;
    ld.shared.v4.f32 %f, [row+8];
    mov.u32 %r1, %tid.x
    add.u32 %r2, %r1, %r7;
    ld.sahred.u32 %r3, [row];
    add.u32 %r2, 
";
