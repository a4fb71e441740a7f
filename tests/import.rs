//! PTX files as Rust modules.

use std::path::Path;

use expect_test::expect;
use ptx::ir::{Init, Linkage, Location};
use ptx::prelude::*;
use ptx::{DeviceFunction, Kernel, Variable};

// Relative to this file, as with `include_str!`, or else to the package.
ptx::import!("import/hand.ptx");
ptx::import!("import/linked.ptx");
ptx::import!("import/hazard.ptx", allow(A034));
#[path = "import/in_package.rs"]
mod in_package;

use in_package::untyped;

/// `Config` of `blur.cu`, with named padding.
#[ptx::padded]
#[derive(PtxType, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Config {
    gain: f32,
    steps: i32,
    bias: f64,
    mode: u8,
}

ptx::import!(
    /// The PTX that nvcc generates for `blur.cu`.
    pub mod blur = concat!(env!("CARGO_MANIFEST_DIR"), "/import/blur.ptx"),
    names(
        _ZN5image4rowsEPKfPf6Configi = rows,
        fill_int_32 = fill,
        "$str$1" = COLUMNS,
    ),
    types(
        #[kernel(
            requires(src.len() >= n as u64, dst.len() >= n as u64, n > 0),
            grid = (n as u32).div_ceil(256),
            unsafe(safe_launch)
        )]
        fn rows(#[readonly] src: Ptr<Global, f32>, dst: Ptr<Global, f32>, config: Config, n: i32),
        columns.param_0 = Ptr<Global, V4<f32>>,
        fill_float_64.param_0 = Ptr<Global, f32>,
        TAPS = [f32; 5],
        DEFAULTS = Config,
        r#type = [i32; 3],
        scratch = [V4<f32>],
        names = [Ptr<Generic, u8>; 2],
    ),
);

ptx::import!(
    pub mod triton = "import/triton.ptx",
    types(
        fn vadd(
            #[readonly] x: Ptr<Global, f32>,
            #[readonly] y: Ptr<Global, f32>,
            out: Ptr<Global, f32>,
            n: i32,
            _: _,
            _: u64,
        ),
    ),
);

ptx::assembles!(hand, linked, blur, untyped, triton);

/// What `docs/guide/src/comparison.md` says of the kernel that pyptx wrote.
#[test]
fn two_mistakes_in_a_file_of_pyptx() {
    let right = text("pyptx.ptx");
    let codes = |text: &str| -> Vec<&str> {
        ptx::Module::parse(text).check().iter().filter_map(|it| it.code).collect()
    };
    assert_eq!(codes(&right), [""; 0]);
    assert_eq!(codes(&right.replace("smem_0[32]", "smem_0[28]")), ["A020", "A020"]);
    assert_eq!(codes(&right.replace("bar.sync 0;", "")), ["A109"]);
    assert_eq!(codes(&right.replace("bar.sync 0;", "barrier.sync 0;")), [""; 0]);
}

fn text(name: &str) -> String {
    let folder = tests::root().join("tests/import");
    std::fs::read_to_string(folder.join(name)).expect("the file exists")
}

#[test]
fn the_text_is_the_file() {
    for (module, file) in [
        (&hand::MODULE, "hand.ptx"),
        (&linked::MODULE, "linked.ptx"),
        (&untyped::MODULE, "blur.ptx"),
        (&blur::MODULE, "blur.ptx"),
        (&triton::MODULE, "triton.ptx"),
    ] {
        assert_eq!(module.to_string(), text(file));
        assert!(module.check().is_empty(), "{:?}", module.check());
    }
    assert_eq!((untyped::MODULE.name, blur::MODULE.name), ("untyped", "blur"));
    assert_eq!(blur::MODULE.target, ptx::Target::Sm80);
    assert_eq!(blur::MODULE.version, Some(ptx::Version::new(9, 0)));
    assert_eq!(hand::MODULE.texture_mode, ptx::TextureMode::Independent);
}

/// The arguments of a kernel of `hand.ptx`.
type Params = (Ptr<Global, B8, U16>, Ptr<Shared, B8, U4>, Ptr<Generic, B8, U4>, [B8; 128], f16);

/// The arguments of a kernel of `blur.cu`.
type Rows = (Ptr<Global, f32>, Ptr<Global, f32>, Config, i32);

/// The types without any given by the user.
#[test]
fn declarations_have_default_types() {
    let _: &Variable<Const, [B8; 20]> = &untyped::TAPS;
    let _: &Variable<Global, u32> = &untyped::launches;
    let _: &Variable<Global, [u64; 2]> = &untyped::names;
    let _: &Variable<Global, [B8; 12]> = &untyped::r#type;
    let _: &Variable<Shared, [B8]> = &untyped::scratch;
    let _: Kernel<(u64, u64, [B8; 24], u32)> = untyped::image_rows();
    let _: Kernel<(u64, f32)> = untyped::fill_float_64();
    let _: Kernel<(u64, u32)> = untyped::fill_int_32();
    let _: DeviceFunction<(B64, B32, B32), B32> = untyped::weigh();

    let _: &Variable<Global, TexRef> = &hand::image;
    let _: &Variable<Const, [V4<f32>; 2]> = &hand::EDGES;
    let _: &Variable<Const, [i16; 3]> = &hand::offsets;
    let _: &Variable<Global, [B8]> = &linked::elsewhere;
    let _: &Variable<Global, Family<f32, 4>> = &hand::lane;
    let _: DeviceFunction<(f32,), f32> = hand::twice();
    let _: Kernel<(u64,)> = linked::r#use();
    let _: DeviceFunction<(B32, B32), B32> = linked::add();
    let _: DeviceFunction<(B64, B64), B32> = hand::vprintf();
    let _: Kernel<Params> = hand::r#type();
}

/// The types that the user names.
#[test]
fn declarations_have_the_types_that_the_user_names() {
    let _: &Variable<Const, [f32; 5]> = &blur::TAPS;
    let _: &Variable<Shared, [V4<f32>]> = &blur::scratch;
    let _: Kernel<Rows> = blur::rows();
    let _: Kernel<(Ptr<Global, V4<f32>>, u64)> = blur::columns();
    let _: Kernel<(u64, u32)> = blur::fill();
    let _: &Variable<Global, [B8; 8]> = &blur::COLUMNS;

    // The names in PTX do not change.
    assert_eq!(blur::rows().name(), "_ZN5image4rowsEPKfPf6Configi");
    assert_eq!(blur::COLUMNS.name(), "$str$1");
    assert_eq!(blur::rows().params()[2].variable.name, "_ZN5image4rowsEPKfPf6Configi_param_2");
    assert_eq!(blur::rows().param_bytes(), untyped::image_rows().param_bytes());
    assert_eq!((blur::scratch.align(), blur::scratch.bytes(3)), (16, 48));
    assert!(triton::vadd().params()[0].readonly);
    let pointer = triton::vadd().params()[2].pointer.expect("it is one");
    assert_eq!((pointer.space, pointer.alignment()), (Some(ptx::Space::Global), Some(4)));
}

/// Initial values, which constants can use.
#[test]
fn initial_values_are_those_of_the_file() {
    const TAPS: [f32; 5] = *blur::TAPS.initial().unwrap();
    assert_eq!(TAPS.map(f32::to_bits), [0.0625_f32, 0.25, 0.375, 0.25, 0.0625].map(f32::to_bits));
    let defaults = blur::DEFAULTS.initial().unwrap();
    assert_eq!((defaults.gain, defaults.steps), (1.5, 4));
    assert_eq!((defaults.bias, defaults.mode), (0.25, 2));
    assert_eq!(untyped::launches.initial(), Some(&7));
    assert_eq!(untyped::counter.initial(), None);
    assert_eq!(untyped::_str.initial().unwrap().map(|byte| byte.0), *b"rows\0");

    assert_eq!(hand::offsets.initial(), Some(&[-1, 2, 0x7FFF]));
    assert_eq!(hand::EDGES.initial().unwrap()[0], V4::new([0.5, 1.0, 0.0, 2.5]));
    assert_eq!(hand::_pi_.initial(), Some(&core::f64::consts::PI));
    assert_eq!(hand::_pi.initial(), Some(&3));
    // Addresses are known only when the module is loaded.
    assert_eq!(hand::table.initial(), Some(&[0; 3]));
    let Init::Linked(linked) = hand::table.ir().init else {
        panic!("its value contains addresses")
    };
    let symbols: Vec<_> = linked.links.iter().map(|link| (link.at, link.address.symbol)).collect();
    assert_eq!(symbols, [(0, "offsets"), (8, "twice")]);
    let Init::Linked(linked) = hand::address.ir().init else {
        panic!("its value contains addresses")
    };
    assert_eq!(linked.links.len(), 3);
    assert_eq!(linked.links[2].byte.map(ptx::ir::Byte::index), Some(2));
}

#[test]
fn declarations_are_those_of_the_file() {
    assert_eq!(hand::_match.ir().linkage, Linkage::Weak);
    assert!(hand::_match.ir().managed);
    assert_eq!(hand::r#match.initial(), Some(&1));
    assert_eq!(linked::elsewhere.ir().linkage, Linkage::Extern);
    assert_eq!(hand::dynamic.ir().linkage, Linkage::Dynamic);
    assert_eq!((hand::EDGES.align(), hand::tile.bytes()), (16, 1024));
    let kernel = hand::r#type().ir();
    assert_eq!(kernel.directives[0].values, [32, 2, 1]);
    assert_eq!((kernel.calls, kernel.linkage), (["twice"].as_slice(), Linkage::Visible));
    assert_eq!(kernel.params[3].variable.alignment(), Some(64));
    // Variables of the kernel, of its functions and of the module.
    assert_eq!(hand::r#type().static_shared_bytes(), 1024 + 72);
    assert_eq!(hand::r#type().dynamic_shared_bytes(), None);
    assert_eq!(blur::columns().static_shared_bytes(), 256);
}

/// Locations are positions in the file, under the name that rustc would use.
#[test]
fn declarations_are_located_in_the_file() {
    let place = |place: Option<ptx::ir::DeclaredAt<'_>>| {
        let Location { file, line, column } = place.expect("it has one").location().expect("one");
        let file = Path::new(file).file_name().expect("a file").to_string_lossy();
        format!("{file}:{line}:{column}")
    };
    assert_eq!(place(hand::tile.ir().place), "hand.ptx:18:32");
    assert_eq!(place(hand::r#type().ir().place), "hand.ptx:34:17");
    // The position of its body.
    assert_eq!(place(untyped::weigh().ir().place), "blur.ptx:231:35");
    let file = hand::tile.ir().place.unwrap().location().unwrap().file;
    assert!(Path::new(file).ends_with("tests/import/hand.ptx"), "{file}");
}

/// Findings are located in the file.
#[test]
fn findings_are_located_in_the_file() {
    assert!(hazard::MODULE.check().is_empty(), "{:?}", hazard::MODULE.check());
    // Without the allowance for the whole file.
    let rows = ptx::ir::Function { allow: &[], ..*hazard::rows().ir() };
    let functions = [&rows];
    let strict = ptx::ir::Module { variables: &[], functions: &functions, ..*hazard::MODULE.ir() };
    let found = ptx::Module::new(strict).check();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(found.rule().code, "A034");
    assert!(found.message().ends_with("[A034, PTX ISA 5.2.1]"), "{found}");
    let place = found.location().expect("it has one");
    assert_eq!(found.to_string(), format!("{place}: {}", found.message()));
    assert!(Path::new(place.file).ends_with("tests/import/hazard.ptx"), "{place}");
    assert_eq!((place.line, place.column), (13, 20));
}

#[test]
fn memory_is_counted_as_of_any_module() {
    expect![[r#"
        name                                            space    type      extents   bytes  align  linkage
        TAPS                                            .const   .f32      [5]          20      4
        DEFAULTS                                        .const   Config                 24      8
        launches                                        .global  .u32                    4      4
        counter                                         .global  .u32                    4      4
        $str                                            .global  .b8       [5]           5      1
        $str$1                                          .global  .b8       [8]           8      1
        names                                           .global  .u64      [2]          16      8
        type                                            .global  .s32      [3]          12      4
        scratch                                         .shared  .v4 .f32  []       launch     16  .extern
        _Z7columnsP6float4y: _ZZ7columnsP6float4yE3row  .shared  .b8       [256]       256      4

                                       constant memory            48  bytes of 65,536                        alignment can add at most 7
                                       global memory              49  bytes                                  alignment can add at most 16
        _Z4fillIfLi64EEvPT_S0_:        static shared memory        0  bytes of 49,152 (166,912 with opt-in)
        _Z4fillIfLi64EEvPT_S0_:        parameters                 12  bytes of 32,764                        alignment can add at most 7
        _Z4fillIiLi32EEvPT_S0_:        static shared memory        0  bytes of 49,152 (166,912 with opt-in)
        _Z4fillIiLi32EEvPT_S0_:        parameters                 12  bytes of 32,764                        alignment can add at most 7
        _Z7columnsP6float4y:           static shared memory      256  bytes of 49,152 (166,912 with opt-in)
        _Z7columnsP6float4y:           dynamic shared memory  launch  bytes of 166,656                       more than 48,896 needs the opt-in CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        _Z7columnsP6float4y:           parameters                 16  bytes of 32,764                        alignment can add at most 7
        _ZN5image4rowsEPKfPf6Configi:  static shared memory        0  bytes of 49,152 (166,912 with opt-in)
        _ZN5image4rowsEPKfPf6Configi:  parameters                 44  bytes of 32,764                        alignment can add at most 21
    "#]]
    .assert_eq(&blur::MODULE.memory_map().to_string());
}

/// ptxas counts the same memory as the declarations.
#[test]
fn ptxas_counts_the_same() {
    let Some(ptxas) = xtask::oracle() else { return };
    for module in [&hand::MODULE, &blur::MODULE, &triton::MODULE] {
        let assembled = ptxas.assemble(module).expect("it assembles");
        for kernel in module.functions.iter().filter(|it| it.kind == ptx::ir::FunctionKind::Kernel)
        {
            let found = assembled.report.kernel(kernel.name).expect("the report has the kernel");
            // With dynamic shared memory, ptxas counts up to its start.
            let declared = if kernel.has_dynamic_shared() {
                module.dynamic_shared_offset(kernel)
            } else {
                kernel.static_shared_bytes()
            };
            assert_eq!(declared, Some(found.shared_bytes), "{}", kernel.name);
        }
    }
}

/// Cubins of a file that a build script makes are those of the module that `import!` makes of it.
#[test]
fn the_fingerprint_of_a_module_is_that_of_its_file() {
    let of = |text| ptx::Fingerprint::of_text(text);
    assert_eq!(ptx::Fingerprint::of(&blur::MODULE), of(include_str!("import/blur.ptx")));
    assert_eq!(ptx::Fingerprint::of(&hand::MODULE), of(include_str!("import/hand.ptx")));
}
