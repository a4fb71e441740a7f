//! Compares the rule table with the real ptxas, which also refuses what is *refused*, and accepts what is
//! *unenforced* or a *hazard*.

#[path = "rules/silence.rs"]
mod silence;

use ptx::ir::{
    Address, Body, Directive, DirectiveKind, Extent, Field, Function, FunctionKind, Init, Link,
    Linkage, Linked, Module, Param, Pointer, Struct, StructKind, Type, Unified, Value, Variable,
};
use ptx::rules::{self, Kind, RULES};
use ptx::tensor::{ElementType, Spec, Swizzle, Tensor, encode};
use ptx::{
    Assignment, FilterMode, Member, MemberValue, Opaque, ScalarType, Space, Target, TextureMode,
    Version,
};

const U8: &Type<'_> = &Type::Scalar(ScalarType::U8);
const U32: &Type<'_> = &Type::Scalar(ScalarType::U32);
const F32: &Type<'_> = &Type::Scalar(ScalarType::F32);
const U64: &Type<'_> = &Type::Scalar(ScalarType::U64);
const F64: &Type<'_> = &Type::Scalar(ScalarType::F64);
const B128: &Type<'_> = &Type::Scalar(ScalarType::B128);

/// Rules that no PTX text can break, because they are about Rust.
/// (T004 is about one release, which `tests/ptxas_agreement` tests. A030 is about unknown instructions, which
/// ptxas may know. A102 and A103 are about names that differ in PTX. PTX has no `#[readonly]`, which D076 is about.)
const NO_TEXT: &[&str] = &["A030", "A084", "A102", "A103", "D022", "D059", "D070", "D076", "T004"];

/// A module that breaks exactly one rule.
#[derive(Default)]
struct Case {
    variables: Vec<Variable<'static>>,
    params: Vec<Param<'static>>,
    directives: Vec<Directive>,
    /// Whether the kernel names the variables.
    uses: bool,
    /// The declarations in the kernel: their text and the IR.
    local: Option<(&'static str, Variable<'static>)>,
    /// The functions of the module, besides the kernel.
    functions: Vec<Function<'static>>,
    texture_mode: TextureMode,
    /// A special register that the kernel names.
    special: Option<&'static str>,
    target: Option<Target>,
    /// The architecture that ptxas assembles for, if not the target.
    arch: Option<Target>,
    version: Option<Version>,
}

impl Case {
    fn variable(variable: Variable<'static>) -> Self {
        Self { variables: vec![variable], ..Self::default() }
    }

    fn global(ty: &'static Type<'static>) -> Self {
        Self::variable(Variable::new(Space::Global, "x", ty))
    }

    fn local(text: &'static str, variable: Variable<'static>) -> Self {
        Self { local: Some((text, variable)), ..Self::default() }
    }

    /// An address in a variable declared after `y`.
    fn address(address: Address<'static>) -> Self {
        let target = Variable::new(Space::Global, "y", U32);
        Self { variables: vec![target, holder(Value::Address(address))], ..Self::default() }
    }

    /// The address of the function `f`.
    fn function_address(address: Address<'static>) -> Self {
        let function = Function { body: Some(RET), ..Function::new(FunctionKind::Device, "f") };
        let variables = vec![holder(Value::Address(address))];
        Self { variables, functions: vec![function], ..Self::default() }
    }

    /// A device function with this parameter.
    fn formal(param: Param<'static>) -> Self {
        let function = Function {
            params: Vec::leak(vec![param]),
            body: Some(RET),
            ..Function::new(FunctionKind::Device, "f")
        };
        Self { functions: vec![function], ..Self::default() }
    }

    fn members(opaque: Opaque, members: &'static [Assignment]) -> Self {
        let ty = match opaque {
            Opaque::TexRef => &Type::Opaque(Opaque::TexRef),
            Opaque::SamplerRef => &Type::Opaque(Opaque::SamplerRef),
            Opaque::SurfRef => &Type::Opaque(Opaque::SurfRef),
        };
        let init = Init::Members(members);
        Self::variable(Variable { init, ..Variable::new(Space::Global, "x", ty) })
    }

    fn value(ty: &'static Type<'static>, value: Value<'static>) -> Self {
        let init = Init::Value(value);
        Self::variable(Variable { init, ..Variable::new(Space::Global, "x", ty) })
    }

    /// A static map over a variable of 64 bytes.
    fn map(tensor: Tensor) -> Self {
        let descriptor = encode(&SMALL, &tensor, Target::Sm90a).expect("a legal map");
        let bytes: &'static [u8] = Box::leak(Box::new(*descriptor.as_bytes()));
        let address = Address { generic: true, ..address("y") };
        let links: &'static [Link<'static>] =
            Box::leak(Box::new([Link { at: 0, size: 8, address, byte: None }]));
        let init = Init::Linked(Linked { bytes, links });
        let target = Variable {
            align: Some(16),
            ..Variable::new(Space::Global, "y", &Type::Array(Extent::Known(64), U8))
        };
        let map = Variable { init, ..Variable::new(Space::Global, "m", &MAP) };
        Self { variables: vec![target, map], ..Self::default() }
    }

    fn aligned(align: usize) -> Self {
        Self::variable(Variable { align: Some(align), ..Variable::new(Space::Global, "x", U32) })
    }

    fn directive(kind: DirectiveKind, values: [u32; 3]) -> Self {
        Self { directives: vec![Directive { kind, values }], ..Self::default() }
    }

    fn pointer(align: usize, pointee: &'static Type<'static>) -> Self {
        let variable = Variable::new(Space::Param, "p", &Type::Scalar(ScalarType::U64));
        let pointer = Pointer { space: Some(Space::Global), align: Some(align), pointee };
        Self {
            params: vec![Param {
                variable,
                pointer: Some(pointer),
                readonly: false,
                elements: None,
            }],
            ..Self::default()
        }
    }

    /// Runs `judge` on the module.
    fn with<T>(&self, judge: impl FnOnce(&Module<'_>, Target) -> T) -> T {
        let variables: Vec<&Variable<'_>> = self.variables.iter().collect();
        let texts: Vec<String> =
            variables.iter().map(|variable| format!("mov.b64 %rd0, {};", variable.name)).collect();
        let mut body = vec![".reg .b64 %rd<1>; .reg .b32 %r;"];
        if self.uses {
            body.extend(texts.iter().map(String::as_str));
        }
        let locals: Vec<&Variable<'_>> = self.local.iter().map(|(_, local)| local).collect();
        let text = self.local.as_ref().map_or("", |(text, _)| text);
        if self.local.is_some() {
            body.push(text);
        }
        let specials: Vec<&str> = self.special.into_iter().collect();
        let texts: Vec<String> =
            specials.iter().map(|name| format!("mov.b32 %r, {name};")).collect();
        body.extend(texts.iter().map(String::as_str));
        body.push("ret;");
        let body = body.join("\n");
        let kernel = Function {
            linkage: Linkage::Visible,
            params: &self.params,
            directives: &self.directives,
            body: Some(Body::verbatim(&body)),
            uses: if self.uses { &variables } else { &[] },
            locals: &locals,
            specials: &specials,
            ..Function::new(FunctionKind::Kernel, "k")
        };
        let target = self.target.unwrap_or(Target::Sm90);
        let functions: Vec<&Function<'_>> = self.functions.iter().chain([&kernel]).collect();
        let module = Module {
            version: self.version,
            texture_mode: self.texture_mode,
            variables: &variables,
            functions: &functions,
            ..Module::new("m", target)
        };
        judge(&module, self.arch.unwrap_or(target))
    }
}

const RET: Body<'_> = Body::verbatim("ret;");
/// Four rows of 16 bytes.
const ROWS: Tensor = Tensor { address: 0, dims: [16, 4, 1, 1, 1], strides: [16, 0, 0, 0] };
const SMALL: Spec = Spec::tiled_unchecked(ElementType::U8, 2, [16, 4, 1, 1, 1]);
const NEWER: Spec = Spec { swizzle: Swizzle::B128Atom32, ..SMALL };
const MAP: Type<'_> = map_type(&SMALL);
const NEWER_MAP: Type<'_> = map_type(&NEWER);

const fn map_type(spec: &'static Spec) -> Type<'static> {
    Type::Struct(Struct {
        name: "Map",
        size: 128,
        align: 64,
        fields: &[Field {
            name: "bytes",
            offset: 0,
            ty: &Type::Array(Extent::Known(128), U8),
            pointer: None,
        }],
        kind: StructKind::TensorMap(spec),
    })
}

const UNIFIED: Unified = Unified { upper: 1, lower: 2 };

fn address(symbol: &'static str) -> Address<'static> {
    Address { symbol, generic: false, addend: 0 }
}

fn holder(value: Value<'static>) -> Variable<'static> {
    Variable { init: Init::Value(value), ..Variable::new(Space::Global, "p", U64) }
}

/// A constant that the host can fill.
fn visible(name: &'static str, ty: &'static Type<'static>) -> Variable<'static> {
    Variable { linkage: Linkage::Visible, ..Variable::new(Space::Const, name, ty) }
}

/// A product of matrices in this many bytes, with these bits in the descriptors, of this type.
macro_rules! wgmma {
    ($bytes:literal, $bits:literal, $ty:literal) => {
        concat!(
            ".shared .align 1024 .b8 s[",
            $bytes,
            "]; mov.u64 %d, s; shr.u64 %d, %d, 4; ",
            "or.b64 %d, %d, ",
            $bits,
            "; wgmma.mma_async.sync.aligned.m64n8k16.f32.",
            $ty,
            ".",
            $ty,
            " {%f, %f, %f, %f}, %d, %d, 1, 1, 1, 0, 0;"
        )
    };
}

/// A tensor copy into this many bytes with this alignment, from this element on, with this many bytes expected.
macro_rules! tile_copy {
    ($align:literal, $bytes:literal, $coordinates:literal, $expected:literal) => {
        concat!(
            ".shared .align ",
            $align,
            " .b8 s[",
            $bytes,
            "]; .shared .align 8 .b64 b; ",
            ".global .align 64 .b8 m[128]; ",
            "mbarrier.arrive.expect_tx.shared.b64 _, [b], ",
            $expected,
            "; ",
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [s], [m, ",
            $coordinates,
            "], [b];"
        )
    };
}

/// Rules of instructions: the body that breaks each, in a kernel `k (.param .b32 p)` or a function `f` that
/// takes `a` and returns `r`, with the declarations before it.
const IN_BODIES: &[(&str, &str)] = &[
    ("A001", "st.param.b32 [p], 1;"),
    ("A002", "} .func (.param .b32 r) g () { .reg .b32 %x; ld.param.b32 %x, [r];"),
    ("A003", ".param .b32 l; mov.b64 %d, l;"),
    ("A004", "} .func (.param .b32 r) g () { .reg .b64 %x; mov.b64 %x, r;"),
    ("A005", "ld.global.b32 %r, [u];"),
    ("A006", "st.global.b32 [u], 1;"),
    ("A007", "ld.global.b32 %r, [t];"),
    ("A008", "mov.u64 %d, t+4;"),
    ("A009", "ld.param::func.b32 %r, [p];"),
    ("A010", ".param .b32 l; st.param::entry.b32 [l], 1;"),
    ("A011", "ld.param::entry.b32 %r, [p];"),
    (
        "A012",
        "} .const .u32 c; .entry j (.param .u64 .ptr .const .align 4 p) { .reg .b64 %d; cvta.const.u64 %d, c;",
    ),
    ("A013", "ld.shared::cluster.b32 %r, [%r];"),
    ("A014", "tex.2d.v4.f32.s32 {%f, %f, %f, %f}, [%d, %d, {%r, %r}];"),
    ("A015", "add.u8 %b, %b, %b;"),
    ("A016", "mov.u32 %tid.x, %r;"),
    ("A017", ".const .b32 c; st.const.b32 [c], 1;"),
    ("A018", "ld.shared.b32 %r, [u];"),
    ("A019", "ld.b32 %r, [p];"),
    ("A020", "ld.global.b32 %r, [u+4];"),
    ("A021", "ld.param.b32 %r, [p+2];"),
    ("A022", ".shared .b32 s[4]; st.shared.v2.b32 [s], {%r, %r};"),
    ("A023", ".shared .align 8 .b64 s; st.shared.b64 [s], %d;"),
    ("A024", ".shared .align 8 .f32 s[4]; mbarrier.init.shared.b64 [s], 1;"),
    (
        "A025",
        ".global .align 64 .f32 m[64]; cp.async.bulk.prefetch.tensor.2d.L2.global [m, {%r, %r}];",
    ),
    (
        "A026",
        ".global .align 64 .b8 m[128]; cp.async.bulk.prefetch.tensor.3d.L2.global [m, {%r, %r, %r}];",
    ),
    (
        "A027",
        ".global .align 64 .b8 m[128]; .reg .b16 %h; cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [m, {%r, %r, %r}], {%h};",
    ),
    ("A031", ".shared .b32 s; mov.u32 %r, s; cvt.u64.u32 %d, %r; ld.global.b32 %r, [%d];"),
    ("A032", ".shared .b32 s; mov.u64 %d, s; ld.b32 %r, [%d];"),
    ("A033", ".shared .b32 s; mov.u64 %d, s; cvta.shared.u64 %d, %d; ld.shared.b32 %r, [%d];"),
    ("A034", ".global .f32 s; add.f16x2 %r, %r, %r; st.global.b32 [s], %r;"),
    ("A035", ".const .b32 s; mov.u64 %d, s; cvta.const.u64 %d, %d; st.b32 [%d], %r;"),
    ("A055", ".shared .b32 s; ld.shared.b32 %r, s[0];"),
    (
        "A036",
        "} .visible .entry j (.param .u64 .ptr .global .align 4 p) { .reg .b64 %d; ld.param.u64 %d, [p]; st.global.v2.b32 [%d], {1, 2};",
    ),
    ("A037", tile_copy!("128", "512", "{%r, %r}", "64")),
    ("A038", tile_copy!("128", "16384", "{%r, %r}", "64")),
    ("A039", tile_copy!("1024", "8192", "{%r, %r}", "64")),
    ("A040", tile_copy!("1024", "16384", "{4, %r}", "64")),
    ("A041", tile_copy!("1024", "16384", "{%r, %r}", "7")),
    ("A042", wgmma!("16384", "0x8000004000010000", "bf16")),
    ("A050", wgmma!("16384", "0x4000004000010000", "f16")),
    ("A051", wgmma!("1024", "0x4000004000010000", "bf16")),
    ("A043", "mov.b64 %d, p; cp.async.bulk.prefetch.tensor.2d.L2.global [%d, {%r, %r}];"),
    ("A044", ".global .align 64 .b8 m[128]; cp.async.bulk.prefetch.tensor.2d.L2.global [m, {%r}];"),
    ("A048", ".global .align 64 .b8 m[128]; ld.global.u64 %d, [m];"),
    ("A049", "mov.u32 %r, %r.x;"),
    ("A097", "add.u32 %d, %r, 1;"),
    ("A099", "st.const.u32 [%d], 1;"),
    ("A100", "add.u32 %r, {%r}, 1;"),
    ("A098", ".shared .b32 s; mov.u32 s, %r;"),
    ("A101", "mov.u32 %r, nowhere;"),
    ("A104", "bra u;"),
    ("A105", "brx.idx %r, END; END:"),
    ("A106", "TO: .branchtargets f;"),
    ("A107", "@END ret; END:"),
    ("A108", "ld.global.b32 %r, [u].weak;"),
    ("A052", ".shared .b32 s; cp.async.ca.shared.global [s], [%r], 4;"),
    (
        "A053",
        ".shared .align 128 .b8 s[128]; .shared .align 8 .b64 b; mbarrier.arrive.shared.b64 _, [b]; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d], 128, [b];",
    ),
    ("A047", ".shared .align 8 .b64 s; mbarrier.init.shared.b64 [s], 0;"),
    ("A054", ".shared .align 8 .b64 s; mbarrier.arrive.expect_tx.shared.b64 %d, [s], 7;"),
    ("A056", "st.shared.u32 [%r], 1;"),
    ("A093", ".shared .b32 s; nanosleep.u32 s;"),
    (
        "A090",
        ".shared .align 16 .f32 s[1024]; wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r, %r, %r, %r}, [s+4], 16;",
    ),
    (
        "A094",
        "} .visible .entry j (.param .u32 n) { .reg .b32 %r<2>; mov.u32 %r0, n; nanosleep.u32 %r0;",
    ),
    ("A057", "mov.u64 %d, 64; ld.global.b32 %r, [%d];"),
    ("A058", "mov.u64 %d, u; cvt.u32.u64 %r, %d; cvt.u64.u32 %d, %r; ld.global.b32 %r, [%d];"),
    ("A060", tile_copy!("1024", "16384", "{%r, %r}", "64")),
    ("A075", "sust.b.1d.b32.trap [%d, {2}], {%r};"),
    ("A076", "} .visible .entry j () .reqntid 64 { bar.sync 1, 96;"),
    (
        "A077",
        "} .visible .entry j () { .reg .f32 %f<4>; .reg .b64 %d; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 0, 1, 1, 0, 0; st.global.f32 [u], %f0;",
    ),
    (
        "A078",
        "} .visible .entry j () { .reg .f32 %f<4>; .reg .b64 %d; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 0, 1, 1, 0, 0;",
    ),
    (
        "A079",
        "} .visible .entry j () { .reg .f32 %f<4>; .reg .b64 %d; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 0, 1, 1, 0, 0; wgmma.wait_group.sync.aligned 0;",
    ),
    ("A061", "st.global.b32 [u], %r; ld.global.nc.b32 %r, [u];"),
    (
        "A062",
        "} .visible .entry j () .reqnctapercluster 2 { .reg .b32 %r; .shared .b32 s; mov.u32 %r, s; mapa.shared::cluster.u32 %r, %r, 1; ld.shared.b32 %r, [%r];",
    ),
    (
        "A059",
        "} .visible .entry j () .reqnctapercluster 2 { .reg .b32 %r; mapa.shared::cluster.u32 %r, %r, 2;",
    ),
    (
        "A063",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; .shared .align 16 .b8 t[64]; mbarrier.init.shared.b64 [s], 64; mbarrier.try_wait.parity.shared.b64 %p, [s], 0;",
    ),
    ("A064", ".shared .b64 s; mbarrier.init.shared.b64 [s], 1; mbarrier.init.shared.b64 [s], 1;"),
    (
        "A065",
        ".shared .b64 s; mbarrier.init.shared.b64 [s], 1; mbarrier.inval.shared.b64 [s]; mbarrier.arrive.shared.b64 %d, [s];",
    ),
    ("A066", ".shared .b64 s; mbarrier.arrive.shared.b64 %d, [s];"),
    (
        "A067",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; .shared .align 16 .b8 t[64]; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p mbarrier.init.shared.b64 [s], 64; bar.sync 0; @%p mbarrier.arrive.shared.b64 %d, [s]; W: mbarrier.try_wait.parity.shared.b64 %p, [s], 0; @!%p bra W;",
    ),
    (
        "A068",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; .shared .align 16 .b8 t[64]; mbarrier.init.shared.b64 [s], 64; mbarrier.arrive.expect_tx.shared.b64 _, [s], 64; mov.u64 %d, u; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d], 64, [s]; W: mbarrier.try_wait.parity.shared.b64 %p, [s], 1; @!%p bra W; ld.shared.b32 %r, [t];",
    ),
    (
        "A069",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; .shared .align 16 .b8 t[64]; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p mbarrier.init.shared.b64 [s], 64; mbarrier.arrive.shared.b64 %d, [s];",
    ),
    (
        "A070",
        ".shared .b32 s; mov.u64 %d, u; cp.async.ca.shared.global [s], [%d], 4; ld.shared.b32 %r, [s];",
    ),
    (
        "A085",
        "} .visible .entry j () .reqntid 1 { .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; .shared .align 16 .b8 t[64]; mbarrier.init.shared.b64 [s], 1; mbarrier.arrive.expect_tx.shared.b64 _, [s], 64; mov.u64 %d, u; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d], 64, [s]; ld.shared.b32 %r, [t];",
    ),
    (
        "A071",
        ".shared .align 16 .b8 s[64]; mov.u64 %d, u; cp.async.bulk.global.shared::cta.bulk_group [%d], [s], 64; st.shared.b32 [s], 1;",
    ),
    (
        "A072",
        ".shared .align 16 .b8 s[64]; st.shared.b32 [s], 1; mov.u64 %d, u; cp.async.bulk.global.shared::cta.bulk_group [%d], [s], 64;",
    ),
    (
        "A073",
        "} .visible .entry j () .reqntid 64 .reqnctapercluster 2 { .reg .b32 %r; .shared .b32 s; mov.u32 %r, s; mapa.shared::cluster.u32 %r, %r, 1; ld.shared::cluster.b32 %r, [%r]; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        "A074",
        "} .visible .entry j () .reqntid 64 .reqnctapercluster 2 { .reg .b32 %r; .shared .b32 s; mov.u32 %r, s; mapa.shared::cluster.u32 %r, %r, 1; barrier.cluster.arrive; barrier.cluster.wait; ld.shared::cluster.b32 %r, [%r];",
    ),
    (
        "A109",
        "} .visible .entry j () .reqntid 64 { .reg .b32 %r, %a; .shared .b32 s[64]; mov.u32 %r, %tid.x; shl.b32 %r, %r, 2; mov.u32 %a, s; add.u32 %a, %a, %r; st.shared.b32 [%a], %r; ld.shared.b32 %r, [s];",
    ),
    (
        "A110",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p mbarrier.init.shared.b64 [s], 64; bar.sync 0; mbarrier.arrive.shared.b64 %d, [s]; W: mbarrier.try_wait.parity.shared.b64 %p, [s], 0; @!%p bra W; V: mbarrier.try_wait.parity.shared.b64 %p, [s], 1; @!%p bra V;",
    ),
    (
        "A111",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p mbarrier.init.shared.b64 [s], 64; bar.sync 0; @%p mbarrier.arrive.shared.b64 %d, [s], 65; W: mbarrier.try_wait.parity.shared.b64 %p, [s], 0; @!%p bra W;",
    ),
    (
        "A112",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32; @%p bar.sync 0; @!%p bar.sync 1;",
    ),
    (
        "A113",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 16; @%p bar.sync 0; bar.sync 0;",
    ),
    (
        "A114",
        "} .visible .entry j () .reqntid 64 .reqnctapercluster 2 { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.eq.u32 %p, %r, 0; @%p barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        "A115",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %laneid; setp.lt.u32 %p, %r, 16; @%p shfl.sync.bfly.b32 %r, %r, 1, 31, -1; bar.sync 0;",
    ),
    (
        "A116",
        "} .visible .entry j () .reqntid 64 { .reg .b32 %r; mov.u32 %r, %laneid; shfl.sync.bfly.b32 %r, %r, 1, 31, 0xffff;",
    ),
    (
        "A117",
        "} .visible .entry j () .reqntid 64 { .reg .b32 %r, %a; .shared .b32 s[64]; mov.u32 %r, %tid.x; shl.b32 %r, %r, 2; mov.u32 %a, s; add.u32 %a, %a, %r; st.shared.b32 [%a], %r; xor.b32 %r, %r, 4; mov.u32 %a, s; add.u32 %a, %a, %r; ld.shared.b32 %r, [%a];",
    ),
    (
        "A118",
        "} .extern .shared .b32 s[]; .visible .entry j () { .reg .b32 %r, %a; mov.u32 %r, %tid.x; shl.b32 %r, %r, 2; mov.u32 %a, s; add.u32 %a, %a, %r; st.shared.b32 [%a], %r;",
    ),
    ("A119", "} .visible .entry j () .reqntid 64 { .reg .b32 %r; mov.u32 %r, 16; bar.sync %r;"),
    (
        "A120",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; .reg .b64 %d; .shared .align 8 .b64 s; .shared .align 16 .b8 t[128]; mov.u32 %r, 100; mbarrier.init.shared.b64 [s], 64; mbarrier.arrive.expect_tx.shared.b64 _, [s], %r; mov.u64 %d, u; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d], %r, [s];",
    ),
    (
        "A121",
        "} .visible .entry j () .reqntid 1 { .shared .align 8 .b64 s; mbarrier.init.shared.b64 [s], 1; st.shared.b64 [s], 0;",
    ),
    (
        "A122",
        "} .visible .entry j () .reqntid 1 { .reg .b32 %r; .shared .b32 s; ld.shared.b32 %r, [s];",
    ),
    (
        "A123",
        "} .visible .entry j () .reqntid 1 .reqnctapercluster 2 { .reg .b32 %r; .shared .align 8 .b64 s; .shared .b32 t; mbarrier.init.shared.b64 [s], 1; mov.u32 %r, t; mapa.shared::cluster.u32 %r, %r, 1; st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r], 1, [s];",
    ),
    (
        "A124",
        "} .visible .entry j () .reqntid 32 { .reg .f32 %f; .reg .b64 %d; wgmma.fence.sync.aligned; mov.b64 %d, 0x4000004000010000; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f, %f, %f, %f}, %d, %d, 1, 1, 1, 0, 0;",
    ),
    (
        "A125",
        "} .visible .entry j () .reqntid 64 .reqnctapercluster 2 { .reg .b32 %r, %a; .shared .b32 s; mov.u32 %r, %cluster_ctarank; add.u32 %r, %r, 1; mov.u32 %a, s; mapa.shared::cluster.u32 %a, %a, %r;",
    ),
    (
        "A126",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32; @%p bra $L; bar.sync 1, 64; ret; $L: bar.arrive 1, 96;",
    ),
    (
        "A127",
        "} .visible .entry j () .reqntid 32 { .shared .align 4 .b32 s; .reg .b32 %r, %q; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32;",
    ),
    (
        "A128",
        "} .visible .entry j () .reqntid 32 { .shared .align 4 .b32 s; .reg .b32 %r, %q; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 512; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32;",
    ),
    (
        "A129",
        "} .visible .entry j () .reqntid 32 { .shared .align 4 .b32 s; .reg .b32 %r, %q; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32; bar.warp.sync -1; ld.shared.b32 %r, [s]; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%q}, [%r]; st.shared.b32 [s], %q; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r, 32;",
    ),
    (
        "A130",
        "} .visible .entry j () .reqntid 128 { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 64; @%p bra $L; bar.sync 1, 64; ret; $L: bar.sync 1, 64;",
    ),
    (
        "A131",
        "} .visible .entry j () .reqntid 1 .reqnctapercluster 2 { .shared .align 8 .b64 s; .reg .pred %p; .reg .b32 %r; .reg .b64 %d; mbarrier.init.shared.b64 [s], 1; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; mbarrier.arrive.shared.b64 _, [s]; mov.u64 %d, s; cvta.shared.u64 %d, %d; mov.u32 %r, %cluster_ctarank; xor.b32 %r, %r, 1; mapa.u64 %d, %d, %r; $W: mbarrier.try_wait.parity.b64 %p, [%d], 0; @!%p bra $W; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        "A132",
        "} .visible .entry j () .reqntid 32 { .shared .align 4 .b32 s; .reg .b32 %r; mov.u32 %r, 48; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], %r;",
    ),
    (
        "A133",
        "} .visible .entry j () .reqntid 64 { .reg .pred %p, %q; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32; @%p bra $L; bar.sync 1, 64; ret; $L: barrier.cta.red.or.pred %q, 1, 64, %p;",
    ),
    ("A080", "cvt.rn.bf16x2.f32 %r, %f, %f; add.f16x2 %r, %r, %r;"),
    (
        "A081",
        ".reg .b16 %h, %i; cvt.rn.f16.f32 %h, %f; cvt.rn.bf16.f32 %i, %f; mov.b32 %r, {%h, %i}; add.f16x2 %r, %r, %r;",
    ),
    (
        "A082",
        "cvt.rn.bf16x2.f32 %r, %f, %f; mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f, %f, %f, %f}, {%r, %r}, {%r}, {%f, %f, %f, %f};",
    ),
    (
        "A083",
        ".reg .b16 %h; cvt.rz.satfinite.ue8m0x2.f32 %h, %f, %f; mov.b32 %r, {%h, %h}; mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%f, %f, %f, %f}, {%r, %r, %r, %r}, {%r, %r}, {%f, %f, %f, %f}, {%r}, {%h, %h}, {%r}, {%h, %h};",
    ),
    ("A046", "mov.u32 %r, u;"),
    ("A045", "mov.u64 %d, t; ld.global.b32 %r, [%d];"),
    ("A028", "discard.global.L2 [u], 128;"),
    ("A029", "prefetch.global.L2::evict_last [u];"),
    ("C001", "call e;"),
    ("C002", "call (%r), f, (1, 2);"),
    ("C003", "call f, (1);"),
    ("C004", "call (%r), f, (p);"),
    ("C005", "call (%r), f, (%d);"),
    ("C006", ".param .align 8 .b32 l; call (%r), f, (l);"),
    (
        "C007",
        "} .func g (.reg .b64 a) { .reg .b32 %r; ld.global.b32 %r, [a]; ret; } .entry j () { .reg .b64 %d; .shared .b32 s; mov.u64 %d, s; call g, (%d);",
    ),
    (
        "C008",
        "} .func (.param .b32 r) g (.param .b32 a) { .reg .b32 %r; ld.param.b32 %r, [a]; add.u32 %r, %r, 1; st.param.b32 [r], %r; ret; } .entry j () { .param .b32 a; .param .b32 r; call (r), g, (a);",
    ),
    ("D053", "L: .global .u64 q = L;"),
    (
        "F015",
        "} .extern .shared .align 4 .b8 da[]; .extern .shared .align 4 .b8 db[]; .entry k2 () { .reg .b32 %x; \
         st.shared.b32 [da], 1; st.shared.b32 [db], 2; ld.shared.b32 %x, [da];",
    ),
];

#[test]
fn ptxas_agrees_with_the_rules_of_bodies() {
    for (code, body) in IN_BODIES {
        let version = match *code {
            "A004" => "5.0",
            "A011" => "8.2",
            "A028" => "7.3",
            _ => "8.8",
        };
        let target = match *code {
            "A004" => "sm_60",
            "A013" | "A028" => "sm_80",
            "A029" => "sm_75",
            "A014" => "sm_90, texmode_independent",
            "A042" | "A050" | "A051" | "A077" | "A078" | "A079" | "A124" => "sm_90a",
            "A083" => "sm_120a",
            "A127" | "A128" | "A129" | "A132" => "sm_100a",
            _ => "sm_90",
        };
        let (unified, options): (&str, &[&str]) = if *code == "A005" || *code == "A006" {
            (".attribute(.unified(1, 2)) ", &["--compile-only"])
        } else {
            ("", &[])
        };
        let text = format!(
            ".version {version}\n.target {target}\n.address_size 64\n\
             .global {unified}.b32 u;\n.global .texref t;\n\
             .func (.reg .b32 r) f (.reg .b32 a) {{ mov.b32 r, a; ret; }}\n\
             .entry e () {{ ret; }}\n\
             .entry k (.param .b32 p)\n{{\n.reg .b8 %b; .reg .b32 %r; .reg .b64 %d; .reg .f32 %f;\n{body}\nret;\n}}\n"
        );
        let rule = rules::rule(code).expect("a rule has this code");
        for ptxas in xtask::oracles() {
            let target = match target {
                "sm_90a" => Target::Sm90a,
                "sm_120a" => Target::Sm120a,
                "sm_100a" => Target::Sm100a,
                _ => Target::Sm90,
            };
            let verdict = ptxas.assemble_text_with(&text, target, options);
            assert_eq!(
                verdict.is_err(),
                rule.kind == Kind::Refused,
                "{code} is {:?}, but ptxas {} reports {verdict:?}\n{text}",
                rule.kind,
                ptxas.release()
            );
        }
    }
}

/// A module that breaks the rule with this code.
fn broken(code: &str) -> Case {
    const GAP: Struct<'_> = Struct {
        name: "Gap",
        size: 8,
        align: 4,
        fields: &[
            Field { name: "a", offset: 0, ty: U8, pointer: None },
            Field { name: "b", offset: 4, ty: U32, pointer: None },
        ],
        kind: StructKind::Fields,
    };
    let scalar = |space| Variable::new(space, "x", U32);
    match code {
        "D001" => Case::variable(Variable::new(Space::Global, "a.b", U32)),
        "D002" => {
            Case { variables: vec![scalar(Space::Global), visible("x", U32)], ..Case::default() }
        }
        "D003" => Case::global(&Type::Scalar(ScalarType::Pred)),
        "D004" => Case::global(&Type::Vector(4, ScalarType::F64)),
        "D005" => Case::aligned(12),
        "D006" => Case::aligned(2),
        "D007" => {
            Case::variable(Variable { init: Init::Value(Value::Int(1)), ..scalar(Space::Shared) })
        }
        "D008" => Case::global(&Type::Array(Extent::Known(0), U32)),
        "D009" => Case::variable(visible("x", &Type::Array(Extent::Known(65_537), U8))),
        "D010" => Case::global(&Type::Array(Extent::Incomplete, U32)),
        "D011" => Case {
            version: Some(Version::new(8, 2)),
            target: Some(Target::Sm80),
            ..Case::global(B128)
        },
        "D012" => {
            Case { target: Some(Target::Sm60), arch: Some(Target::Sm90), ..Case::global(B128) }
        }
        "D013" => Case::variable(Variable {
            linkage: Linkage::Extern,
            init: Init::Value(Value::Int(1)),
            ..scalar(Space::Global)
        }),
        "D014" => Case::value(U8, Value::Int(256)),
        "D015" => Case::global(&Type::Vector(3, ScalarType::F32)),
        "D016" => Case::global(&Type::Aligned(16, &Type::Array(Extent::Known(5), F32))),
        "D017" => Case::variable(scalar(Space::Tex)),
        "D018" => Case::value(
            &Type::Array(Extent::Known(2), U32),
            Value::List(&[Value::Int(1), Value::Int(2), Value::Int(3)]),
        ),
        "D019" => Case::value(U32, Value::Float(1.5)),
        "D020" => Case::pointer(12, F32),
        "D021" => Case::pointer(4, F64),
        "D023" => Case::global(&Type::Struct(GAP)),
        "D024" => Case::value(
            &Type::Array(Extent::Known(2), &Type::Array(Extent::Known(2), U32)),
            Value::List(&[Value::List(&[Value::Int(1)]), Value::List(&[Value::Int(2)])]),
        ),
        "D029" => Case::value(F32, Value::Float(1e39)),
        "D030" => Case::aligned(1 << 32),
        "D031" => Case::local(
            ".reg .v2 .pred %p;",
            Variable::new(Space::Reg, "%p", &Type::Vector(2, ScalarType::Pred)),
        ),
        "D032" => Case::value(&Type::Scalar(ScalarType::B16), Value::Float(1.5)),
        "D033" => Case::value(U64, Value::Address(address("nothing"))),
        "D034" => Case::address(Address { addend: 4, ..address("y") }),
        "D036" => Case {
            variables: vec![
                Variable::new(Space::Global, "y", &Type::Opaque(Opaque::TexRef)),
                holder(Value::Address(address("y"))),
            ],
            ..Case::default()
        },
        "D037" => Case::function_address(Address { generic: true, ..address("f") }),
        "D038" => Case::function_address(Address { addend: 4, ..address("f") }),
        "D039" => Case {
            variables: vec![
                scalar(Space::Global),
                Variable {
                    init: Init::Value(Value::Address(address("x"))),
                    ..Variable::new(Space::Global, "p", &Type::Scalar(ScalarType::B64))
                },
            ],
            ..Case::default()
        },
        "D040" => Case {
            variables: vec![
                scalar(Space::Global),
                Variable {
                    init: Init::Value(Value::Address(address("x"))),
                    ..Variable::new(Space::Global, "p", U32)
                },
            ],
            ..Case::default()
        },
        "D041" => Case::value(U8, Value::MaskedInt(0xFFF, 1)),
        "D042" => Case {
            variables: vec![
                Variable::new(Space::Shared, "y", U32),
                holder(Value::Address(address("y"))),
            ],
            ..Case::default()
        },
        "D043" => Case::value(U32, Value::MaskedInt(0xFF, 1)),
        "D044" => Case {
            target: Some(Target::Sm70),
            arch: Some(Target::Sm90),
            version: Some(Version::new(7, 0)),
            ..Case::value(U8, Value::MaskedInt(0xFF, 1))
        },
        "D045" => Case::variable(Variable {
            init: Init::Value(Value::Int(1)),
            ..Variable::new(Space::Global, "x", &Type::Family(Extent::Known(2), U32))
        }),
        "D046" => {
            Case::global(&Type::Family(Extent::Known(2), &Type::Array(Extent::Known(2), U32)))
        }
        "D047" => {
            Case::variable(Variable::new(Space::Global, "x2", &Type::Family(Extent::Known(2), U32)))
        }
        "D048" => Case::variable(Variable { unified: Some(UNIFIED), ..scalar(Space::Shared) }),
        "D049" => Case {
            version: Some(Version::new(7, 8)),
            ..Case::variable(Variable { unified: Some(UNIFIED), ..scalar(Space::Global) })
        },
        "D050" => Case {
            target: Some(Target::Sm80),
            arch: Some(Target::Sm90),
            ..Case::variable(Variable { unified: Some(UNIFIED), ..scalar(Space::Global) })
        },
        "D052" => Case {
            variables: vec![
                Variable { name: "a", ..holder(Value::Address(address("b"))) },
                Variable { name: "b", ..holder(Value::Address(address("a"))) },
            ],
            ..Case::default()
        },
        "D071" => Case::variable(Variable::new(Space::Global, "m", &NEWER_MAP)),
        "D072" => Case::map(Tensor { dims: [16, 5, 1, 1, 1], ..ROWS }),
        "D074" => {
            let mut case = Case::map(ROWS);
            case.variables[0].ty = &Type::Array(Extent::Known(16), U32);
            case
        }
        "D075" => Case::variable(Variable::new(
            Space::Global,
            "bar",
            <ptx::Mbarrier as ptx::PtxType>::TYPE,
        )),
        "D073" => Case { target: Some(Target::Sm100), ..Case::map(ROWS) },
        "D077" => Case {
            params: vec![Param::new("k", U32)],
            functions: vec![Function {
                body: Some(RET),
                ..Function::new(FunctionKind::Kernel, "other")
            }],
            ..Case::default()
        },
        "D055" => Case::local(
            ".param .v2 .f32 p;",
            Variable::new(Space::Param, "p", &Type::Vector(2, ScalarType::F32)),
        ),
        "D056" => Case::local(
            ".param .align 256 .b8 p[256];",
            Variable {
                align: Some(256),
                ..Variable::new(Space::Param, "p", &Type::Array(Extent::Known(256), U8))
            },
        ),
        "D060" => Case::local(
            ".reg .b32 %p[2];",
            Variable::new(Space::Reg, "%p", &Type::Array(Extent::Known(2), U32)),
        ),
        "D061" => Case {
            version: Some(Version::new(8, 2)),
            target: Some(Target::Sm80),
            ..Case::global(&Type::Array(Extent::Known(2), B128))
        },
        "D062" => Case {
            target: Some(Target::Sm60),
            arch: Some(Target::Sm90),
            ..Case::global(&Type::Array(Extent::Known(2), B128))
        },
        "D063" => Case::variable(Variable {
            managed: true,
            ..visible("x", &Type::Family(Extent::Known(2), U32))
        }),
        "D064" => Case::local(
            ".local .b32 %tid;",
            Variable::new(Space::Local, "%tid", &Type::Scalar(ScalarType::B32)),
        ),
        "D065" => Case::variable(Variable {
            init: Init::Value(Value::List(&[Value::Int(1)])),
            ..Variable::new(Space::Global, "x", &Type::Array(Extent::Known(0), U32))
        }),
        "D066" => Case {
            params: vec![Param::new("p", &Type::Vector(4, ScalarType::F64))],
            ..Case::default()
        },
        "D067" => Case {
            variables: vec![holder(Value::Address(address("f")))],
            functions: vec![Function {
                returns: const {
                    &[
                        Param {
                            variable: Variable::new(Space::Reg, "a", U32),
                            pointer: None,
                            readonly: false,
                            elements: None,
                        },
                        Param {
                            variable: Variable::new(Space::Reg, "b", U32),
                            pointer: None,
                            readonly: false,
                            elements: None,
                        },
                    ]
                },
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F016" => Case {
            functions: vec![Function {
                linkage: Linkage::Extern,
                params: Vec::leak(vec![Param {
                    variable: Variable {
                        align: Some(256),
                        ..Variable::new(Space::Param, "p", &Type::Array(Extent::Known(256), U8))
                    },
                    pointer: None,
                    readonly: false,
                    elements: None,
                }]),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F017" => Case {
            functions: vec![Function {
                unified: Some(UNIFIED),
                params: Vec::leak(vec![Param::new("p", U8)]),
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F018" => Case {
            functions: vec![Function {
                unified: Some(UNIFIED),
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "%f")
            }],
            ..Case::default()
        },
        "O009" => Case::variable(visible(
            "x",
            &Type::Array(Extent::Known(2), &Type::Opaque(Opaque::TexRef)),
        )),
        "O010" => Case::members(
            Opaque::SurfRef,
            &[Assignment { member: Member::Width, value: MemberValue::Int(2) }; 9],
        ),
        "F019" => Case {
            uses: true,
            target: Some(Target::Sm80),
            ..Case::variable(Variable {
                linkage: Linkage::Dynamic,
                ..Variable::new(Space::Shared, "x", &Type::Array(Extent::Known(200_000), U8))
            })
        },
        "D068" => Case::variable(Variable {
            linkage: Linkage::Dynamic,
            ..Variable::new(Space::Shared, "x", &Type::Family(Extent::Known(2), U32))
        }),
        "D069" => Case::variable(Variable {
            linkage: Linkage::Dynamic,
            init: Init::Value(Value::Int(1)),
            ..scalar(Space::Shared)
        }),
        "F009" => Case::formal(Param::new("p", U8)),
        "F010" => Case::formal(Param {
            variable: Variable {
                align: Some(256),
                ..Variable::new(Space::Param, "p", &Type::Array(Extent::Known(256), U8))
            },
            pointer: None,
            readonly: false,
            elements: None,
        }),
        "F011" => Case::formal(Param {
            variable: Variable::new(Space::Reg, "p", &Type::Array(Extent::Known(2), U32)),
            pointer: None,
            readonly: false,
            elements: None,
        }),
        "F012" => Case {
            functions: vec![Function {
                returns: const { &[Param::new("a", U32), Param::new("b", U32)] },
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F020" => Case {
            functions: vec![Function {
                returns: const { &[Param::new("a", U32)] },
                directives: &[Directive { kind: DirectiveKind::NoReturn, values: [1; 3] }],
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F035" => Case {
            functions: vec![Function {
                linkage: Linkage::Extern,
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F036" => Case {
            functions: vec![Function {
                directives: &[Directive { kind: DirectiveKind::MaxNTid, values: [32, 1, 1] }],
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F037" => Case {
            functions: vec![Function {
                linkage: Linkage::Extern,
                directives: &[Directive { kind: DirectiveKind::MaxNTid, values: [32, 1, 1] }],
                ..Function::new(FunctionKind::Kernel, "f")
            }],
            ..Case::default()
        },
        "F038" => Case {
            functions: vec![
                Function {
                    params: const { &[Param::new("p", U32)] },
                    ..Function::new(FunctionKind::Device, "f")
                },
                Function {
                    params: const { &[Param::new("p", U64)] },
                    body: Some(RET),
                    ..Function::new(FunctionKind::Device, "f")
                },
            ],
            ..Case::default()
        },
        "F013" => Case {
            version: Some(Version::new(7, 8)),
            functions: vec![Function {
                unified: Some(UNIFIED),
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "F014" => Case {
            target: Some(Target::Sm80),
            arch: Some(Target::Sm90),
            functions: vec![Function {
                unified: Some(UNIFIED),
                body: Some(RET),
                ..Function::new(FunctionKind::Device, "f")
            }],
            ..Case::default()
        },
        "O001" => Case::variable(visible("x", &Type::Opaque(Opaque::TexRef))),
        "O002" => Case::members(
            Opaque::SurfRef,
            &[Assignment {
                member: Member::FilterMode,
                value: MemberValue::Filter(FilterMode::Nearest),
            }],
        ),
        "O003" => Case::global(&Type::Opaque(Opaque::SamplerRef)),
        "O004" => Case::global(&Type::Array(Extent::Known(2), &Type::Opaque(Opaque::TexRef))),
        "O005" => Case::members(
            Opaque::TexRef,
            &[Assignment { member: Member::NormalizedCoords, value: MemberValue::Int(2) }],
        ),
        "O006" => Case {
            texture_mode: TextureMode::Independent,
            ..Case::members(
                Opaque::TexRef,
                &[Assignment {
                    member: Member::FilterMode,
                    value: MemberValue::Filter(FilterMode::Nearest),
                }],
            )
        },
        "O007" => Case::members(
            Opaque::TexRef,
            &[Assignment { member: Member::Width, value: MemberValue::Int(2) }; 2],
        ),
        "O008" => Case::variable(Variable {
            linkage: Linkage::Common,
            ..Variable::new(Space::Global, "x", &Type::Opaque(Opaque::TexRef))
        }),
        "D025" => Case::variable(Variable { linkage: Linkage::Common, ..scalar(Space::Const) }),
        "D026" => Case::variable(Variable { managed: true, ..visible("x", U32) }),
        "D027" => Case {
            target: Some(Target::Sm50),
            arch: Some(Target::Sm90),
            version: Some(Version::new(4, 3)),
            ..Case::variable(Variable { linkage: Linkage::Common, ..scalar(Space::Global) })
        },
        // No supported target is old enough to break only this.
        "D028" => Case {
            target: Some(Target::Sm50),
            arch: Some(Target::Sm90),
            version: Some(Version::new(3, 2)),
            ..Case::variable(Variable { managed: true, space: Space::Global, ..visible("x", U32) })
        },
        "F001" => Case {
            params: vec![Param::new("p", &Type::Array(Extent::Known(32_765), U8))],
            ..Case::default()
        },
        "F002" => Case {
            uses: true,
            ..Case::variable(Variable::new(
                Space::Shared,
                "x",
                &Type::Array(Extent::Known(49_153), U8),
            ))
        },
        // A cluster directive needs sm_90, which needs the version that introduced it.
        "F003" => Case {
            target: Some(Target::Sm80),
            arch: Some(Target::Sm90),
            version: Some(Version::new(7, 7)),
            ..Case::directive(DirectiveKind::MaxClusterRank, [2, 1, 1])
        },
        "F004" => Case {
            target: Some(Target::Sm80),
            arch: Some(Target::Sm90),
            ..Case::directive(DirectiveKind::MaxClusterRank, [2, 1, 1])
        },
        "F005" => Case::directive(DirectiveKind::MaxNTid, [16, 0, 1]),
        "F006" => Case::directive(DirectiveKind::ReqNTid, [1025, 1, 1]),
        "F007" => Case {
            directives: vec![
                Directive { kind: DirectiveKind::MaxNTid, values: [32, 1, 1] },
                Directive { kind: DirectiveKind::ReqNTid, values: [32, 1, 1] },
            ],
            ..Case::default()
        },
        "S001" => Case {
            target: Some(Target::Sm80),
            version: Some(Version::new(7, 5)),
            special: Some("%reserved_smem_offset_1"),
            ..Case::default()
        },
        "S002" => Case {
            target: Some(Target::Sm80),
            arch: Some(Target::Sm90),
            special: Some("%cluster_ctarank"),
            ..Case::default()
        },
        "F030" => Case::directive(DirectiveKind::MaxNReg, [256, 1, 1]),
        "F008" => Case::directive(DirectiveKind::MinNCtaPerSm, [2, 1, 1]),
        "F039" => Case {
            functions: vec![Function {
                directives: &[
                    Directive { kind: DirectiveKind::ReqNTid, values: [700, 1, 1] },
                    Directive { kind: DirectiveKind::MinNCtaPerSm, values: [3, 1, 1] },
                ],
                body: Some(RET),
                ..Function::new(FunctionKind::Kernel, "f")
            }],
            ..Case::default()
        },
        "T001" => Case {
            target: Some(Target::Sm90a),
            version: Some(Version::new(7, 8)),
            ..Case::default()
        },
        "T002" => Case {
            target: Some(Target::Sm80),
            version: Some(Version::new(7, 9)),
            ..Case::default()
        },
        "T003" => Case {
            variables: vec![
                visible("x", &Type::Array(Extent::Known(65_530), U8)),
                visible("y", F64),
            ],
            ..Case::default()
        },
        other => panic!("write a module that breaks {other}"),
    }
}

#[test]
fn ptxas_agrees_with_the_table() {
    let oracles = xtask::oracles();
    let in_bodies = |code| IN_BODIES.iter().any(|(rule, _)| *rule == code);
    let asked = RULES.iter().filter(|rule| !NO_TEXT.contains(&rule.code) && !in_bodies(rule.code));
    for rule in asked {
        broken(rule.code).with(|module, arch| {
            let mut found: Vec<&str> =
                rules::check_module(module).iter().map(|violation| violation.rule.code).collect();
            // A cluster directive is both too new and for a newer target.
            found.retain(|code| !(rule.code == "F003" && *code == "F004"));
            found.retain(|code| !(rule.code == "D028" && *code == "T001"));
            // Breaking one of them breaks the other, too.
            found.retain(|code| !(rule.code == "F017" && *code == "F009"));
            found.retain(|code| !(rule.code == "O009" && *code == "O004"));
            found.retain(|code| !(rule.code == "O010" && *code == "O007"));
            if rule.code != "D023" {
                assert_eq!(found, [rule.code], "{}", ptx::Module::new(*module));
            }
            let text = ptx::Module::new(*module).to_string();
            let unified = text.contains(".unified(");
            let options: &[&str] = if unified { &["--compile-only"] } else { &[] };
            for ptxas in &oracles {
                let verdict = ptxas.assemble_text_with(&text, arch, options);
                let release = ptxas.release();
                match (rule.kind, verdict) {
                    (Kind::Refused, Ok(_)) => {
                        panic!(
                            "{} is *refused*, but ptxas {release} accepts it:\n{text}",
                            rule.code
                        )
                    }
                    (Kind::Unenforced | Kind::Hazard | Kind::Warned, Err(error)) => panic!(
                        "{} is {:?}, and ptxas {release} refuses it: {error}\n{text}",
                        rule.code, rule.kind
                    ),
                    (Kind::Warned, Ok(assembled)) => {
                        assert!(!assembled.warnings.is_empty(), "{} {release}\n{text}", rule.code);
                    }
                    (Kind::Refused, Err(_)) | (Kind::Unenforced | Kind::Hazard, Ok(_)) => {}
                }
            }
        });
    }
}

/// The common part of the cases is valid, so that each case breaks only the rule that it names.
#[test]
fn a_sound_module_is_accepted() {
    let cases = [
        Case::default(),
        Case { uses: true, ..Case::global(U32) },
        Case::value(&Type::Array(Extent::Known(2), U32), Value::List(&[Value::Int(1)])),
        Case::value(F32, Value::Float(0.1)),
        Case::aligned(4096),
        Case::pointer(16, F32),
        Case::directive(DirectiveKind::MaxNTid, [1024, 1, 1]),
        Case {
            target: Some(Target::Sm90),
            ..Case::directive(DirectiveKind::MaxClusterRank, [2, 1, 1])
        },
        Case { target: Some(Target::Sm80), ..Case::global(B128) },
        Case {
            params: vec![Param::new("p", &Type::Array(Extent::Known(32_764), U8))],
            ..Case::default()
        },
        Case {
            uses: true,
            ..Case::variable(Variable::new(
                Space::Shared,
                "x",
                &Type::Array(Extent::Known(49_152), U8),
            ))
        },
        Case {
            variables: vec![
                visible("x", &Type::Array(Extent::Known(65_528), U8)),
                visible("y", F64),
            ],
            ..Case::default()
        },
    ];
    for case in cases {
        case.with(|module, arch| {
            let text = ptx::Module::new(*module).to_string();
            assert!(rules::check_module(module).is_empty(), "{text}");
            for ptxas in xtask::oracles() {
                if let Err(error) = ptxas.assemble_text(&text, arch) {
                    panic!("{error}\n{text}");
                }
            }
        });
    }
}

/// The requirements of a special register are reported where a body names it, and not for the module as well.
#[test]
fn requirements_of_special_registers_are_reported_once() {
    #[ptx::module(__unchecked, target = sm_80, version = 7.0)]
    mod old {
        #[kernel]
        fn rank() {
            ptx! {
                .reg .b32 %r;
                mov.u32 %r, %cluster_ctarank;
                ret;
            }
        }
    }
    let found = old::MODULE.check();
    let found: Vec<_> = found.iter().map(|it| (it.rule().code, it.statement().is_some())).collect();
    assert_eq!(found, [("S001", true), ("S002", true)]);
}

#[test]
fn all_violations_come_at_once_with_their_values() {
    let bad = Variable {
        align: Some(12),
        init: Init::Value(Value::List(&[Value::Int(-1), Value::Int(1)])),
        ..Variable::new(Space::Shared, "1st", &Type::Vector(4, ScalarType::F64))
    };
    let module = Module {
        version: Some(Version::new(7, 0)),
        variables: &[&bad],
        ..Module::new("m", Target::Sm90a)
    };
    let found: Vec<String> = rules::check_module(&module).iter().map(ToString::to_string).collect();
    expect_test::expect![[r#"
        sm_90a needs PTX 8.0 or newer, but the module declares PTX 7.0; write `version = 8.0`, or leave the version out [T001, PTX ISA 11.1]
        `1st` is not a PTX name: a name cannot start with a digit; start it with a letter [D001, PTX ISA 4.4]
        `.v4 .f64` is 32 bytes, and a PTX vector holds at most 16; use `V2<f64>` [D004, PTX ISA 5.4.2]
        the alignment 12 is not a power of two; write 32 [D005, PTX ISA 5.4.5]
        `1st` is in `.shared`, which takes no initial value: only `.const` and `.global` do; remove the value, and store it when the kernel starts [D007, PTX ISA 5.4.4]
        the initial value of `1st` does not match the shape of `.v4 .f64`: a vector takes a value for each element; write one value for each element [D018, PTX ISA 5.4.4]"#]]
    .assert_eq(&found.join("\n"));
}

/// ptxas accepts the lowest version that a module chooses, and refuses a lower one.
#[test]
fn each_target_needs_its_version() {
    for ptxas in xtask::oracles() {
        for target in Target::ALL {
            let text = |version: Version| {
                format!(
                    ".version {version}\n.target {target}\n.address_size 64\n.visible .entry k()\n{{\n    ret;\n}}\n"
                )
            };
            // A release that does not know the target proves nothing.
            let since = target.since();
            if ptxas.assemble_text(text(since), *target).is_err() {
                continue;
            }
            let below = match (since.major, since.minor) {
                (8, 0) => Version::new(7, 8),
                (9, 0) => Version::new(8, 8),
                (major, 0) => Version::new(major - 1, 0),
                (major, minor) => Version::new(major, minor - 1),
            };
            // Only 13.0 accepts sm_88 from 7.3 on.
            if *target != Target::Sm88 {
                assert!(
                    ptxas.assemble_text(text(below), *target).is_err(),
                    "ptxas {} takes {target} with PTX {below}",
                    ptxas.release()
                );
            }
        }
    }
}

/// `docs/rules.md` lists the table.
#[test]
fn the_documentation_lists_every_rule() {
    let mut text = String::from(
        "# The rules\n\n\
         One table (`ptx-isa/src/rules/table.rs`), applied while macros expand, while rustc evaluates\n\
         constants, and at run time. *Refused*: ptxas refuses it too. *Unenforced*: the ISA forbids it, or\n\
         Rust and PTX would disagree, but ptxas accepts it. *Hazard*: ptxas accepts it, but it goes wrong at run\n\
         time; it can be allowed by its code. *Warned*: ptxas accepts it and ignores it, mostly with a warning, and the\n\
         program runs right: a warning of `ptx check`, `ptx::assembles!` and `Module::check()`, about which macros, which\n\
         have no warnings, are silent. Each code leads to the rule's page, which `ptx explain CODE` prints.\n\
         Written by `UPDATE_EXPECT=1 cargo test --test rules`.\n\n\
         A rule reports what goes wrong in every execution that reaches the statement, or in one that certainly\n\
         happens. [Below](#when-a-rule-is-silent) is a list of when each rule is silent. Some notes:\n\n\
         - A020: where a comparison of a value that the launch decides, such as `%ntid.x`, guards the access, the\n\
           message repeats the comparison: the access goes wrong only in launches for which it holds. Where only\n\
           larger inputs than 0 and 1 lead there, as in the body of an unrolled loop, A020 is silent.\n\
         - A022, A036: one error for a declaration, with the largest alignment that its accesses need and their\n\
           number. `allow(..)` can be on an access, on the kernel, or on the declaration for all accesses.\n\
         - A034: memory in PTX has no type. The rule speaks where straight-line code computes with what it\n\
           accesses in another floating-point format than the declared one: the result of an addition of `.f32`\n\
           that is stored into `F16x2`, a `u32` of Rust that is loaded as `.f32` and added. In PTX text it is silent\n\
           about integers and about parts of a number: nvcc loads a parameter `.u32` as `.f32` for\n\
           `__int_as_float`, and the half of a `.f64`. Allow it on the access, the kernel, or the declaration if it is\n\
           intended.\n\
         - F009: a module in which a function returns several values is compiled without the ABI, and then\n\
           functions take and return 8 and 16 bits, and predicates.\n\n\
         | code | rule | ISA | kind | blames | message and fix |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut sorted: Vec<_> = RULES.iter().collect();
    sorted.sort_by_key(|rule| rule.code);
    for rule in &sorted {
        let line = format!(
            "| [{0}](../ptx-cli/rules/{0}.md) | {1} | {2} | {3:?} | {4:?} | {5}; {6} |\n",
            rule.code,
            rule.name.replace('_', " "),
            rule.source,
            rule.kind,
            rule.blames,
            rule.message,
            rule.fix
        );
        text.push_str(&line);
    }
    text.push_str("\nWithdrawn, and never used again:\n\n");
    for (code, why) in rules::WITHDRAWN {
        text += "- ";
        text += code;
        text += ": ";
        text += why;
        text += ".\n";
    }
    text += &silence::document(&sorted);
    expect_test::expect_file!["../docs/rules.md"].assert_eq(&text);
}

/// Each special register exists in its lowest version and on its lowest target, and not below.
#[test]
fn special_registers_need_what_their_rows_say() {
    const VERSIONS: &[(u8, u8)] = &[
        (1, 0),
        (1, 2),
        (1, 3),
        (1, 5),
        (2, 0),
        (2, 3),
        (3, 0),
        (3, 1),
        (3, 2),
        (4, 0),
        (4, 1),
        (4, 3),
        (5, 0),
        (6, 5),
        (7, 5),
        (7, 6),
        (7, 7),
        (7, 8),
        (8, 0),
        (8, 1),
        (9, 0),
    ];
    for ptxas in xtask::oracles() {
        for register in ptx::special::SPECIAL_REGISTERS {
            let name = match register.family {
                Some((_, last, suffix)) => format!("{}{last}{suffix}", register.name),
                None => register.name.to_owned(),
            };
            assert_eq!(ptx::special::special_register(&name), Some(register));
            let element = if register.is_vector { ".x" } else { "" };
            let ty = register.ty.name();
            let takes = |version: Version, arch: u16| {
                let size =
                    if (version.major, version.minor) < (2, 3) { "" } else { ".address_size 64\n" };
                let text = format!(
                    ".version {version}\n.target sm_{arch}\n{size}.entry k ()\n{{\n.reg .{ty} %x;\nmov.{ty} %x, {name}{element};\n}}\n"
                );
                ptxas.assemble_text(&text, Target::Sm90).is_ok()
            };
            let newest =
                if ptxas.release().major >= 13 { Version::new(9, 0) } else { Version::new(8, 8) };
            assert!(takes(newest, register.min_arch), "{name} on sm_{}", register.min_arch);
            let since = register.since;
            let at_since = takes(since, register.min_arch);
            assert!(at_since, "{name} with PTX {since} on sm_{}", register.min_arch);
            let below = VERSIONS.iter().rev().map(|(major, minor)| Version::new(*major, *minor));
            if let Some(below) = below.into_iter().find(|version| version.is_below(since)) {
                assert!(!takes(below, register.min_arch), "{name} with PTX {below}");
            }
            let below = [10, 20, 30, 50, 70, 80, 90]
                .into_iter()
                .rev()
                .find(|arch| *arch < register.min_arch);
            if let Some(below) = below {
                assert!(!takes(newest, below), "{name} on sm_{below}");
            }
        }
    }
}

/// Types of 8 bits are only for loads, stores and conversions (PTX ISA 5.2.2).
#[test]
fn no_computing_opcode_takes_types_of_8_bits() {
    let Some(ptxas) = xtask::oracle() else { return };
    let takes = |instruction: &str| {
        let text = format!(
            ".version 8.8\n.target sm_90\n.address_size 64\n.shared .b8 s;\n.entry k ()\n{{\n.reg .b8 %b;\n.reg .pred %p;\n{instruction}\n}}\n"
        );
        ptxas.assemble_text(&text, Target::Sm90).is_ok()
    };
    for sound in ["ld.shared.u8 %b, [s];", "st.shared.b8 [s], %b;", "cvt.s8.s8 %b, %b;"] {
        assert!(takes(sound), "{sound}");
    }
    let rows = ptx::instruction::INSTRUCTIONS.iter().filter(|row| !row.takes_bytes);
    let opcodes: Vec<&str> = rows.map(|row| row.opcode).collect();
    assert!(opcodes.len() >= 31, "{opcodes:?}");
    for opcode in opcodes {
        for ty in ["u8", "s8", "b8"] {
            for operands in ["%b, %b", "%b, %b, %b", "%b, %b, %b, %b", "%p, %b, %b"] {
                let instruction = format!("{opcode}.{ty} {operands};");
                assert!(!takes(&instruction), "{instruction}");
            }
        }
    }
}
