//! The instructions of examples/limits/rows.rs as PTX, written without the crate, like `attention.rs`: softmax, RMS norm and
//! quantisation of rows of 1,024, 2,048 and 4,096 numbers of `bf16`, a warp for each row.

use super::attention_by_hand::{each, list};

/// A row's numbers of a lane: its address in `in`, and 16 bytes of each 512 in `x`.
fn load(length: usize) -> String {
    let loads = each(0..length / 256, |c| {
        format!("ld.global.nc.L1::no_allocate.v4.b32 {}, [in+{}];\n", list("x", 4 * c, 4), 512 * c)
    });
    format!(
        "mov.u32 lane, %tid.x;
        mov.u32 row, %ctaid.x;
        ld.param.u64 in, [from];
        mad.wide.u32 in, row, {}, in;
        mad.wide.u32 in, lane, 16, in;
        ADDRESSES
        {loads}",
        2 * length
    )
}

/// Two numbers of a register as `f32`.
fn unpack(low: &str, high: &str, packed: &str) -> String {
    format!(
        "shl.b32 t, {packed}, 16;
        and.b32 {high}, {packed}, 0xffff0000;
        mov.b32 {low}, t;\n"
    )
}

/// What all lanes have: the sum, or the largest.
fn reduce(operation: &str, of: &str) -> String {
    each([16, 8, 4, 2, 1], |lanes| {
        format!(
            "shfl.sync.bfly.b32 far, {of}, {lanes}, 31, -1;
            {operation}.f32 {of}, {of}, far;\n"
        )
    })
}

/// A kernel of rows of this length with these parameters and registers.
fn kernel(name: &str, length: usize, params: &str, body: &str) -> String {
    format!(
        ".visible .entry {name}_{length}(.param .u64 .ptr .global .align 16 from, {params}, .param .u32 rows)
        .reqntid 32, 1, 1
{{
        .reg .f32       e<{length}>, f<8>, g<4>, far, most, total, s, eps;
        .reg .b32       x<{pairs}>, w<4>, y<2>, t, lane, row;
        .reg .b16       low, high;
        .reg .b64       in, out, scale, by;
        .reg .pred      zero, first;
        {body}
        ret;
}}\n",
        pairs = length / 64
    )
}

fn softmax(length: usize) -> String {
    let pairs = length / 64;
    let numbers = each(0..pairs, |i| {
        let (low, high) = (format!("e{}", 2 * i), format!("e{}", 2 * i + 1));
        format!(
            "{}max.f32 most, most, {low};
            max.f32 most, most, {high};\n",
            unpack(&low, &high, &format!("x{i}"))
        )
    });
    let powers = each(0..2 * pairs, |i| {
        format!(
            "fma.rn.f32 e{i}, e{i}, 0f3FB8AA3B, s;
            ex2.approx.ftz.f32 e{i}, e{i};
            add.f32 total, total, e{i};\n"
        )
    });
    let results = each(0..pairs, |i| {
        format!(
            "mul.f32 e{a}, e{a}, total;
            mul.f32 e{b}, e{b}, total;
            cvt.rn.bf16x2.f32 x{i}, e{b}, e{a};\n",
            a = 2 * i,
            b = 2 * i + 1
        )
    });
    let stores = each(0..pairs / 4, |c| {
        format!("st.global.L1::no_allocate.v4.b32 [out+{}], {};\n", 512 * c, list("x", 4 * c, 4))
    });
    let addresses = format!(
        "ld.param.u64 out, [to];
        mad.wide.u32 out, row, {}, out;
        mad.wide.u32 out, lane, 16, out;",
        2 * length
    );
    let body = format!(
        "{}
        mov.f32 most, 0fFF800000;
        {numbers}{}
        mul.f32 s, most, 0fBFB8AA3B;
        mov.f32 total, 0f00000000;
        {powers}{}
        rcp.approx.ftz.f32 total, total;
        {results}{stores}",
        load(length).replace("ADDRESSES", &addresses),
        reduce("max", "most"),
        reduce("add", "total")
    );
    kernel("softmax", length, ".param .u64 .ptr .global .align 16 to", &body)
}

fn rms_norm(length: usize) -> String {
    let pairs = length / 64;
    let squares = each(0..pairs, |i| {
        format!(
            "{}fma.rn.f32 total, f0, f0, total;
            fma.rn.f32 total, f1, f1, total;\n",
            unpack("f0", "f1", &format!("x{i}"))
        )
    });
    let results = each(0..pairs / 4, |c| {
        let pairs = each(0..4, |i| {
            let x = 4 * c + i;
            format!(
                "{}{}mul.f32 f0, f0, total;
                mul.f32 f1, f1, total;
                mul.f32 f0, f0, f2;
                mul.f32 f1, f1, f3;
                cvt.rn.bf16x2.f32 x{x}, f1, f0;\n",
                unpack("f0", "f1", &format!("x{x}")),
                unpack("f2", "f3", &format!("w{i}"))
            )
        });
        format!(
            "ld.global.nc.L1::evict_last.v4.b32 {}, [by+{at}];
            {pairs}
            st.global.L1::no_allocate.v4.b32 [out+{at}], {};\n",
            list("w", 0, 4),
            list("x", 4 * c, 4),
            at = 512 * c
        )
    });
    let addresses = format!(
        "ld.param.u64 out, [to];
        mad.wide.u32 out, row, {}, out;
        mad.wide.u32 out, lane, 16, out;
        ld.param.u64 by, [weights];
        mad.wide.u32 by, lane, 16, by;",
        2 * length
    );
    // 1 / length.
    let inverse = 0x3F80_0000 - (length.ilog2() << 23);
    let body = format!(
        "{}
        mov.f32 total, 0f00000000;
        {squares}{}
        ld.param.f32 eps, [epsilon];
        fma.rn.f32 total, total, 0f{inverse:08X}, eps;
        rsqrt.approx.ftz.f32 total, total;
        {results}",
        load(length).replace("ADDRESSES", &addresses),
        reduce("add", "total")
    );
    let params = ".param .u64 .ptr .global .align 16 weights, .param .u64 .ptr .global .align 16 to, .param .f32 epsilon";
    kernel("rms_norm", length, params, &body)
}

fn quantize(length: usize) -> String {
    let pairs = length / 64;
    let largest = each(0..pairs, |i| {
        format!(
            "{}abs.f32 f0, f0;
            abs.f32 f1, f1;
            max.f32 most, most, f0;
            max.f32 most, most, f1;\n",
            unpack("f0", "f1", &format!("x{i}"))
        )
    });
    let results = each(0..pairs / 4, |c| {
        let numbers = each(0..4, |i| {
            let (low, high) = (format!("f{}", 2 * i), format!("f{}", 2 * i + 1));
            unpack(&low, &high, &format!("x{}", 4 * c + i))
        });
        let scaled = each(0..8, |i| format!("mul.f32 f{i}, f{i}, s;\n"));
        let packed = each(0..2, |i| {
            format!(
                "cvt.rn.satfinite.e4m3x2.f32 low, f{}, f{};
                cvt.rn.satfinite.e4m3x2.f32 high, f{}, f{};
                mov.b32 y{i}, {{low, high}};\n",
                4 * i + 1,
                4 * i,
                4 * i + 3,
                4 * i + 2
            )
        });
        format!(
            "{numbers}{scaled}{packed}
            st.global.L1::no_allocate.v2.b32 [out+{}], {};\n",
            256 * c,
            list("y", 0, 2)
        )
    });
    let addresses = format!(
        "ld.param.u64 out, [to];
        mad.wide.u32 out, row, {length}, out;
        mad.wide.u32 out, lane, 8, out;
        ld.param.u64 scale, [scales];
        mad.wide.u32 scale, row, 4, scale;"
    );
    let body = format!(
        "{}
        mov.f32 most, 0f00000000;
        {largest}{}
        setp.eq.f32 zero, most, 0f00000000;
        @zero mov.f32 most, 0f43E00000;
        rcp.rn.f32 s, most;
        mul.f32 s, s, 0f43E00000;
        {results}
        setp.eq.u32 first, lane, 0;
        mul.f32 most, most, 0f3B124925;
        @first st.global.f32 [scale], most;",
        load(length).replace("ADDRESSES", &addresses),
        reduce("max", "most")
    );
    let params = ".param .u64 .ptr .global .align 16 to, .param .u64 .ptr .global .align 4 scales";
    kernel("quantize", length, params, &body)
}

/// The module.
pub(crate) fn text() -> String {
    let lengths = [1024, 2048, 4096];
    format!(
        ".version 7.8\n.target sm_90\n.address_size 64\n{}{}{}",
        each(lengths, softmax),
        each(lengths, rms_norm),
        each(lengths, quantize)
    )
}
