//! Generic kernels and functions: the symbols and the text of their instances, and how the host chooses one.
use ptx::prelude::*;

#[path = "read_back/mod.rs"]
mod read_back;

/// The sum of two numbers, in a row that is as long as a block.
#[ptx::module(target = sm_80)]
mod rows {
    use super::*;

    /// Adds a number to each number of a row.
    #[kernel(for(T in [f32, u32, f64], N: u32 in [64, 128]), reqntid = N)]
    pub fn add(src: Ptr<Global, T>, dst: Ptr<Global, T>, more: T) {
        const BYTES: usize = size_of::<T>();
        ptx! {
            .shared .T row[N];
            let %i, %at: u32;
            let %x, %more: T;
            let %from, %to: Ptr<Global, T>;
            mov.u32 %i, %tid.x;
            lea.global.u64 %from, src[%i];
            ld.global.T %x, [%from];
            mov.u32 %at, row;
            mad.lo.u32 %at, %i, #(BYTES), %at;
            st.shared.T [%at], %x;
            bar.sync 0;
            for n in 0..N / 64 { ld.shared.T %x, [row + #(n * BYTES)]; }
            ld.param.T %more, [more];
            call (%x), sum::<T>, (%x, %more);
            lea.global.u64 %to, dst[%i];
            st.global.T [%to], %x;
            ret;
        }
    }

    #[device(for(T in [f32, u32, f64]))]
    fn sum(x: Reg<T>, y: Reg<T>) -> Reg<T> {
        ptx! { add.T returned, x, y; ret; }
    }

    /// Not generic, but it calls what is.
    #[kernel]
    pub fn once(dst: Ptr<Global, u32>) {
        ptx! {
            .reg .u32 %x;
            .reg .u64 %to;
            call (%x), sum::<u32>, (1, 2);
            ld.param.u64 %to, [dst];
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

#[test]
fn an_instance_is_what_would_be_written_for_it() {
    let text = rows::MODULE.to_string();
    for symbol in ["add_f32_64", "add_f32_128", "add_u32_64", "add_u32_128", "add_f64_64"] {
        assert!(text.contains(&format!(".visible .entry {symbol}(")), "{text}");
    }
    let (_, instance) = text.split_once(".entry add_f64_128(").expect("the last instance");
    let (instance, _) = instance.split_once("ret;").expect("its end");
    for line in [
        ".param .f64 more",
        ".reqntid 128",
        ".shared .f64 row[128];",
        "mad.lo.u32 %at, %i, 8, %at;",
        "ld.shared.f64 %x, [row+0];",
        "ld.shared.f64 %x, [row+8];",
        "call (%x), sum_f64, (%x, %more);",
    ] {
        assert!(instance.contains(line), "{line}\n{instance}");
    }
    assert!(text.contains("call (%x), sum_u32, (1, 2);"), "{text}");
    let found = rows::MODULE.check();
    assert!(found.is_empty(), "{}", found.iter().map(ToString::to_string).collect::<String>());
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&rows::MODULE) {
            panic!("{refused}\n{text}");
        }
    }
}

#[test]
fn the_host_chooses_an_instance_by_its_arguments() {
    const SYMBOL: &str = rows::add::<f64, 128>().name();
    assert_eq!(SYMBOL, "add_f64_128");
    assert_eq!(rows::add::<u32, 64>().name(), rows::add_u32_64().name());
    assert_eq!(rows::add::<f32, 128>().ir().directives.len(), 1);
}

/// Floats of 16 bits, and packed ones, of which `ld` and `mov` only know the bits.
#[ptx::module(target = sm_90)]
mod narrow {
    use super::*;

    #[kernel(for(T in [f32, f16, bf16, Bf16x2]))]
    pub fn sums(data: Ptr<Global, T>) {
        ptx! {
            .shared .T last;
            let %x, %y: T;
            .reg .u64 %at;
            .reg .pred %p;
            ld.param.u64 %at, [data];
        _START:
            ld.global.T %x, [%at];
            mov.T %y, %x;
            setp.gt.u64 %p, %at, 4096;
            @!%p add.T %x, %x, %y;
            @%p st.shared.T [last], %x;
            total::<T> %x, %y;
            st.global.T [%at], %x;
            ret;
        }
    }
}

/// A number and another one.
#[ptx::fragment]
fn total<T>(x: &mut Reg<T>, y: Reg<T>) {
    ptx! {
        let %z: T;
        mov.T %z, y;
        add.T x, x, %z;
    }
}

#[test]
fn narrow_types_are_moved_as_bits() {
    let text = narrow::MODULE.to_string();
    for line in [
        ".shared .b16 last;",
        "ld.global.b16 %x, [%at];",
        "mov.b16 %z, %y;",
        "add.bf16 %x, %x, %z;",
        "@!%p add.f16 %x, %x, %y;",
        "@%p st.shared.b32 [last], %x;",
        "add.bf16x2 %x, %x, %y;",
        "ld.global.f32 %x, [%at];",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&narrow::MODULE) {
            panic!("{refused}\n{text}");
        }
    }
}

/// The method of a loaded module, which needs a GPU to be called.
#[cfg(feature = "cuda")]
#[test]
fn a_loaded_module_has_a_method_for_all_instances() {
    fn _chosen(loaded: &rows::Loaded) {
        let _ = loaded.add::<f32, 64>();
        let _ = loaded.add_f32_64();
    }
}

macro_rules! scaled {
    ($($ty:ident),*) => {
        #[ptx::module(target = sm_90a)]
        mod scaled {
            use super::*;

            #[kernel(for(T in [$($ty),*]))]
            pub fn scale(dst: Ptr<Global, T>) {
                ptx! {
                    .reg .T %x;
                    .reg .u64 %to;
                    ld.param.u64 %to, [dst];
                    ld.global.T %x, [%to];
                    twice::<T> %x, %x;
                    st.global.T [%to], %x;
                    ret;
                }
            }
        }
    };
}

/// A fragment of the type of the kernel that uses it.
#[ptx::fragment]
fn twice<T>(x: Reg<T>) -> Reg<T> {
    ptx! { add.T returned, x, x; }
}

scaled!(f32, u64);

#[test]
fn instances_may_come_out_of_a_macro_and_use_fragments() {
    let text = scaled::MODULE.to_string();
    assert!(text.contains("add.f32 %x, %x, %x;") && text.contains("add.u64 %x, %x, %x;"), "{text}");
    for ptxas in xtask::oracles() {
        ptxas.assemble(&scaled::MODULE).expect("it assembles");
    }
}

/// A tile of rows of 128 bytes, of several types.
#[tensor_map(for(T in [bf16, f32], N: u32 in [8, 16]), element = T, box = [128 / size_of::<T>(), N], swizzle = B128)]
pub struct Rows;

/// Storage, structs and maps of each instance.
#[ptx::module(target = sm_90a)]
mod tiles {
    use super::*;

    #[shared(for(T in [bf16, f32], N: u32 in [8, 16]))]
    static TILE: Tile<Rows<T, N>>;
    #[shared(align = 4, for(T in [bf16, f32]))]
    static LAST: [T; 4];
    #[shared]
    static FULL: Mbarrier;
    #[constant(for(N: u32 in [8, 16]))]
    static COUNT: u32 = N * 2;

    /// Loads a tile, and keeps an element of each row.
    #[kernel(for(T in [bf16, f32], N: u32 in [8, 16]), reqntid = N)]
    pub fn column(from: TensorMap<Rows<T, N>>, to: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %first, %done;
            let %row, %at, %x: u32;
            let %map: u64;
            let %to: Ptr<Global, u32>;
            mov.u32 %row, %tid.x;
            setp.eq.u32 %first, %row, 0;
            cvta.param.u64 %map, from;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            @%first fence.mbarrier_init.release.cluster;
            bar.sync 0;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [FULL], #(Rows::<T, N>::TRANSACTION_BYTES);
            @%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE::<T, N>], [%map, {0, 0}], [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            lea.shared.u32 %at, TILE::<T, N>[%row][0];
            ld.shared.b32 %x, [%at];
            st.shared.b32 [LAST::<T>], %x;
            lea.global.u64 %to, to[%row];
            st.global.u32 [%to], %x;
            ld.const.u32 %x, [COUNT::<N>];
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

#[test]
fn storage_and_maps_are_those_of_the_instance() {
    let text = tiles::MODULE.to_string();
    for line in [
        ".shared .align 1024 .b8 TILE_bf16_8[1024];",
        ".shared .align 1024 .b8 TILE_f32_16[2048];",
        ".shared .align 4 .f32 LAST_f32[4];",
        ".const .u32 COUNT_16 = 32;",
        "mov.u32 %at, TILE_f32_16+0;",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(Rows::<bf16, 16>::BYTES, Rows_bf16_16::BYTES);
    assert_eq!(Rows::<f32, 8>::element_offset([4, 1]), Some(128));
    let found = tiles::MODULE.check();
    assert!(found.is_empty(), "{}", found.iter().map(ToString::to_string).collect::<String>());
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&tiles::MODULE) {
            panic!("{refused}\n{text}");
        }
    }
}

/// The alignment and the size of what is passed depend on a type; rustc knows both.
#[ptx::module(target = sm_80)]
mod passed {
    use super::*;

    const PAIR: usize = size_of::<[u64; 2]>();

    #[device(for(T in [u32, u64]))]
    fn first(#[align(PAIR)] pair: [T; 2]) -> Reg<T> {
        ptx! {
            ld.param.T returned, [pair];
            ret;
        }
    }

    #[kernel(for(T in [u32, u64]))]
    pub fn passes(dst: Ptr<Global, T>) {
        const BYTES: usize = 2 * size_of::<T>();
        ptx! {
            .reg .b64 %to;
            .reg .T %x;
            .const .align #(PAIR) .u32 %bytes[2] = { #(BYTES), #(PAIR / BYTES) };
            .param .align #(PAIR) .b8 %pair[#(BYTES)];
            st.param.v2.T [%pair], { 1, 2 };
            call (%x), first::<T>, (%pair);
            ld.param.u64 %to, [dst];
            st.global.T [%to], %x;
            ld.const.T %x, [%bytes];
            ret;
        }
    }

    /// One of three instances needs the allowance; whether it does is decided here by rustc, and in the next by the macro.
    #[kernel(for(N: usize in [1, 2, 4]), allow(A020))]
    pub fn beyond() {
        ptx! {
            .shared .align 8 .b8 %row[#(PAIR)];
            .reg .b64 %x;
            ld.shared.b64 %x, [%row + #(N * 8 - 8)];
            ret;
        }
    }

    #[kernel(for(T in [u32, u64]), allow(A020))]
    pub fn beyond_four() {
        ptx! {
            .shared .align 8 .b8 %row[4];
            .reg .T %x;
            ld.shared.T %x, [%row];
            ret;
        }
    }
}

#[test]
fn what_depends_on_a_type_fits_in_each_instance() {
    read_back::assert_accepted(&passed::MODULE);
}

/// A module with parameters: its items have them, with what they name.
#[ptx::module(target = sm_90a, for(T in [bf16, f32], N: u32 in [32, 64]))]
mod stages {
    use super::*;

    const STAGES: usize = 2 * N / 32;

    /// A stage of the ring.
    #[tensor_map(element = T, box = [16, N])]
    pub struct Stage;

    #[ptx::padded]
    #[derive(PtxType)]
    #[repr(C)]
    struct Ring {
        tiles: [Tile<Stage>; STAGES],
        sums: [T; N],
    }

    impl Ring {
        const BYTES: usize = size_of::<Self>();
    }

    /// Generic itself, without the parameters of the module.
    #[derive(PtxType)]
    #[repr(C)]
    struct Pair<U> {
        first: U,
        second: U,
    }

    #[shared]
    static SMEM: Ring;
    #[global]
    static ENDS: Pair<T>;
    #[constant(for(SCALE: u32 in [1, 2]))]
    static TABLE: [u32; 2] = [SCALE, N];

    /// Addresses in a struct.
    #[derive(PtxType)]
    #[repr(C)]
    pub(crate) struct Entry {
        code: u64,
        ends: u64,
    }
    #[global]
    pub(crate) static ENTRY: Entry = Entry { code: addr(first), ends: addr(ENDS) };

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[device]
    pub fn first(_ends: Reg<u32>) -> Reg<T> {
        ptx! {
            .reg .b64 %at;
            lea.shared.u64 %at, SMEM.sums[0];
            ld.shared.T returned, [%at];
            ret;
        }
    }

    /// The parameter has the name of another item.
    #[kernel(reqntid = N)]
    pub fn k(dst: Ptr<Global, T>, first: u32) {
        ptx! {
            .reg .b64 %to, %tile;
            .reg .u32 %n, %bytes;
            .reg .T %x;
            for stage in 0..STAGES { lea.shared.u64 %tile, SMEM.tiles[stage]; }
            // `%` is a remainder before a space, and a register before a name.
            for i in 0..4 { lea.shared.u64 %tile, SMEM.tiles[i % STAGES]; }
            ld.const.u32 %n, [TABLE::<2>];
            ld.param.u32 %n, [first];
            mov.u32 %bytes, #(Ring::BYTES);
            ld.global.T %x, [ENDS.second];
            ld.param.u64 %to, [dst];
            st.global.T [%to], %x;
            ret;
        }
    }

    /// What is not `pub` may take what is not.
    #[kernel]
    pub(crate) fn takes(map: TensorMap<Hidden>) {
        ptx! { .reg .b64 %_map; mov.b64 %_map, map; ret; }
    }

    #[tensor_map(element = T, box = [16, N])]
    pub(crate) struct Hidden;

    /// With a parameter of its own.
    #[kernel(for(M: u32 in [1, 2]))]
    pub fn own(dst: Ptr<Global, T>) {
        ptx! {
            .reg .b64 %to;
            .reg .T %x;
            call (%x), first, (#(M * N - N));
            call (%x), first::<T, N>, (1);
            ld.param.u64 %to, [dst];
            st.global.T [%to], %x;
            ret;
        }
    }
}

/// Another module calls an instance.
#[ptx::module(target = sm_90a)]
mod of_stages {
    use super::*;

    #[kernel]
    pub fn calls(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %to;
            .reg .f32 %x;
            call (%x), super::stages::first::<f32, 32>, (1);
            ld.param.u64 %to, [dst];
            st.global.f32 [%to], %x;
            ret;
        }
    }
}

#[test]
fn a_module_has_parameters_for_all_of_its_items() {
    read_back::assert_accepted(&stages::MODULE);
    read_back::assert_accepted(&of_stages::MODULE);
    assert_eq!(stages::k::<bf16, 64>().name(), "k_bf16_64");
    assert_eq!(stages::own::<f32, 32, 2>().name(), "own_f32_32_2");
    let ir = stages::MODULE.ir();
    assert_eq!(ir.functions.iter().filter(|it| it.name.starts_with("own_")).count(), 8);
    let sizes = ir.variables.iter().filter(|it| it.name.starts_with("SMEM_"));
    let sizes: Vec<_> = sizes.map(|it| it.ty.size()).collect();
    assert_eq!(sizes, [2176, 8320, 4224, 16640].map(Some));
}

/// Items that a generic module finds behind its own, if it does not find those.
#[allow(dead_code, unreachable_pub)]
mod around {
    pub const STEP: u32 = 7;
    pub const fn rows(x: u32) -> u32 {
        x + 1000
    }
}

/// What a name means where it stands: an item of the same instance, unless something nearer has that name.
#[ptx::module(
    target = sm_80,
    for(
        C: u32 in [32, 64],
    ),
)]
mod names {
    use super::*;
    #[allow(unused_imports)]
    use around::*;

    pub const STEP: u32 = C;
    pub const fn rows(x: u32) -> u32 {
        x / C
    }
    /// A parameter has the name of a function.
    pub const fn twice(rows: u32) -> u32 {
        rows * 2
    }

    #[derive(PtxType)]
    #[repr(C)]
    pub struct Head {
        pub rows: u32,
        pub more: [u32; 2],
    }
    impl Head {
        const BYTES: u32 = STEP + 1;

        const fn rows(&self) -> u32 {
            self.rows
        }
    }

    #[constant]
    static HEAD: Head = Head { rows: rows(256), more: [C, 2] };
    #[constant]
    static ROW: [u32; 4] = [STEP, twice(4), Head::BYTES, Head { rows: 3, more: [C, 0] }.rows()];

    /// It has the name of an opcode.
    #[device]
    fn add(x: Reg<u32>) -> Reg<u32> {
        ptx! {
            add.u32 returned, x, #(STEP);
            ret;
        }
    }

    #[device(for(M: u32 in [64, 128]))]
    fn step() -> Reg<u32> {
        ptx! { mov.u32 returned, M; ret; }
    }

    #[kernel(reqntid = rows(4096))]
    pub fn k(dst: Ptr<Global, u32>, rows: u32) {
        ptx! {
            .reg .b64 %to;
            .reg .u32 %rows, %C;
            .reg .pred %p;
            ld.param.u64 %to, [dst];
            ld.param.u32 %rows, [rows];
            setp.eq.u32 %p, %rows, 0;
            ld.const.u32 %rows, [HEAD.rows];
            mov.u32 %C, #(rows(128));
            st.global.u32 [%to], #(STEP);
            st.global.u32 [%to + 4], %C;
            st.global.u32 [%to + 8], #(Head { rows: 5, more: [0, 0] }.rows);
            for i in 0..8 { ld.const.u32 %rows, [ROW[i % (STEP / C * 4)]]; if i%C == 1 { add.u32 %C, %C, C; } }
            call (%rows), add, (%rows);
            call (%rows), step::<{ 2 * C }>, ();
            @%p bra STEP;
        STEP:
            ret;
        }
    }
}

#[test]
fn a_name_means_what_is_nearest() {
    let text = names::MODULE.to_string();
    for (instance, expected) in [
        (
            "k_32(",
            [
                "[%to], 32",
                "%C, 4;",
                "[%to+8], 5",
                "add_32, (",
                "step_32_64, (",
                ".reqntid 128",
                "%C, 32;",
            ],
        ),
        (
            "k_64(",
            [
                "[%to], 64",
                "%C, 2;",
                "[%to+8], 5",
                "add_64, (",
                "step_64_128, (",
                ".reqntid 64",
                "%C, 64;",
            ],
        ),
    ] {
        let (_, kernel) = text.split_once(&format!(".entry {instance}")).expect("the kernel");
        for expected in expected {
            assert!(kernel.contains(expected), "{expected}:\n{kernel}");
        }
    }
    assert!(text.contains("ROW_32[4] = {32, 8, 33, 3}"), "{text}");
    assert!(text.contains("    add.u32 returned, x, "), "{text}");
}
