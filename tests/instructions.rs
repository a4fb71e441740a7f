//! Legal uses of every row of the instruction table: no operand rule reports anything, and ptxas assembles
//! them.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
#![allow(unreachable_pub)] // it is `.visible` in PTX

use ptx::instruction::{Computes, INSTRUCTIONS, Row};
use ptx::prelude::*;

/// A 64 x 64 tile of bf16.
#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
struct A;

#[derive(PtxType)]
#[repr(C)]
struct Stages {
    a: [Tile<A>; 2],
    full: [Mbarrier; 128],
}

const N: usize = 16;

type Floats = [f32; 4 * N];

#[derive(PtxType, Clone, Copy)]
#[repr(C)]
struct Config {
    gain: f64,
    counts: [u32; 2],
}

#[ptx::module(target = sm_90a, version = 8.8)]
mod hopper {
    use super::*;

    #[global(align = 32)]
    pub static G: [f32; 64] = [0.0; 64];
    #[global]
    static U: [u32; 64];
    #[global(align = 8)]
    static H: [F16x2; 64];
    #[shared(align = 16)]
    static BYTES: [u8; 64];
    #[global(align = 2 * N)]
    pub static LATE: Floats;
    #[constant]
    pub static C: [V4<f32>; 2] = [V4::new([1.0; 4]); 2];
    #[global(align = 128)]
    pub static RAW: [u8; 256];
    #[shared(align = 128)]
    static S: [f32; 1024];
    #[global]
    pub static MAP: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
    #[global(align = 128)]
    static MATRIX: [[bf16; 64]; 64];
    #[shared]
    static PLAIN: u64;
    #[shared]
    static BARRIER: Mbarrier;
    #[shared(dynamic)]
    static SMEM: Stages;

    #[constant(align = 64)]
    pub static CONST_MAP: [u8; 128];
    #[global]
    static TEXTURE: TexRef;
    #[global]
    static SURFACE: SurfRef;

    #[device]
    fn callee() {
        ptx! { ret; }
    }

    #[kernel]
    pub fn scalar(n: u32, config: Config) {
        ptx! {
            .reg .b16 %h<4>;
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            .reg .f32 %f<8>;
            .reg .pred %p;
            .local .align 16 .b8 stack[64];
            .shared .align 8 .b8 bytes[#(N)];
            ld.param.u32            %r0, [n];
            ld.param::entry.b8      %h0, [n + 3];
            ld.param.u32            %r0, [config + #(offset_of!(Config, counts) + 4)];
            ld.param.f64            %d0, [config];
            ld.global.f32           %f0, [G + 252];
            ld.global.nc.v4.f32     {%f0, %f1, %f2, %f3}, [G + 240];
            ld.global.v4.f32        {%f0, %f1, %f2, %f3}, [LATE + #(16 * (N - 1))];
            ld.f32                  %f0, [LATE + 4];
            ld.volatile.global.b32  %r0, [G];
            ld.relaxed.gpu.global.b32 %r0, [G];
            ld.const.v4.f32         {%f0, %f1, %f2, %f3}, [C + 16];
            ld.global.L1::evict_last.L2::128B.v2.f32 {%f0, %f1}, [G + 8];
            ldu.global.v2.f32       {%f0, %f1}, [G + 8];
            st.global.f32           [G + 4], %f0;
            st.local.v4.b32         [stack + 48], {%r0, %r1, %r2, %r3};
            st.shared.v2.b16        [S + 4], {%h0, %h1};
            st.shared::cta.b64      [bytes + 8], %d0;
            st.shared.b64           [PLAIN], %d0;
            st.shared.b16           [SMEM + #(size_of::<Tile<A>>() + 2)], %h0;
            ld.shared::cluster.b32  %r0, [S + 4092];
            prefetch.global.L2      [G];
            prefetchu.L1            [%d0];
            createpolicy.range.global.L2::evict_last.b64 %d0, [G], 64, 256;
            isspacep.global         %p, %d0;
            cvta.global.u64         %d0, G;
            cvta.to.shared.u64      %d0, %d0;
            mapa.shared::cluster.u32 %r0, S, %r1;
            getctarank.shared::cluster.u32 %r0, %r1;
            mov.u64                 %d0, G;
            call                    callee, ();
            discard.global.L2       [RAW + 128], 128;
            applypriority.global.L2::evict_normal [RAW], 128;
            atom.global.add.u32     %r0, [U], 1;
            atom.shared.cas.b64     %d0, [S + 8], %d1, %d2;
            atom.global.v4.f32.add  {%f0, %f1, %f2, %f3}, [G + 16], {%f0, %f1, %f2, %f3};
            red.global.add.noftz.v2.f16x2 [H + 8], {%r0, %r1};
            red.shared.add.u32      [BYTES], 1;
            ret;
        }
    }

    #[kernel]
    pub fn handles() {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d;
            .reg .f32 %f<6>;
            .reg .pred %p;
            tex.2d.v4.f32.f32       {%f0, %f1, %f2, %f3}, [TEXTURE, {%f4, %f5}];
            tld4.r.2d.v4.f32.f32    {%f0, %f1, %f2, %f3}, [TEXTURE, {%f4, %f5}];
            txq.width.b32           %r0, [TEXTURE];
            suld.b.1d.b32.trap      {%r0}, [SURFACE, {%r1}];
            sust.b.1d.b32.trap      [SURFACE, {%r1}], {%r0};
            sured.b.add.1d.u32.trap [SURFACE, {%r1}], %r0;
            suq.width.b32           %r0, [SURFACE];
            istypep.texref          %p, %d;
            ret;
        }
    }

    #[kernel]
    pub fn maps(map: TensorMap<A>) {
        ptx! {
            .reg .b64 %d;
            mov.u64                  %d, MAP;
            cvta.global.u64          %d, %d;
            prefetch.tensormap       [%d];
            prefetch.const.tensormap [CONST_MAP];
            prefetch.param.tensormap [map];
            fence.proxy.tensormap::generic.acquire.gpu [MAP], 128;
            ret;
        }
    }

    #[kernel]
    pub fn matrices() {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<2>;
            .reg .f32 %f<8>;
            wmma.load.a.sync.aligned.row.m16n16k16.global.f16
                {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [G + 32];
            wmma.load.a.sync.aligned.row.m16n16k16.shared.u8 {%r0, %r1}, [S + 16];
            wmma.store.d.sync.aligned.row.m16n16k16.shared.f32
                [S + 32], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
                {%f0, %f1, %f2, %f3}, %d0, %d1, 1, 1, 1, 0, 0;
            wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16
                {%f0, %f1, %f2, %f3}, %d0, %d1, %r0, 0, 1, 1, 1, 0, 0;
            ret;
        }
    }

    #[kernel(allow(A071))]
    pub fn copies(bytes: u32) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d<4>;
            .reg .pred %p;
            mbarrier.init.shared::cta.b64   [BARRIER], 1;
            mbarrier.init.shared.b64        [PLAIN], 1;
            mbarrier.init.b64               [SMEM + #(offset_of!(Stages, full) + 8)], 1;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [BARRIER], 64;
            mbarrier.try_wait.parity.shared::cta.b64 %p, [BARRIER], 0;
            mbarrier.expect_tx.shared::cta.b64 [BARRIER], 64;
            mbarrier.complete_tx.shared::cta.b64 [BARRIER], 64;
            mbarrier.arrive_drop.shared.b64 %d0, [BARRIER];
            mbarrier.test_wait.shared.b64 %p, [BARRIER], %d0;
            mbarrier.inval.shared.b64       [PLAIN];
            bar.sync                        0;
            bar.arrive                      1, 64;
            barrier.sync                    2, 64;
            barrier.arrive                  1, 64;
            cp.async.mbarrier.arrive.noinc.shared.b64 [BARRIER];
            cp.async.ca.shared.global       [S + 4], [G + 4], 4;
            cp.async.cg.shared.global       [S + 16], [G + 16], 16, %r0;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [S], [G], #(8 * N), [BARRIER];
            cp.async.bulk.global.shared::cta.bulk_group [G + 16], [S + 16], %r0;
            cp.async.bulk.prefetch.L2.global [G + 16], 64;
            cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [G], [S], 256;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [SMEM + #(size_of::<Tile<A>>())], [%d0, {%r0, %r1}], [SMEM + #(offset_of!(Stages, full))];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [SMEM], [RAW, {%r0, %r1}], [BARRIER];
            cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [RAW, {%r0, %r1}], [SMEM];
            cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [RAW, {%r0, %r1}], [SMEM];
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [MAP, {%r0, %r1}], [SMEM];
            cp.async.bulk.prefetch.tensor.2d.L2.global [RAW, {%r0, %r1}];
            tensormap.replace.tile.global_address.shared::cta.b1024.b64 [S], %d0;
            tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
                [RAW], [S], 128;
            st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32
                [S + 16], {%r0, %r1, %r2, %r3}, [BARRIER];
            red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32
                [BYTES + 4], %r0, [BARRIER];
            multimem.ld_reduce.global.add.u32 %r0, [RAW];
            multimem.st.global.u32          [RAW], %r0;
            multimem.red.global.add.u32     [RAW + 4], %r0;
            ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [S + 16];
            stmatrix.sync.aligned.m8n8.x1.shared.b16 [S + 32], {%r0};
            ret;
        }
    }
}

#[ptx::module(target = sm_100a, version = 8.8)]
mod blackwell {
    use super::*;

    #[global(align = 32)]
    pub static G: [f32; 64] = [0.0; 64];
    #[shared(align = 16)]
    static S: [f32; 64];
    #[shared]
    static BARRIER: Mbarrier;

    #[kernel(allow(A053, A066))] // assembled alone
    pub fn newer() {
        ptx! {
            .reg .f32 %f<8>;
            .reg .b32 %r;
            .reg .b64 %d;
            ld.global.v8.f32    {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [G + 32];
            mov.b32             %r, S;
            st.bulk.weak.shared::cta [%r], %d, 0; // ptxas 13.0 does not accept a name here
            clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128
                [S + 16], [BARRIER];
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [S + 4], 32;
            tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [BARRIER];
            ret;
        }
    }

    #[kernel]
    pub fn tensor_memory() {
        ptx! {
            .reg .b32 %r<6>;
            .reg .b64 %d<2>;
            .reg .pred %p;
            tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r0, %r1}, [%r2];
            tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2 + 2], {%r0, %r1};
            tcgen05.cp.cta_group::1.128x256b    [%r0], %d0;
            tcgen05.shift.cta_group::1.down     [%r0];
            tcgen05.mma.cta_group::1.kind::f16  [%r0], %d0, %d1, %r1, %p;
            tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X
                [%r0], [%r4], %d1, %r1, [%r2], [%r3], %p;
            tcgen05.mma.sp.cta_group::1.kind::f16 [%r0], %d0, %d1, [%r2], %r1, %p;
            tcgen05.mma.ws.cta_group::1.kind::f16 [%r0], %d0, %d1, %r1, %p;
            tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r0], %d0, %d1, [%r2], %r1, %p;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 32;
            ret;
        }
    }
}

#[ptx::module(target = sm_103a, version = 8.8)]
mod reducing {
    #[kernel]
    pub fn tensor_memory() {
        ptx! {
            .reg .b32 %r<4>;
            tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r0, %r1}, %r3, [%r2];
            ret;
        }
    }
}

/// Rows newer than the tested releases of ptxas.
#[ptx::module(target = sm_90, version = 9.1)]
mod newest {
    #[global(align = 16)]
    pub static G: [f32; 64];
    #[shared(align = 16)]
    static S: [f32; 64];

    #[kernel]
    pub fn copies() {
        ptx! {
            multimem.cp.async.bulk.global.shared::cta.bulk_group [G], [S], 256;
            multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [G], [S], 256;
            ret;
        }
    }
}

#[test]
fn ptxas_assembles_every_legal_operand() {
    for ptxas in xtask::oracles() {
        for module in [&hopper::MODULE, &blackwell::MODULE, &reducing::MODULE] {
            if let Err(refused) = ptxas.assemble(module) {
                panic!("{refused}\n{module}");
            }
        }
    }
}

#[test]
fn every_row_is_used_legally() {
    let text =
        format!("{}{}{}{}", hopper::MODULE, blackwell::MODULE, reducing::MODULE, newest::MODULE);
    for row in INSTRUCTIONS.iter().filter(|row| row.is_of_memory) {
        let starts = |line: &str| {
            let rest = line.trim_start().strip_prefix(row.opcode);
            rest.is_some_and(|rest| rest.starts_with(['.', ' ']))
        };
        assert!(text.lines().any(starts), "{} is not used here", row.opcode);
        let has_address = !row.addresses.is_empty() || row.taken.is_some();
        let is_there = has_address || !row.descriptors.is_empty() || row.opcode == "call";
        assert!(is_there, "{} has no address", row.opcode);
    }
    for (i, row) in INSTRUCTIONS.iter().enumerate() {
        let is_twice = INSTRUCTIONS[..i]
            .iter()
            .any(|other| other.opcode == row.opcode && other.first_space == row.first_space);
        assert!(!is_twice, "{} is used twice", row.opcode);
    }
}

/// The analysis knows nothing about the results of these; it follows all others as integers.
#[test]
fn instructions_that_are_not_followed_are_marked() {
    let is_other =
        |row: &&Row| !row.is_of_memory && row.has_result && matches!(row.computes, Computes::Other);
    let opcodes: Vec<&str> = INSTRUCTIONS.iter().filter(is_other).map(|row| row.opcode).collect();
    let known = [
        "mbarrier.pending_count",
        "fma",
        "addc",
        "bmsk",
        "dp2a",
        "dp4a",
        "fns",
        "madc",
        "subc",
        "szext",
        "bar.red",
        "bar.cta.red",
        "barrier.red",
        "barrier.cta.red",
        "cos",
        "ex2",
        "lg2",
        "rcp",
        "rsqrt",
        "sin",
        "sqrt",
        "tanh",
        "copysign",
        "testp",
        "activemask",
        "match",
        "redux",
        "alloca",
        "stacksave",
        "clusterlaunchcontrol.query_cancel",
        "movmatrix",
        "wmma.mma",
        "mma",
        "mma.sp",
    ];
    assert_eq!(opcodes, known);
}
