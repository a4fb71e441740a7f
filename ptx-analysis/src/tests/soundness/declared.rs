//! The declarations of programs, in the form the analysis expects.

use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::body::Body;
use ptx_isa::ir::{
    Directive, Extent, Function, FunctionKind, Linkage, Module, Param, Type, Variable,
};
use ptx_isa::{ScalarType, Space, Target, Version};

use crate::findings::symbols::{Symbol, Symbols};

macro_rules! array {
    ($name:literal, $space:ident, $align:literal, $bytes:literal) => {{
        static TYPE: Type<'static> =
            Type::Array(Extent::Known($bytes), &Type::Scalar(ScalarType::B8));
        static VARIABLE: Variable<'static> =
            Variable { align: Some($align), ..Variable::new(Space::$space, $name, &TYPE) };
        &VARIABLE
    }};
}

macro_rules! registers {
    ($name:literal, $ty:ident, $count:literal) => {{
        static TYPE: Type<'static> =
            Type::Family(Extent::Known($count), &Type::Scalar(ScalarType::$ty));
        static VARIABLE: Variable<'static> = Variable::new(Space::Reg, $name, &TYPE);
        &VARIABLE
    }};
}

static WORD: Type<'static> = Type::Scalar(ScalarType::B32);
static WIDE: Type<'static> = Type::Scalar(ScalarType::B64);

/// The arrays, in the same order as in the interpreter.
static ARRAYS: [&Variable<'static>; 4] = [
    array!("A", Shared, 16, 512),
    array!("B", Shared, 4, 128),
    array!("C", Local, 8, 64),
    array!("E", Shared, 16, 1024),
];

static REGISTERS: [&Variable<'static>; 4] = [
    registers!("%r", B32, 16),
    registers!("%d", B64, 8),
    registers!("%h", B16, 3),
    registers!("%p", Pred, 8),
];

/// The declarations in the body of a kernel without calls.
static ALONE: [&Variable<'static>; 8] = [
    ARRAYS[0],
    ARRAYS[1],
    ARRAYS[2],
    ARRAYS[3],
    REGISTERS[0],
    REGISTERS[1],
    REGISTERS[2],
    REGISTERS[3],
];

/// The declarations in the body of a kernel with calls.
static CALLING: [&Variable<'static>; 8] = [
    ARRAYS[2],
    REGISTERS[0],
    REGISTERS[1],
    REGISTERS[2],
    REGISTERS[3],
    &Variable::new(Space::Param, "pa", &WORD),
    &Variable::new(Space::Param, "pb", &WIDE),
    &Variable::new(Space::Param, "pz", &WORD),
];

/// The arrays that functions share.
static SHARED: [&Variable<'static>; 3] = [ARRAYS[0], ARRAYS[1], ARRAYS[3]];

const fn in_register(name: &'static str, ty: &'static Type<'static>) -> Param<'static> {
    Param {
        variable: Variable::new(Space::Reg, name, ty),
        pointer: None,
        readonly: false,
        elements: None,
    }
}

/// The functions that programs call, as in the interpreter.
static CALLED: [Function<'static>; 2] = [
    Function {
        returns: &[in_register("%rz", &WORD)],
        params: &[in_register("%ra", &WORD), in_register("%rb", &WORD), in_register("%da", &WIDE)],
        locals: &REGISTERS,
        uses: &SHARED,
        ..Function::new(FunctionKind::Device, "g")
    },
    Function {
        returns: &[Param::new("hz", &WORD)],
        params: &[Param::new("ha", &WORD), Param::new("hb", &WIDE)],
        locals: &REGISTERS,
        uses: &SHARED,
        calls: &["g"],
        ..Function::new(FunctionKind::Device, "h")
    },
];

/// Returns the functions of a program with these bodies; the first is a kernel, or a device function with
/// unknown callers.
pub(super) fn functions<'a>(
    bodies: &[Body<'a>],
    directives: &'a [Directive],
    is_device: bool,
) -> Vec<Function<'a>> {
    let kind = if is_device { FunctionKind::Device } else { FunctionKind::Kernel };
    let mut all = Vec::new();
    let Some((first, called)) = bodies.split_first() else { return all };
    let calls = !called.is_empty();
    all.push(Function {
        linkage: Linkage::Visible,
        body: Some(*first),
        locals: if calls { &CALLING } else { &ALONE },
        uses: if calls { &SHARED } else { &[] },
        calls: if calls { &["g", "h"] } else { &[] },
        directives,
        ..Function::new(kind, "f")
    });
    for (function, body) in CALLED.iter().zip(called) {
        // `h` calls `g` with registers, which it declares.
        all.push(Function { body: Some(*body), ..*function });
    }
    all
}

/// Creates a module with these functions.
pub(super) fn module<'a>(functions: &'a [&'a Function<'a>]) -> Module<'a> {
    Module {
        version: Some(Version::new(8, 0)),
        variables: if functions.len() > 1 { &SHARED } else { &[] },
        functions,
        ..Module::new("m", Target::Sm90)
    }
}

/// Resolves the names in the bodies of a module.
pub(super) fn symbols<'a>(module: &Module<'a>) -> Symbols<'a> {
    fn symbol<T>(index: usize, name: &str, ir: T) -> (String, Vec<Symbol<T>>) {
        let name = name.to_string();
        (name.clone(), vec![Symbol { index, name, ir, is_alignment_deferred: false }])
    }
    let variables = module.variables.iter().enumerate();
    let functions = module.functions.iter().enumerate();
    Symbols {
        variables: variables.map(|(n, ir)| symbol(n, ir.name, *ir)).collect(),
        functions: functions.map(|(n, ir)| symbol(n, ir.name, *ir)).collect(),
        ..Symbols::default()
    }
}
