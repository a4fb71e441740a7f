//! The instructions of examples/limits/attention as PTX, written without the crate: a few functions write what repeats.
//! Names, order of the declarations, radix and layout are independent; `tests/zero_cost.rs` compares the code.
//!
//! Shared memory, in boxes of 64 columns, of 128 bytes:
//!   Q: stages x warpgroups x boxes x 64 rows    K: stages x boxes x keys    V: the same
//!   mbarriers, each with its full ones first: Q: stages x warpgroups    K: stages    V: stages

/// A kernel.
pub(crate) struct Kernel {
    /// Numbers of a vector.
    pub(crate) dim: usize,
    /// Warpgroups that multiply, and keys of a block.
    pub(crate) groups: usize,
    pub(crate) keys: usize,
    /// Stages of Q, and of K and V.
    pub(crate) stages: [usize; 2],
    /// Registers of who loads, and of who multiplies.
    pub(crate) registers: [usize; 2],
    pub(crate) is_causal: bool,
}

/// Registers of an array: `{s0, s1, ..}`.
pub(crate) fn list(name: &str, from: usize, count: usize) -> String {
    let all: Vec<String> = (from..from + count).map(|n| format!("{name}{n}")).collect();
    format!("{{{}}}", all.join(", "))
}

/// Lines for each number.
pub(crate) fn each(
    numbers: impl IntoIterator<Item = usize>,
    line: impl Fn(usize) -> String,
) -> String {
    numbers.into_iter().map(line).collect()
}

/// Waits at the barrier in `bar` for a phase. The number makes the label unique.
pub(crate) fn wait(bar: &str, parity: &str, n: usize) -> String {
    format!(
        "W{n}: mbarrier.try_wait.parity.shared.b64 ok, [{bar}], {parity};
        @!ok bra W{n};\n"
    )
}

/// The next of `stages`.
pub(crate) fn next(stage: &str, parity: &str, stages: usize) -> String {
    format!(
        "add.u32 {stage}, {stage}, 1;
        setp.eq.u32 wrap, {stage}, {stages};
        @wrap mov.u32 {stage}, 0;
        @wrap xor.b32 {parity}, {parity}, 1;\n"
    )
}

/// A descriptor's address bits, and what the map says of the tile.
pub(crate) fn descriptor(to: &str, of: &str, bits: u64) -> String {
    format!(
        "and.b32 x, {of}, 0x3ffff;
        shr.u32 x, x, 4;
        cvt.u64.u32 {to}, x;
        or.b64 {to}, {to}, {bits:#x};\n"
    )
}

impl Kernel {
    /// Boxes of a row.
    const fn boxes(&self) -> usize {
        self.dim / 64
    }

    /// The bytes of a stage of K.
    const fn block(&self) -> usize {
        self.boxes() * self.keys * 128
    }

    /// Loads a block of K or V.
    fn load(&self, of: char, token: &str, n: usize) -> String {
        let (stage, parity) = (format!("{of}Stage"), format!("{of}Parity"));
        let copies = each(0..self.boxes(), |b| {
            format!(
                "add.u32 box, dest, {};
                cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                    [box], [{of}Map, {{{}, kvHead, {token}}}], [b];\n",
                b * self.keys * 128,
                64 * b
            )
        });
        format!(
            "mad.lo.u32 b, {stage}, 8, {of}Empty;
            {}
            mad.lo.u32 b, {stage}, 8, {of}Full;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], {block};
            mad.lo.u32 dest, {stage}, {block}, {of}Tiles;
            {copies}{}",
            wait("b", &parity, n),
            next(&stage, &parity, self.stages[1]),
            block = self.block()
        )
    }

    /// S = Q K^T, 16 numbers of a vector at a time.
    fn scores(&self) -> String {
        let step = |n: usize| {
            format!(
                "add.u64 da, qDesc, {};
                add.u64 db, desc, {};
                wgmma.mma_async.sync.aligned.m64n{}k16.f32.bf16.bf16 {}, da, db, {}, 1, 1, 0, 0;\n",
                n / 4 * 512 + n % 4 * 2,
                n / 4 * self.keys * 8 + n % 4 * 2,
                self.keys,
                list("s", 0, self.keys / 2),
                usize::from(n > 0)
            )
        };
        let steps = each(0..self.dim / 16, step);
        format!("wgmma.fence.sync.aligned;\n{steps}wgmma.commit_group.sync.aligned;\n")
    }

    /// O += P V, 16 keys at a time.
    fn values(&self) -> String {
        let step = |n: usize| {
            format!(
                "add.u64 db, desc, {};
                wgmma.mma_async.sync.aligned.m64n{}k16.f32.bf16.bf16 {}, {}, db, 1, 1, 1, 1;\n",
                128 * n,
                self.dim,
                list("o", 0, self.dim / 2),
                list("p", 4 * n, 4)
            )
        };
        let steps = each(0..self.keys / 16, step);
        format!("wgmma.fence.sync.aligned;\n{steps}wgmma.commit_group.sync.aligned;\n")
    }

    /// Replaces what a row does not see by -2^100.
    fn mask(&self) -> String {
        each(0..self.keys / 2, |i| {
            format!(
                "setp.gt.s32 visible, visible{}, {};
                selp.f32 s{i}, s{i}, 0fF1800000, visible;\n",
                i / 2 % 2,
                i / 4 * 8 + i % 2
            )
        })
    }

    /// Scores to weights.
    fn softmax(&self) -> String {
        let row = |r: usize| {
            let largest = each(0..self.keys / 8, |i| {
                format!(
                    "max.f32 high, high, s{};
                max.f32 high, high, s{};\n",
                    4 * i + 2 * r,
                    4 * i + 2 * r + 1
                )
            });
            let exchange = each([1, 2], |lanes| {
                format!(
                    "shfl.sync.bfly.b32 far, high, {lanes}, 31, -1;
                max.f32 high, high, far;\n"
                )
            });
            format!(
                "mov.f32 high, m{r};
            {largest}{exchange}
            sub.f32 a{r}, m{r}, high;
            mul.f32 a{r}, a{r}, c;
            ex2.approx.ftz.f32 a{r}, a{r};
            mov.f32 m{r}, high;
            mul.f32 t{r}, high, c;
            neg.f32 t{r}, t{r};
            mul.f32 l{r}, l{r}, a{r};\n"
            )
        };
        let weights = each(0..self.keys / 2, |i| {
            let r = i / 2 % 2;
            format!(
                "fma.rn.f32 s{i}, s{i}, c, t{r};
            ex2.approx.ftz.f32 s{i}, s{i};
            add.f32 l{r}, l{r}, s{i};\n"
            )
        });
        format!("{}{weights}", each(0..2, row))
    }

    /// Stores the rows that a lane has, of each 16 rows row `r * 8 + lane / 4`: four lanes exchange what they have of 32 columns.
    fn store(&self, r: usize) -> String {
        let columns = each(0..self.dim / 32, |c| {
            let pack = each(0..4, |b| {
                let first = 16 * c + 4 * b + 2 * r;
                format!(
                    "mul.f32 o{first}, o{first}, l{r};
                mul.f32 o{second}, o{second}, l{r};
                cvt.rn.bf16x2.f32 w{b}, o{second}, o{first};\n",
                    second = first + 1
                )
            });
            let exchange = |pairs: [[usize; 2]; 2], lanes: usize, bit: &str| {
                each(0..2, |n| {
                    let [a, b] = pairs[n];
                    format!(
                        "selp.b32 give{n}, w{a}, w{b}, {bit};
                    selp.b32 keep{n}, w{b}, w{a}, {bit};
                    shfl.sync.bfly.b32 give{n}, give{n}, {lanes}, 31, -1;
                    selp.b32 w{a}, give{n}, keep{n}, {bit};
                    selp.b32 w{b}, keep{n}, give{n}, {bit};\n"
                    )
                })
            };
            format!(
                "{pack}
            and.b32 bit, lane, 1;
            setp.ne.u32 odd, bit, 0;
            and.b32 bit, lane, 2;
            setp.ne.u32 upper, bit, 0;
            {}{}
            @visible st.global.v4.b32 [at+{}], {};\n",
                exchange([[0, 1], [2, 3]], 1, "odd"),
                exchange([[0, 2], [1, 3]], 2, "upper"),
                64 * c,
                list("w", 0, 4)
            )
        });
        format!(
            "add.u32 x, mine, {};
        setp.lt.u32 visible, x, left;
        add.u32 x, x, row;
        mad.lo.u32 x, x, H, head;
        mad.wide.u32 at, x, {}, out;
        and.b32 x, lane, 3;
        mad.wide.u32 at, x, 16, at;
        {columns}",
            8 * r,
            2 * self.dim
        )
    }

    /// The module.
    pub(crate) fn text(&self) -> String {
        let &Self { dim, groups, keys, stages: [ahead, stages], registers: [few, many], is_causal } =
            self;
        let k_at = ahead * groups * self.boxes() * 0x2000;
        let v_at = k_at + stages * self.block();
        let q_full = v_at + stages * self.block();
        let q_empty = q_full + 8 * ahead * groups;
        let k_full = q_empty + 8 * ahead * groups;
        let k_empty = k_full + 8 * stages;
        let (v_full, v_empty) = (k_empty + 8 * stages, k_empty + 16 * stages);
        let init = each(0..ahead, |stage| {
            each(0..groups, |group| {
                let at = 8 * (groups * stage + group);
                format!(
                    "mbarrier.init.shared::cta.b64 [smem+{}], 1;
                mbarrier.init.shared::cta.b64 [smem+{}], 4;\n",
                    q_full + at,
                    q_empty + at
                )
            })
        });
        let init_ring = each(0..stages, |stage| {
            each(0..4, |n| {
                let name = ["kFull", "kEmpty", "vFull", "vEmpty"][n];
                let count = [1, 4 * groups][n % 2];
                format!("mbarrier.init.shared::cta.b64 [{name}+{}], {count};\n", 8 * stage)
            })
        });
        let queries = each(0..groups, |group| {
            let copies = each(0..self.boxes(), |b| {
                format!(
                    "mad.lo.u32 dest, qStage, {}, smem;
                add.u32 dest, dest, {};
                cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                    [dest], [qMap, {{{}, head, row}}], [b];\n",
                    groups * self.boxes() * 0x2000,
                    (self.boxes() * group + b) * 0x2000,
                    64 * b
                )
            });
            format!(
                "mad.lo.u32 b, qStage, {all}, smem;
            add.u32 b, b, {empty};
            {wait}
            mad.lo.u32 b, qStage, {all}, smem;
            add.u32 b, b, {full};
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], {bytes};
            {copies}
            add.u32 row, row, 64;
            {first}",
                all = 8 * groups,
                empty = q_empty + 8 * group,
                full = q_full + 8 * group,
                bytes = self.boxes() * 0x2000,
                wait = wait("b", "qParity", group),
                first = if group == 0 { self.load('k', "kToken", 10) } else { String::new() },
            )
        });
        let causal = "sub.u32 x, row, first;
        add.u32 x, x, mine;
        add.u32 x, x, 1;
        sub.s32 y, x, col;
        min.s32 visible0, visible0, y;
        add.u32 x, x, 8;
        sub.s32 y, x, col;
        min.s32 visible1, visible1, y;\n";
        let mask_first = format!(
            "mul.lo.u32 x, count, {keys};
        setp.eq.u32 visible, x, keys;
        @visible bra WHOLE;
        {}
WHOLE:\n",
            self.mask()
        );
        let mask_more = format!(
            "add.s32 visible0, visible0, {keys};
        add.s32 visible1, visible1, {keys};
        sub.u32 x, row, first;
        mul.lo.u32 y, count, {keys};
        setp.ge.u32 visible, x, y;
        @visible bra ALL;
        {}
ALL:\n",
            self.mask()
        );
        let masks_more = is_causal && 64 * groups > keys;
        let scale_sums = each(0..dim / 2, |i| format!("mul.f32 o{i}, o{i}, a{};\n", i / 2 % 2));
        let pack =
            each(0..keys / 4, |i| format!("cvt.rn.bf16x2.f32 p{i}, s{}, s{};\n", 2 * i + 1, 2 * i));
        let zero =
            each(0..2, |r| format!("mov.f32 m{r}, 0fF1800000;\nmov.f32 l{r}, 0f00000000;\n"))
                + &each(0..dim / 2, |i| format!("mov.f32 o{i}, 0f00000000;\n"));
        let total = each(0..2, |r| {
            let exchange = each([1, 2], |lanes| {
                format!(
                    "shfl.sync.bfly.b32 far, l{r}, {lanes}, 31, -1;\nadd.f32 l{r}, l{r}, far;\n"
                )
            });
            format!("{exchange}rcp.approx.ftz.f32 l{r}, l{r};\n")
        });
        format!(
        "
.version 8.0
.target sm_90a
.address_size 64

.extern .shared .align 1024 .b8 SMEM[];

.visible .entry attend(
        .param .align 64 .b8 mapQ[128], .param .align 64 .b8 mapK[128], .param .align 64 .b8 mapV[128],
        .param .u64 .ptr .global .align 16 result, .param .u64 .ptr .global .align 16 tiles,
        .param .u64 .ptr .global .align 4 starts, .param .u32 countH, .param .f32 logScale)
        .maxntid {threads}, 1, 1
        .minnctapersm 1
{{
        .reg .f32       s<{half_keys}>, o<{half_dim}>, m<2>, l<2>, a<2>, t<2>, high, far, c;
        .reg .b32       p<{quarter_keys}>, w<4>, give<2>, keep<2>, bit;
        .reg .b32       tid, cta, lane, wg, mineWg, after, smem;
        .reg .b32       kFull, kEmpty, vFull, vEmpty, kTiles, vTiles, b, dest, box, before;
        .reg .b32       kStage, kParity, vStage, vParity, qStage, qParity;
        .reg .b32       tile, end, row, first, left, keys, head, kvHead, H, count, kToken, vToken, mine;
        .reg .s32       col, visible0, visible1;
        .reg .b32       x, y;
        .reg .b64       qMap, kMap, vMap, qBase, qDesc, kBase, vBase, desc, da, db, list, entry, out, at;
        .reg .pred      notFirst, stop, go, signal, freeV, visible, ok, wrap, odd, upper;

        mov.u32 tid, %tid.x;
        mov.u32 cta, %ctaid.x;
        mov.u32 smem, SMEM;
        add.u32 kFull, smem, {k_full};
        add.u32 kEmpty, smem, {k_empty};
        add.u32 vFull, smem, {v_full};
        add.u32 vEmpty, smem, {v_empty};
        setp.ne.u32 notFirst, tid, 0;
        @notFirst bra INITIALISED;
        {init}{init_ring}
        fence.proxy.async.shared::cta;
INITIALISED:
        bar.sync 0;
        ld.param.u64 list, [starts];
        mad.wide.u32 list, cta, 4, list;
        ld.global.nc.u32 tile, [list];
        ld.global.nc.u32 end, [list+4];
        mov.b32 kStage, 0;
        mov.b32 vStage, 0;
        mov.b32 qStage, 0;
        shr.u32 wg, tid, 7;
        shfl.sync.idx.b32 wg, wg, 0, 31, -1;
        setp.ne.u32 go, wg, 0;
        @go bra CONSUME;

        setmaxnreg.dec.sync.aligned.u32 {few};
        @notFirst bra EXIT;
        cvta.param.u64 qMap, mapQ;
        cvta.param.u64 kMap, mapK;
        cvta.param.u64 vMap, mapV;
        add.u32 kTiles, smem, {k_at};
        add.u32 vTiles, smem, {v_at};
        mov.b32 kParity, 1;
        mov.b32 vParity, 1;
        mov.b32 qParity, 1;
PRODUCE:
        setp.ge.u32 stop, tile, end;
        @stop bra EXIT;
        ld.param.u64 entry, [tiles];
        mad.wide.u32 entry, tile, 32, entry;
        ld.global.nc.v4.u32 {{row, first, left, keys}}, [entry];
        ld.global.nc.v2.u32 {{head, kvHead}}, [entry+16];
        add.u32 count, keys, {keys} - 1;
        div.u32 count, count, {keys};
        mad.lo.u32 kToken, count, {keys}, first;
        sub.u32 kToken, kToken, {keys};
        mov.u32 vToken, kToken;
        {queries}
        {next_q}
PRODUCE_BLOCK:
        sub.u32 count, count, 1;
        setp.eq.u32 stop, count, 0;
        @stop bra PRODUCE_V;
        sub.u32 kToken, kToken, {keys};
        {load_k}
PRODUCE_V:
        {load_v}
        sub.u32 vToken, vToken, {keys};
        @!stop bra PRODUCE_BLOCK;
        add.u32 tile, tile, 1;
        bra PRODUCE;

CONSUME:
        setmaxnreg.inc.sync.aligned.u32 {many};
        mov.b32 kParity, 0;
        mov.b32 vParity, 0;
        mov.b32 qParity, 0;
        ld.param.f32 c, [logScale];
        ld.param.u32 H, [countH];
        ld.param.u64 out, [result];
        and.b32 lane, tid, 31;
        setp.eq.u32 signal, lane, 0;
        sub.u32 mineWg, wg, 1;
        mad.lo.u32 y, mineWg, {of_group}, smem;
        {q_base}
        add.u32 y, smem, {k_at};
        {k_base}
        add.u32 y, smem, {v_at};
        {v_base}
        rem.u32 after, wg, {groups};
        add.u32 after, after, 1;
        setp.ne.u32 go, mineWg, 0;
        @go bra TILE;
        bar.arrive 1, 256;
TILE:
        setp.ge.u32 stop, tile, end;
        @stop bra LEAVE;
        ld.param.u64 entry, [tiles];
        mad.wide.u32 entry, tile, 32, entry;
        ld.global.nc.v4.u32 {{row, first, left, keys}}, [entry];
        ld.global.nc.u32 head, [entry+16];
        add.u32 count, keys, {keys} - 1;
        div.u32 count, count, {keys};
        // the thread's rows: mine, and mine + 8
        and.b32 x, tid, 0x60;
        shr.u32 x, x, 1;
        shr.u32 y, lane, 2;
        add.u32 x, x, y;
        mad.lo.u32 mine, mineWg, 64, x;
        // how much of the last block they see, from the thread's first column on
        sub.u32 col, count, 1;
        mul.lo.s32 col, col, {keys};
        and.b32 x, lane, 3;
        mad.lo.s32 col, x, 2, col;
        sub.s32 visible0, keys, col;
        mov.b32 visible1, visible0;
        {causal}
        mad.lo.u32 b, qStage, {q_barriers}, smem;
        mad.lo.u32 b, mineWg, 8, b;
        add.u32 b, b, {q_full};
        {wait_q}
        mul.wide.u32 qDesc, qStage, {q_step};
        add.u64 qDesc, qDesc, qBase;
        mad.lo.u32 b, kStage, 8, kFull;
        {wait_k}
        mul.wide.u32 desc, kStage, {k_step};
        add.u64 desc, desc, kBase;
        {zero}{scores}
        wgmma.wait_group.sync.aligned 0;
        mad.lo.u32 b, kStage, 8, kEmpty;
        @signal mbarrier.arrive.shared::cta.b64 _, [b];
        {next_k}{mask_first}{softmax}
        setp.ne.u32 freeV, 0, 0;
        mov.u32 before, vEmpty;
BLOCK:
        wgmma.wait_group.sync.aligned 0;
        @freeV mbarrier.arrive.shared::cta.b64 _, [before];
        {scale_sums}{pack}
        sub.u32 count, count, 1;
        setp.eq.u32 stop, count, 0;
        @stop bra LAST;
        mad.lo.u32 b, kStage, 8, kFull;
        {wait_next_k}
        bar.sync wg, 256;
        mul.wide.u32 desc, kStage, {k_step};
        add.u64 desc, desc, kBase;
        {scores}
        mad.lo.u32 b, vStage, 8, vFull;
        {wait_v}
        mul.wide.u32 desc, vStage, {k_step};
        add.u64 desc, desc, vBase;
        {values}
        mad.lo.u32 before, vStage, 8, vEmpty;
        {next_v}
        bar.arrive after, 256;
        wgmma.wait_group.sync.aligned 1;
        mad.lo.u32 b, kStage, 8, kEmpty;
        @signal mbarrier.arrive.shared::cta.b64 _, [b];
        {next_k}
        {mask_more}
        {softmax}
        mov.pred freeV, signal;
        bra BLOCK;
LAST:
        mad.lo.u32 b, qStage, {q_barriers}, smem;
        mad.lo.u32 b, mineWg, 8, b;
        add.u32 b, b, {q_empty};
        @signal mbarrier.arrive.shared::cta.b64 _, [b];
        {next_q}
        mad.lo.u32 b, vStage, 8, vFull;
        {wait_last_v}
        mul.wide.u32 desc, vStage, {k_step};
        add.u64 desc, desc, vBase;
        {values}{total}
        wgmma.wait_group.sync.aligned 0;
        mad.lo.u32 b, vStage, 8, vEmpty;
        @signal mbarrier.arrive.shared::cta.b64 _, [b];
        {next_v}{store_0}{store_1}
        add.u32 tile, tile, 1;
        bra TILE;
LEAVE:
        setp.ne.u32 go, mineWg, 0;
        @go bra EXIT;
        bar.sync 1, 256;
EXIT:
        ret;
}}
",
        threads = 128 * (1 + groups),
        half_keys = keys / 2,
        half_dim = dim / 2,
        quarter_keys = keys / 4,
        of_group = self.boxes() * 0x2000,
        q_barriers = 8 * groups,
        q_step = groups * self.boxes() * 512,
        k_step = self.block() / 16,
        causal = if is_causal { causal } else { "" },
        mask_first = if is_causal { self.mask() } else { mask_first },
        mask_more = if masks_more { mask_more } else { String::new() },
        next_q = next("qStage", "qParity", ahead),
        next_k = next("kStage", "kParity", stages),
        next_v = next("vStage", "vParity", stages),
        load_k = self.load('k', "kToken", 11),
        load_v = self.load('v', "vToken", 12),
        q_base = descriptor("qBase", "y", 0x4000_0040_0001_0000),
        k_base = descriptor("kBase", "y", 0x4000_0040_0001_0000),
        // V is read along its rows; the next 64 columns are a box further.
        v_base = descriptor("vBase", "y", 0x4000_0040_0000_0000 | (keys as u64) << 19),
        wait_q = wait("b", "qParity", 20),
        wait_k = wait("b", "kParity", 21),
        wait_next_k = wait("b", "kParity", 22),
        wait_v = wait("b", "vParity", 23),
        wait_last_v = wait("b", "vParity", 24),
        scores = self.scores(),
        values = self.values(),
        softmax = self.softmax(),
        store_0 = self.store(0),
        store_1 = self.store(1),
    )
    }
}
