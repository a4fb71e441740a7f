//! Parses declarations into the intermediate representation.

use alloc::vec::Vec;

use ptx_isa::ir::{
    Address, Directive, DirectiveKind, Extent, Field, FunctionKind, Init, Link, Linkage, Linked,
    Param, Pointer, Struct, StructKind, Type, Variable,
};
use ptx_isa::sorted::SortedMap;
use ptx_isa::tensor::{ElementType, Spec};
use ptx_isa::{Opaque, ScalarType, Space};

use super::{array_of, kept};

/// A parsed variable.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) variable: &'static Variable<'static>,
    pub(super) pointer: Option<Pointer<'static>>,
    /// The name whose address is in the initial value.
    pub(super) names: Option<&'static str>,
    /// Its PTX name.
    pub(super) ptx_name: &'static str,
    /// Whether it depends on a constant.
    pub(super) is_deferred: bool,
    /// Whether its alignment is a constant.
    pub(super) is_alignment_open: bool,
    /// Whether no body names it.
    pub(super) is_idle: bool,
}

/// Tiles of 1,024 bytes.
static SPEC: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [32, 8, 1, 1, 1]);

const fn structure(
    name: &'static str,
    (size, align): (usize, usize),
    kind: StructKind<'static>,
) -> Struct<'static> {
    Struct { name, size, align, fields: &[], kind }
}

static MAP: Type<'static> = Type::Struct(structure("Map", (128, 64), StructKind::TensorMap(&SPEC)));
static TILE: Type<'static> = Type::Struct(structure("Tile", (1024, 128), StructKind::Tile(&SPEC)));
static MBARRIER: Type<'static> = Type::Struct(structure("Mbarrier", (8, 8), StructKind::Mbarrier));

fn four_words() -> Pointer<'static> {
    static WORDS: Type<'static> = Type::Array(Extent::Known(4), &Type::Scalar(ScalarType::U32));
    Pointer { space: Some(Space::Global), align: None, pointee: &WORDS }
}

fn anywhere() -> Pointer<'static> {
    static LONG: Type<'static> = Type::Scalar(ScalarType::U64);
    Pointer { space: None, align: None, pointee: &LONG }
}

static LONG: Type<'static> = Type::Scalar(ScalarType::U64);
/// A number followed by pointers.
static PAIR: Type<'static> = Type::Struct(Struct {
    name: "Pair",
    size: 24,
    align: 8,
    fields: &[
        field("n", 0, &LONG),
        Field { name: "words", offset: 8, ty: &LONG, pointer: Some(four_words) },
        Field { name: "anywhere", offset: 16, ty: &LONG, pointer: Some(anywhere) },
    ],
    kind: StructKind::Fields,
});

const fn field(name: &'static str, offset: usize, ty: &'static Type<'static>) -> Field<'static> {
    Field { name, offset, ty, pointer: None }
}

static WORD: Type<'static> = Type::Scalar(ScalarType::U32);
static FLOAT: Type<'static> = Type::Scalar(ScalarType::F32);
/// An integer followed by a float.
static MIXED: Type<'static> = Type::Struct(Struct {
    fields: &[field("n", 0, &WORD), field("x", 4, &FLOAT)],
    ..structure("Mixed", (8, 4), StructKind::Fields)
});
static FLOATS: Type<'static> = Type::Array(Extent::Known(2), &FLOAT);
/// An mbarrier followed by floats.
static STAGE: Type<'static> = Type::Struct(Struct {
    fields: &[field("barrier", 0, &MBARRIER), field("n", 8, &FLOATS)],
    ..structure("Stage", (16, 8), StructKind::Fields)
});

fn ty(word: &'static str) -> &'static Type<'static> {
    if let Some((of, count)) = word.split_once('[') {
        return array_of(extent(count.trim_end_matches(']')), ty(of));
    }
    match word {
        ".?" => kept(Type::Unknown),
        ".map" => &MAP,
        ".tile" => &TILE,
        ".mbarrier" => &MBARRIER,
        ".pair" => &PAIR,
        ".mixed" => &MIXED,
        ".stage" => &STAGE,
        word => {
            let name = word.strip_prefix('.').unwrap_or_else(|| panic!("a type: {word}"));
            if let Some(opaque) = Opaque::ALL.iter().find(|opaque| opaque.name() == name) {
                return kept(Type::Opaque(*opaque));
            }
            let scalar = ScalarType::from_name(name);
            Type::of_scalar(scalar.unwrap_or_else(|| panic!("a type: {word}")))
        }
    }
}

fn extent(text: &str) -> Extent {
    match text {
        "" => Extent::Incomplete,
        text => text.parse().map_or(Extent::Unknown, Extent::Known),
    }
}

/// Creates an initial value that is the address of the object with this name.
fn link(symbol: &'static str) -> Init<'static> {
    let address = Address { symbol, generic: false, addend: 0 };
    let links = kept([Link { at: 0, size: 8, address, byte: None }]);
    Init::Linked(Linked { bytes: &[0; 8], links })
}

/// Parses the variables of a declaration.
pub(super) fn read(line: &'static str) -> Vec<Read> {
    let line = line.split("//").next().unwrap_or_default().trim().trim_end_matches(';');
    let is_deferred = line.contains('$');
    let (line, initial) =
        line.split_once(" = ").map_or((line, None), |(line, of)| (line, Some(of)));
    let names = initial.map(|of| of.trim_matches(['{', '}']));
    let mut rest = line;
    let mut word = || {
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        (!word.is_empty()).then(|| {
            rest = after;
            word
        })
    };
    let (mut space, mut linkage, mut align) = (None, Linkage::Internal, None);
    let mut is_idle = false;
    let (mut scalar, mut pointer, mut is_alignment_open) = (None, None::<Pointer<'static>>, false);
    let first = loop {
        let Some(next) = word() else { panic!("a name in {line}") };
        let mut aligned = || {
            let amount = word().expect("an alignment");
            is_alignment_open |= amount.starts_with('$');
            amount.parse().ok()
        };
        match next {
            ".idle" => is_idle = true,
            ".extern" => linkage = Linkage::Extern,
            ".dynamic" => linkage = Linkage::Dynamic,
            ".visible" => linkage = Linkage::Visible,
            ".ptr" => pointer = Some(Pointer { space: None, align: None, pointee: ty(".b8") }),
            ".align" => match &mut pointer {
                Some(pointer) => pointer.align = aligned(),
                None => align = aligned(),
            },
            next if !next.starts_with('.') => break next,
            next => match (Space::from_name(&next[1..]), &mut pointer) {
                (Some(found), Some(pointer)) => pointer.space = Some(found),
                (Some(found), None) => space = Some(found),
                (None, Some(pointer)) => pointer.pointee = ty(next),
                (None, None) => scalar = Some(ty(next)),
            },
        }
    };
    let (space, scalar) = (space.expect("a state space"), scalar.expect("a type"));
    let rest = rest.strip_prefix("as ").map_or_else(Vec::new, |name| alloc::vec![name]);
    let all = core::iter::once(first).chain(line.split(", ").skip(1));
    let one = |text: &'static str| {
        let text = text.split(' ').next().unwrap_or_default().trim_end_matches(',');
        let end = text.find(['[', '<', '=']).unwrap_or(text.len());
        let (name, after) = text.split_at(end);
        let ty = match after.chars().next() {
            Some('<') => {
                let count = extent(after.trim_matches(['<', '>']));
                kept(Type::Family(count, scalar))
            }
            Some('[') => {
                let counts = after.trim_end_matches(']').split('[').skip(1);
                let counts: Vec<&str> = counts.map(|count| count.trim_end_matches(']')).collect();
                counts.into_iter().rev().fold(scalar, |ty, count| array_of(extent(count), ty))
            }
            _ => scalar,
        };
        let init = names.map_or(Init::None, link);
        let variable = Variable { linkage, align, init, ..Variable::new(space, name, ty) };
        let ptx_name = rest.first().copied().unwrap_or(name);
        let variable = kept(variable);
        Read { variable, pointer, names, ptx_name, is_deferred, is_alignment_open, is_idle }
    };
    all.map(one).collect()
}

/// The head of a function.
pub(super) struct Head {
    pub(super) kind: FunctionKind,
    pub(super) name: &'static str,
    pub(super) linkage: Linkage,
    pub(super) returns: Vec<Param<'static>>,
    pub(super) params: Vec<Param<'static>>,
    pub(super) directives: Vec<Directive>,
    pub(super) allowed: Vec<&'static str>,
    pub(super) assumed: Vec<&'static str>,
    pub(super) specials: Vec<&'static str>,
    pub(super) values: SortedMap<&'static str, i128>,
    /// Whether the places of its statements are known.
    pub(super) has_places: bool,
    /// Whether it has no body.
    pub(super) is_declaration: bool,
}

fn params(text: &'static str) -> Vec<Param<'static>> {
    let one = |text: &'static str| {
        let all = read(text.trim());
        let [Read { variable, pointer, .. }] = *all.as_slice() else { panic!("one in {text}") };
        Param { variable: *variable, pointer, readonly: false, elements: None }
    };
    text.split(',').filter(|text| !text.trim().is_empty()).map(one).collect()
}

pub(super) fn read_head(line: &'static str) -> Head {
    let mut parts = line.trim_end_matches('{').split('|').map(str::trim);
    let signature = parts.next().unwrap_or_default();
    let (kind, rest) = match signature.strip_prefix(".entry ") {
        Some(rest) => (FunctionKind::Kernel, rest),
        None => (FunctionKind::Device, signature.strip_prefix(".func ").expect("a function")),
    };
    let (returns, rest) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').expect("what is returned"),
        None => ("", rest),
    };
    let (name, rest) = rest.trim().split_once('(').unwrap_or((rest.trim(), ""));
    let mut head = Head {
        kind,
        name,
        linkage: if kind == FunctionKind::Kernel { Linkage::Visible } else { Linkage::Internal },
        returns: params(returns),
        params: params(rest.trim_end_matches(')')),
        directives: Vec::new(),
        allowed: Vec::new(),
        assumed: Vec::new(),
        specials: Vec::new(),
        has_places: false,
        values: SortedMap::new(),
        is_declaration: false,
    };
    for part in parts {
        let words: Vec<&'static str> = part.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { continue };
        match *first {
            "allow" => head.allowed.extend(rest),
            "assume" => head.assumed.extend(rest),
            "specials" => head.specials.extend(rest),
            "places" => head.has_places = true,
            "visible" => head.linkage = Linkage::Visible,
            "declaration" => head.is_declaration = true,
            "is" => {
                head.values.insert(rest[0], rest[1].parse().expect("a number"));
            }
            name => {
                let kind = DirectiveKind::ALL.iter().find(|kind| kind.name() == name);
                let kind = *kind.unwrap_or_else(|| panic!("a directive: {name}"));
                let mut values = [1; 3];
                for (value, word) in values.iter_mut().zip(rest) {
                    *value = word.parse().expect("a number");
                }
                head.directives.push(Directive { kind, values });
            }
        }
    }
    head
}
