//! Numbers at their limits, wherever a text or a module has one: what is read, judged, laid out and written never
//! panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ptx::Module;
use ptx::text::Parsed;

const TEXT: &str = r#".version 8.7
.target sm_90a
.address_size 64
.file 1 "x.cu"
.visible .const .align 16 .f32 TAPS[4] = {1, 2, 3, 4};
.visible .global .attribute(.unified(1, 2)) .align 16 .v4 .f32 WIDE[8][4];
.visible .global .u64 LINK[2] = {generic(WIDE)+16, WIDE+32};
.visible .global .u8 BYTES[2] = {0xff(WIDE), 0xff00(LINK)};
.visible .global .u32 FAMILY<4>;
.visible .global .texref PICTURE = {width = 64, height = 32, depth = 1, channel_data_type = 4318};
.shared .align 128 .b8 TILE[1024];
.extern .shared .align 16 .b8 DYNAMIC[];
.func (.param .align 8 .b8 r[16]) f(.param .align 8 .b8 a[16], .param .b32 n) { ret; }
.visible .entry k(.param .u64 .ptr .global .align 16 p, .param .align 8 .b8 s[24], .param .u32 n)
.maxntid 256, 1, 1
.reqnctapercluster 2, 2, 2
.maxnreg 64
.minnctapersm 2
{
    .reg .b32 %r<8>;
    .reg .b64 %d<4>;
    .reg .pred %p<2>;
    .local .align 8 .b8 stack[64];
    .shared .align 8 .b8 FULL[8];
    .param .align 8 .b8 a[16];
    .param .align 8 .b8 r[16];
    .loc 1 12 3
    ld.param.u64 %d1, [p];
    ld.param.u32 %r0, [s+16];
    mov.u32 %r1, 3<<4;
    shl.b32 %r1, %r1, 2;
    shr.s64 %d2, %d1, 3;
    mad.lo.s32 %r2, %r1, 12, 5;
    mul.wide.s32 %d2, %r2, 4;
    bfe.u32 %r4, %r2, 3, 9;
    bfi.b32 %r4, %r2, %r4, 5, 7;
    lop3.b32 %r4, %r4, %r2, %r1, 0x96;
    prmt.b32 %r4, %r4, %r2, 0x5410;
    setp.ge.s32 %p1, %r2, 100;
    @%p1 bra DONE;
LOOP:
    add.s32 %r3, %r3, 1;
    st.shared.v4.b32 [TILE+16], {%r1, 2, 3, 4};
    st.local.b32 [stack+60], 7;
    ld.global.v2.u32 {%r4, %r5}, [%d1+8];
    setp.lt.s32 %p1, %r3, 10;
    @%p1 bra LOOP;
    bar.sync 1, 128;
    mbarrier.init.shared.b64 [FULL], 4;
    mbarrier.arrive.expect_tx.shared.b64 _, [FULL], 1024;
    cp.async.ca.shared.global [TILE], [%d1], 16, 8;
    cp.async.wait_group 1;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [TILE], [%d1], 512, [FULL];
    setmaxnreg.inc.sync.aligned.u32 240;
    st.param.b32 [a+12], 3;
    call (r), f, (a, 5);
    shfl.sync.bfly.b32 %r4, %r4, 16, 31, 0xffffffff;
DONE:
    ret;
}
"#;

/// The limits of integers.
const LIMITS: &[u64] = &[0, 1, 1 << 16, (1 << 32) - 1, 1 << 32, 1 << 63, u64::MAX];

/// The places of the numbers in a text.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_%$.".contains(&byte);
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() || at > 0 && is_of_word(bytes[at - 1]) {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        found.push((at, at + length));
        at += length;
    }
    found
}

/// The text with other numbers at these places.
fn with(text: &str, places: &[(usize, usize)], number: u64) -> String {
    let (mut out, mut end) = (String::new(), 0);
    for (from, to) in places {
        out.push_str(&text[end..*from]);
        out.push_str(&number.to_string());
        end = *to;
    }
    out + &text[end..]
}

/// Reads, judges, lays out and writes a text, and the module in it.
fn use_all_of(text: &str) {
    let parsed = Parsed::new(text);
    for found in parsed.check() {
        assert!(!found.to_string().is_empty());
    }
    let module = Module::new(*parsed.module());
    for finding in module.check() {
        assert!(!finding.to_string().is_empty());
    }
    assert!(!module.memory_map().to_string().is_empty());
    let mut written = String::new();
    // What has no text is an error, and no panic.
    let _ = std::fmt::Write::write_fmt(&mut written, format_args!("{module}"));
}

#[test]
fn numbers_at_their_limits_do_not_panic() {
    let places = numbers(TEXT);
    assert!(places.len() > 90, "{}", places.len());
    let line_of = |at: usize| TEXT[..at].matches('\n').count();
    let mut failed = Vec::new();
    // Each number alone, and all of a line.
    let lines = places.chunk_by(|one, other| line_of(one.0) == line_of(other.0));
    for changed in places.chunks(1).chain(lines.filter(|line| line.len() > 1)) {
        for number in LIMITS {
            let text = with(TEXT, changed, *number);
            if catch_unwind(AssertUnwindSafe(|| use_all_of(&text))).is_err() {
                let line = text.lines().nth(line_of(changed[0].0)).unwrap_or_default();
                failed.push(line.trim().to_owned());
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
