//! The instructions of examples/limits/product as PTX, written without the crate, like `attention.rs`.
//!
//! Shared memory, with 128 or 112 rows of B in each half of a stage (231,488 or 215,104 bytes):
//!   A: 4 x 128 x 128 bytes    B: 4 x 2 x 128 (112) x 128 bytes    D: 2 x 4 x 64 x 32 bf16
//!   column scales: 2 x 256 f32    full: 4 x 8    empty: 4 x 8

use super::attention_by_hand::{descriptor, each, list, next, wait};

/// Elements of a row in 128 bytes, and of a multiplication.
const fn depth(element: &str) -> (usize, usize) {
    if element.len() == 4 && element.as_bytes()[0] == b'b' { (64, 16) } else { (128, 32) }
}

/// The column and the row of a tile: 16 rows of tiles go through all columns before the next.
fn place(column: &str, row: &str) -> String {
    format!(
        "mul.lo.u32 wide, tileCols, 16;
        div.u32 band, tile, wide;
        mul.lo.u32 top, band, 16;
        sub.u32 tall, tileRows, top;
        min.u32 tall, tall, 16;
        mul.lo.u32 inBand, band, wide;
        sub.u32 inBand, tile, inBand;
        div.u32 {column}, inBand, tall;
        mul.lo.u32 {row}, {column}, tall;
        sub.u32 {row}, inBand, {row};
        add.u32 {row}, {row}, top;\n"
    )
}

/// The scales of a stage: of the rows of a lane, and of two blocks of columns, if `go`.
fn block_scales() -> String {
    let rows = each(0..2, |r| {
        format!(
            "mov.f32 rs{r}, 0f00000000;
            and.pred take, in{r}, go;
            @take ld.global.nc.f32 rs{r}, [rowScales+{}];\n",
            32 * r
        )
    });
    format!(
        "{rows}
        @go ld.global.nc.f32 cs0, [leftScales];
        @go ld.global.nc.f32 cs1, [rightScales];
        add.u64 leftScales, leftScales, 4;
        add.u64 rightScales, rightScales, 4;\n"
    )
}

/// A step with sums that go on: four multiplications, and the stage before is empty.
fn step(element: &str, columns: usize) -> String {
    let transposed = if element == "bf16" { ", 0, 0" } else { "" };
    let multiplications = each(0..4, |n| {
        let further = "add.u64 da, da, 2;
            add.u64 db, db, 2;
            setp.eq.u32 acc, 0, 0;\n";
        format!(
            "{}wgmma.mma_async.sync.aligned.m64n{columns}k{}.f32.{element}.{element} {}, da, db, acc, 1, 1{transposed};\n",
            if n > 0 { further } else { "" },
            depth(element).1,
            list("c", 0, columns / 2)
        )
    });
    format!(
        "wgmma.fence.sync.aligned;
        {multiplications}
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 1;
        setp.ne.and.u32 free, kAt, 0, signal;
        @free mbarrier.arrive.shared::cluster.b64 _, [before];
        mad.lo.u32 before, stage, 8, peer;\n"
    )
}

/// A step whose products are scaled before they are added: half of the columns at a time.
fn scaled_step() -> String {
    let factors = each(0..4, |n| format!("mul.f32 f{n}, rs{}, cs{};\n", n % 2, n / 2));
    let halves = each(0..2, |half| {
        let multiplications = each(0..4, |n| {
            format!(
                "add.u64 ea, da, {};
                add.u64 eb, db, {};
                wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {}, ea, eb, {}, 1, 1;\n",
                2 * n,
                1024 * half + 2 * n,
                list("z", 0, 64),
                usize::from(n > 0)
            )
        });
        let release = "mad.lo.u32 before, stage, 8, peer;
            @signal mbarrier.arrive.shared::cluster.b64 _, [before];\n";
        let sums = each(0..64, |i| {
            let c = 64 * half + i;
            format!("fma.rn.f32 c{c}, z{i}, f{}, c{c};\n", 2 * half + i / 2 % 2)
        });
        format!(
            "wgmma.fence.sync.aligned;
            {multiplications}
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            {}{sums}",
            if half == 1 { release } else { "" }
        )
    });
    format!(
        "{factors}
        add.u32 x, kAt, 128;
        setp.lt.u32 go, x, K;
        mad.wide.u32 rowScales, M, 4, rowScales;
        {}{halves}",
        block_scales()
    )
}

/// The sums, scaled, as pairs of bf16.
fn convert(columns: usize, scales: u32) -> String {
    each(0..columns / 4, |pair| {
        let (first, second) = (2 * pair, 2 * pair + 1);
        let scaled = match scales {
            1 => format!(
                "mul.f32 c{first}, c{first}, f;
                mul.f32 c{second}, c{second}, f;\n"
            ),
            2 => {
                let read = format!("ld.shared.v2.f32 {{u, v}}, [mineCols+{}];\n", 16 * pair);
                format!(
                    "{}mul.f32 f, rs{r}, u;
                    mul.f32 c{first}, c{first}, f;
                    mul.f32 f, rs{r}, v;
                    mul.f32 c{second}, c{second}, f;\n",
                    if pair % 2 == 0 { &read } else { "" },
                    r = pair % 2
                )
            }
            _ => String::new(),
        };
        format!("{scaled}cvt.rn.bf16x2.f32 h{pair}, c{second}, c{first};\n")
    })
}

/// Stores a quarter of the columns of a tile.
fn store(columns: usize, quarter: usize, label: &str, [column, row]: [&str; 2]) -> String {
    let boxes = 2 * quarter..(2 * quarter + 2).min(columns / 32);
    let matrices = each(boxes.clone(), |b| {
        each(0..2, |part| {
            format!(
                "stmatrix.sync.aligned.m8n8.x4.shared.b16 [chunk{part}+{}], {};\n",
                b % 4 * 0x1000,
                list("h", 8 * b + 4 * part, 4)
            )
        })
    });
    let copies = each(boxes, |b| {
        format!(
            "add.u32 x, {column}, {};
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [mapD, {{x, {row}}}], [boxes+{}];\n",
            32 * b,
            b % 4 * 0x1000
        )
    });
    format!(
        "cp.async.bulk.wait_group.read 1;
        bar.sync wg, 128;
        {matrices}
        fence.proxy.async.shared::cta;
        bar.sync wg, 128;
        @notFirst bra {label}{quarter};
        {copies}
        cp.async.bulk.commit_group;
{label}{quarter}:\n"
    )
}

/// Stores each quarter of the tile before that `go` does not skip.
fn store_before(columns: usize, skips: &str, label: &str) -> String {
    each(0..4, |quarter| {
        format!(
            "setp.{skips}.u32 go, quarter, {quarter};
            @go bra Skip{label}{quarter};
            {}Skip{label}{quarter}:\n",
            store(columns, quarter, label, ["colBefore", "rowBefore"])
        )
    })
}

/// A kernel.
fn kernel(element: &str, columns: usize, scales: u32) -> String {
    let part = columns / 2 * 128;
    let of_d = 0x10000 + 8 * part;
    let of_scales = of_d + 0x8000;
    let full = of_scales + 2048;
    let prepare = match scales {
        1 => "ld.global.nc.f32 u, [pA];
            ld.global.nc.f32 v, [pB];
            mul.f32 f, u, v;\n"
            .to_owned(),
        2 | 3 => {
            let rows = "shr.u32 x, tid, 5;
                and.b32 x, x, 3;
                shr.u32 down, lane, 2;
                mad.lo.u32 down, x, 16, down;\n";
            let columns = format!(
                "mad.lo.u32 allCols, mineWg, 1024, smem;
                add.u32 allCols, allCols, {of_scales:#x};
                and.b32 x, lane, 3;
                shl.b32 x, x, 1;
                mad.lo.u32 mineCols, x, 4, allCols;
                and.b32 x, tid, 127;
                shl.b32 x, x, 1;
                mad.lo.u32 allCols, x, 4, allCols;\n"
            );
            format!("{rows}{}", if scales == 2 { &columns } else { "" })
        }
        _ => String::new(),
    };
    let tile_scales = match scales {
        2 => {
            let rows = each(0..2, |r| {
                format!(
                    "mov.f32 rs{r}, 0f00000000;
                    setp.lt.u32 go, x, M;
                    @go ld.global.nc.f32 rs{r}, [at+{}];
                    add.u32 x, x, 8;\n",
                    32 * r
                )
            });
            format!(
                "add.u32 x, row, down;
                mad.wide.u32 at, x, 4, pA;
                {rows}
                and.b32 x, tid, 127;
                shl.b32 x, x, 1;
                setp.lt.u32 go, x, {columns};
                add.u32 x, x, col;
                setp.lt.and.u32 go, x, N, go;
                mad.wide.u32 at, x, 4, pB;
                mov.f32 u, 0f00000000;
                mov.f32 v, 0f00000000;
                @go ld.global.nc.v2.f32 {{u, v}}, [at];\n"
            )
        }
        3 => format!(
            "add.u32 x, row, down;
            mad.wide.u32 rowScales, x, 4, pA;
            setp.lt.u32 in0, x, M;
            add.u32 x, x, 8;
            setp.lt.u32 in1, x, M;
            add.u32 y, K, 127;
            shr.u32 y, y, 7;
            shr.u32 x, col, 7;
            mul.lo.u32 x, x, y;
            mad.wide.u32 leftScales, x, 4, pB;
            add.u32 x, col, 128;
            setp.lt.u32 go, x, N;
            selp.u32 y, y, 0, go;
            mad.wide.u32 rightScales, y, 4, leftScales;
            {}
            setp.eq.u32 go, 0, 0;
            {}",
            each(0..128, |i| format!("mov.f32 c{i}, 0f00000000;\n")),
            block_scales()
        ),
        _ => String::new(),
    };
    // What follows in a step, follows the steps, and follows the sums.
    let [meanwhile, rest, then] = if scales == 3 {
        let all = |quarter| store(columns, quarter, "Q", ["col", "row"]);
        [String::new(), String::new(), each(0..4, all)]
    } else {
        let step = store_before(columns, "ne", "Step");
        let pending = "mov.u32 colBefore, col;\nmov.u32 rowBefore, row;\nmov.b32 quarter, 0;\n";
        [
            format!("{step}add.u32 quarter, quarter, 1;\n"),
            format!("MULTIPLIED:\n{}@stop bra LEAVE;\n", store_before(columns, "gt", "Rest")),
            pending.to_owned(),
        ]
    };
    let after = if scales == 3 {
        ""
    } else {
        "wgmma.wait_group.sync.aligned 0;\n@signal mbarrier.arrive.shared::cluster.b64 _, [before];\n"
    };
    let at_end = if scales == 3 { "LEAVE" } else { "MULTIPLIED" };
    let exchange = if scales == 2 {
        "bar.sync wg, 128;\nst.shared.v2.f32 [allCols], {u, v};\nbar.sync wg, 128;\n"
    } else {
        ""
    };
    format!(
        "
.visible .entry multiply_{columns}_{scales}(
        .param .align 64 .b8 tensorA[128], .param .align 64 .b8 tensorB[128], .param .align 64 .b8 tensorD[128],
        .param .u64 .ptr .global .align 4 scalesA, .param .u64 .ptr .global .align 8 scalesB,
        .param .u32 sizeM, .param .u32 sizeN, .param .u32 sizeK)
        .reqnctapercluster 2, 1, 1
        .maxntid 384, 1, 1
        .minnctapersm 1
{{
        .reg .f32       c<128>, z<64>, f<4>, rs<2>, cs<2>, u, v, f;
        .reg .b32       h<64>, chunk<2>, quarter, colBefore, rowBefore, tid, lane, rank, wg, mineWg, smem, full, empty, b, peer, before;
        .reg .b32       stage, parity, M, N, K, tileRows, tileCols, count, stride, tile;
        .reg .b32       wide, band, top, tall, inBand, row, col, kAt, dest, mine, boxes, x, y, down, allCols, mineCols;
        .reg .b64       mapA, mapB, mapD, aBase, bBase, da, db, ea, eb, pA, pB, at, rowScales, leftScales, rightScales;
        .reg .b16       both;
        .reg .pred      notFirst, stop, go, acc, signal, free, ok, wrap, in<2>, take;

        mov.u32 tid, %tid.x;
        mov.u32 rank, %cluster_ctarank;
        mov.u32 smem, SMEM_{columns};
        add.u32 full, smem, {full:#x};
        add.u32 empty, smem, {empty:#x};
        setp.ne.u32 notFirst, tid, 0;
        @notFirst bra INITIALISED;
        {init}
        fence.mbarrier_init.release.cluster;
        fence.proxy.async.shared::cta;
INITIALISED:
        bar.warp.sync -1;
        barrier.cluster.arrive;
        barrier.cluster.wait;
        ld.param.u32 M, [sizeM];
        ld.param.u32 N, [sizeN];
        ld.param.u32 K, [sizeK];
        add.u32 tileRows, M, 255;
        div.u32 tileRows, tileRows, 256;
        add.u32 tileCols, N, {columns} - 1;
        div.u32 tileCols, tileCols, {columns};
        mul.lo.u32 count, tileRows, tileCols;
        mov.u32 tile, %clusterid.x;
        mov.u32 stride, %nclusterid.x;
        mov.b32 stage, 0;
        shr.u32 wg, tid, 7;
        shfl.sync.idx.b32 wg, wg, 0, 31, -1;
        setp.ne.u32 go, wg, 0;
        @go bra CONSUME;

        setmaxnreg.dec.sync.aligned.u32 40;
        @notFirst bra EXIT;
        cvta.param.u64 mapA, tensorA;
        cvta.param.u64 mapB, tensorB;
        mad.lo.u32 mine, rank, {part}, smem;
        mov.b16 both, 3;
        mov.b32 parity, 1;
PRODUCE:
        setp.ge.u32 stop, tile, count;
        @stop bra EXIT;
        {place_load}
        mad.lo.u32 row, row, 2, rank;
        mul.lo.u32 row, row, 128;
        mul.lo.u32 col, col, {columns};
        mad.lo.u32 col, rank, {half_columns}, col;
        mov.b32 kAt, 0;
PRODUCE_STAGE:
        mad.lo.u32 b, stage, 8, empty;
        {wait_empty}
        mad.lo.u32 b, stage, 8, full;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [b], {bytes};
        mad.lo.u32 dest, stage, 0x4000, smem;
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [dest], [mapA, {{kAt, row}}], [b];
        mad.lo.u32 dest, stage, {two_parts}, mine;
        add.u32 dest, dest, 0x10000;
        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster
            [dest], [mapB, {{kAt, col}}], [b], both;
        {next}
        add.u32 kAt, kAt, {depth};
        setp.lt.u32 go, kAt, K;
        @go bra PRODUCE_STAGE;
        add.u32 tile, tile, stride;
        bra PRODUCE;

CONSUME:
        setmaxnreg.inc.sync.aligned.u32 232;
        cvta.param.u64 mapD, tensorD;
        mov.b32 parity, 0;
        and.b32 lane, tid, 31;
        sub.u32 mineWg, wg, 1;
        mad.lo.u32 y, mineWg, 0x2000, smem;
        {a_base}
        add.u32 y, smem, 0x10000;
        {b_base}
        setp.lt.u32 signal, lane, 2;
        rem.u32 x, lane, 2;
        mapa.shared::cluster.u32 peer, empty, x;
        mov.u32 before, peer;
        and.b32 x, tid, 127;
        setp.ne.u32 notFirst, x, 0;
        mad.lo.u32 boxes, mineWg, 0x4000, smem;
        add.u32 boxes, boxes, {of_d:#x};
        shr.u32 x, x, 5;
        and.b32 y, lane, 15;
        mad.lo.u32 x, x, 16, y;
        mad.lo.u32 dest, x, 64, boxes;
        shr.u32 y, lane, 4;
        shr.u32 x, lane, 1;
        and.b32 x, x, 3;
        xor.b32 y, y, x;
        shl.b32 y, y, 4;
        add.u32 chunk0, dest, y;
        xor.b32 x, y, 32;
        add.u32 chunk1, dest, x;
        ld.param.u64 pA, [scalesA];
        ld.param.u64 pB, [scalesB];
        {prepare}
        mov.b32 quarter, 4;
TILE:
        setp.ge.u32 stop, tile, count;
        @stop bra {at_end};
        {place_tile}
        mad.lo.u32 row, row, 2, rank;
        mul.lo.u32 row, row, 128;
        mad.lo.u32 row, mineWg, 64, row;
        mul.lo.u32 col, col, {columns};
        {tile_scales}
        mov.b32 kAt, 0;
STEP:
        mad.lo.u32 b, stage, 8, full;
        {wait_full}
        mul.wide.u32 da, stage, 0x400;
        add.u64 da, da, aBase;
        mul.wide.u32 db, stage, {b_step};
        add.u64 db, db, bBase;
        setp.ne.u32 acc, kAt, 0;
        {step}{meanwhile}{next}
        add.u32 kAt, kAt, {depth};
        setp.lt.u32 go, kAt, K;
        @go bra STEP;
        {after}
        {rest}
        {exchange}{convert}{then}
        add.u32 tile, tile, stride;
        bra TILE;
LEAVE:
        cp.async.bulk.wait_group 0;
EXIT:
        bar.warp.sync -1;
        barrier.cluster.arrive;
        barrier.cluster.wait;
        ret;
}}
",
        empty = full + 32,
        init = each(0..4, |stage| format!(
            "mbarrier.init.shared::cta.b64 [full+{at}], 1;
            mbarrier.init.shared::cta.b64 [empty+{at}], 16;\n",
            at = 8 * stage
        )),
        place_load = place("col", "row"),
        place_tile = place("col", "row"),
        half_columns = columns / 2,
        wait_empty = wait("b", "parity", 0),
        wait_full = wait("b", "parity", 1),
        bytes = 0x4000 + 2 * part,
        two_parts = 2 * part,
        b_step = 2 * part / 16,
        next = next("stage", "parity", 4),
        depth = depth(element).0,
        a_base = descriptor("aBase", "y", 0x4000_0040_0001_0000),
        b_base = descriptor("bBase", "y", 0x4000_0040_0001_0000),
        step = if scales == 3 { scaled_step() } else { step(element, columns) },
        convert = convert(columns, scales),
    )
}

/// A module of a kernel for each of these columns and scales.
pub(crate) fn text(element: &str, columns: &[usize], scales: &[u32]) -> String {
    let shared = |n| format!(".extern .shared .align 1024 .b8 SMEM_{}[];\n", columns[n]);
    let kernels = |n| each(0..scales.len(), |scale| kernel(element, columns[n], scales[scale]));
    format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n{}{}",
        each(0..columns.len(), shared),
        each(0..columns.len(), kernels)
    )
}
