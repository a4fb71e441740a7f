//! The coverage of the cases: the refused rules that they break alone, and the productions of the grammar.

use std::collections::{BTreeMap, BTreeSet};

use ptx::ir::{
    Address, DirectiveKind, Extent, Function, FunctionKind, Init, Linkage, Param, Type, Value,
    Variable,
};
use ptx::rules::{Kind, RULES};
use ptx::{Applies, Member, Opaque, ScalarType, Space, Target, TextureMode, Version};

use crate::judge::Outcome;
use ptx_smith::declarations::draft::Case;
use ptx_smith::declarations::legal::VERSIONS;
use ptx_smith::declarations::misses;

/// The number of times that every rule has to be the only one broken, and every production accepted, of the fewest
/// declarations that have to reach everything.
const LEAST: usize = 20;

/// Refused rules that no declaration breaks: they are about the use of a name by the instructions of a body,
/// which the front end checks while it reads the body, or about a name of a body in an initial value there.
const OF_BODIES: &[&str] = &[
    "D053", "A001", "A002", "A003", "A004", "A007", "A010", "A011", "A012", "A013", "A015", "A016",
    "A017", "A018", "A019", "A028", "A029", "A044", "A046", "A049", "A055", "A093", "A097", "A098",
    "A099", "A100", "A101", "A104", "A105", "A106", "A107", "A108", "C001", "C002", "C003", "C004",
    "C005", "C006",
];

/// The number of times that each rule and each production was reached.
pub(crate) struct Reach {
    rules: BTreeMap<&'static str, usize>,
    productions: BTreeMap<String, usize>,
}

impl Reach {
    /// The empty counts.
    pub(crate) fn new() -> Self {
        let refused = RULES.iter().filter(|rule| rule.kind == Kind::Refused);
        let codes = refused.map(|rule| rule.code).filter(|code| !OF_BODIES.contains(code));
        Self {
            rules: codes.map(|code| (code, 0)).collect(),
            productions: productions().into_iter().map(|production| (production, 0)).collect(),
        }
    }

    /// Counts a case on which all verdicts agree.
    pub(crate) fn count(&mut self, case: &Case, outcome: &Outcome) {
        if outcome.refused.iter().all(|refused| *refused) {
            for (rule, count) in &mut self.rules {
                *count += usize::from(misses::is_only(rule, &outcome.codes));
            }
        } else if !outcome.refused.contains(&true) {
            for production in productions_of(case) {
                // Special cases without a production of their own are not counted.
                if let Some(count) = self.productions.get_mut(&production) {
                    *count += 1;
                }
            }
        }
    }

    /// A table of everything.
    pub(crate) fn table(&self) -> String {
        let rules = self.rules.iter().map(|(rule, count)| (*rule, count));
        let productions = self.productions.iter().map(|(name, count)| (name.as_str(), count));
        let lines = rules.chain(productions).map(|(name, count)| format!("{count:>8}  {name}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The rules and productions that were not reached often enough.
    pub(crate) fn lacking(&self) -> Vec<String> {
        let rules = self.rules.iter().map(|(rule, count)| (*rule, *count));
        let productions = self.productions.iter().map(|(name, count)| (name.as_str(), *count));
        let few = rules.chain(productions).filter(|(_, count)| *count < LEAST);
        few.map(|(name, count)| format!("{name}: {count}")).collect()
    }
}

/// Every production of the grammar.
fn productions() -> BTreeSet<String> {
    const OTHERS: &[&str] = &[
        "managed",
        "unified variable",
        "unified function",
        "no alignment",
        "natural alignment",
        "larger alignment",
        "alignment below natural",
        "scalar",
        "vector of 2",
        "vector of 4",
        "array of rank 1",
        "array of rank 2",
        "array of rank 3",
        "array of vectors",
        "array counted by its value",
        "array without a length",
        "struct",
        "array of structs",
        "aligned type",
        "family of scalars",
        "family of vectors",
        "family of opaque types",
        "dynamic shared memory",
        "no value",
        "bytes",
        "number",
        "floating-point number",
        "list",
        "nested list",
        "incomplete list",
        "address",
        "address and offset",
        "generic address",
        "generic address and offset",
        "address of a function",
        "address of a kernel",
        "address of a member",
        "byte of an address",
        "byte of an integer",
        "address among bytes",
        "address among the bytes of a struct",
        "byte of an address among bytes",
        "members",
        "pointer to anything",
        "pointer with an alignment",
        "kernel",
        "device function",
        "function defined elsewhere",
        "no return",
        "return",
        "several returns",
        "variable arguments",
        "kernel defined elsewhere",
        "special register",
        "shared memory of a called function",
        "shared memory that is not named",
        "special register of a device function",
    ];
    let mut all: BTreeSet<String> = OTHERS.iter().map(|name| (*name).to_owned()).collect();
    for space in Space::ALL {
        for (place, has) in [("module", space.is_module_scope()), ("body", space.is_body_scope())] {
            if has {
                all.insert(in_space(place, *space));
            }
        }
    }
    all.extend([in_space("kernel parameter", Space::Param)]);
    for place in ["function parameter", "return"] {
        all.extend([in_space(place, Space::Param), in_space(place, Space::Reg)]);
    }
    for space in [Space::Global, Space::Const, Space::Shared, Space::Local] {
        all.insert(format!("pointer into {}", space.directive()));
    }
    all.extend(Linkage::ALL.iter().map(|linkage| format!("{linkage:?} variable")));
    for linkage in [Linkage::Internal, Linkage::Visible, Linkage::Weak] {
        all.extend([format!("{linkage:?} Kernel"), format!("{linkage:?} Device")]);
    }
    all.insert(format!("{:?} Device", Linkage::Extern));
    all.extend(ScalarType::ALL.iter().map(|scalar| format!("type {}", scalar.name())));
    for opaque in Opaque::ALL {
        all.insert(opaque.declared().to_owned());
        for mode in [TextureMode::Unified, TextureMode::Independent] {
            for member in Member::ALL {
                let has = member.applies(*opaque, mode) != Applies::No;
                if has && (*opaque, mode) != (Opaque::SamplerRef, TextureMode::Unified) {
                    all.insert(member_of(*opaque, mode, *member));
                }
            }
        }
    }
    all.extend(DirectiveKind::ALL.iter().map(|kind| format!(".{}", kind.name())));
    let newest = Version::new(9, 0);
    let known = Target::ALL.iter().filter(|target| !newest.is_below(target.since()));
    all.extend(known.map(ToString::to_string));
    all.extend(VERSIONS.iter().map(|version| format!("PTX {version}")));
    all.extend(
        [TextureMode::Unified, TextureMode::Independent].map(|mode| format!("{mode:?} mode")),
    );
    all
}

fn in_space(place: &str, space: Space) -> String {
    format!("{place} {}", space.directive())
}

fn member_of(opaque: Opaque, mode: TextureMode, member: Member) -> String {
    format!("{} of {} in {mode:?} mode", member.name(), opaque.declared())
}

/// The productions that a case uses.
fn productions_of(case: &Case) -> BTreeSet<String> {
    let mut found = Found { names: BTreeSet::new(), case };
    let version = case.written_version();
    found.add(format!("PTX {version}"));
    found.add(case.target.to_string());
    found.add(format!("{:?} mode", case.mode));
    for variable in &case.variables {
        found.variable("module", variable);
    }
    for function in &case.functions {
        found.function(function);
    }
    found.names
}

struct Found<'a> {
    names: BTreeSet<String>,
    case: &'a Case,
}

impl Found<'_> {
    fn add(&mut self, name: impl Into<String>) {
        self.names.insert(name.into());
    }

    fn add_if(&mut self, is_so: bool, name: &str) {
        if is_so {
            self.add(name);
        }
    }

    fn function(&mut self, function: &Function<'_>) {
        let is_kernel = function.kind == FunctionKind::Kernel;
        self.add(if is_kernel { "kernel" } else { "device function" });
        self.add(format!("{:?} {:?}", function.linkage, function.kind));
        self.add_if(function.unified.is_some(), "unified function");
        self.add_if(function.body.is_none(), "function defined elsewhere");
        self.add_if(!function.called_shared.is_empty(), "shared memory of a called function");
        self.add_if(!function.idle_shared.is_empty(), "shared memory that is not named");
        if !function.specials.is_empty() {
            self.add("special register");
            self.add_if(!is_kernel, "special register of a device function");
        }
        if !is_kernel {
            self.add(match function.returns.len() {
                0 => "no return",
                1 => "return",
                _ => "several returns",
            });
        }
        let is_elsewhere = function.body.is_none();
        self.add_if(is_kernel && is_elsewhere, "kernel defined elsewhere");
        let last = function.params.last().map(|param| param.variable.ty.extent(0));
        let is_open = matches!(last, Some(Some(Extent::Incomplete)));
        self.add_if(!is_kernel && is_open, "variable arguments");
        for directive in function.directives {
            self.add(format!(".{}", directive.kind.name()));
        }
        let place = if is_kernel { "kernel parameter" } else { "function parameter" };
        for param in function.params {
            self.param(place, param);
        }
        for param in function.returns {
            self.param("return", param);
        }
        for local in function.locals.iter().chain(function.idle_shared) {
            self.variable("body", local);
        }
    }

    fn param(&mut self, place: &str, param: &Param<'_>) {
        self.add(in_space(place, param.variable.space));
        self.alignment(&param.variable);
        self.ty(param.variable.ty);
        if let Some(pointer) = param.pointer {
            match pointer.space {
                Some(space) => self.add(format!("pointer into {}", space.directive())),
                None => self.add("pointer to anything"),
            }
            self.add_if(pointer.align.is_some(), "pointer with an alignment");
        }
    }

    fn variable(&mut self, place: &str, variable: &Variable<'_>) {
        self.add(in_space(place, variable.space));
        self.add(format!("{:?} variable", variable.linkage));
        self.add_if(variable.managed, "managed");
        self.add_if(variable.unified.is_some(), "unified variable");
        self.add_if(variable.is_dynamic(), "dynamic shared memory");
        self.add_if(variable.is_counted_by_value(), "array counted by its value");
        let is_open = variable.ty.extent(0) == Some(Extent::Incomplete);
        self.add_if(is_open && !variable.is_counted_by_value(), "array without a length");
        self.alignment(variable);
        self.ty(variable.ty);
        self.init(variable);
    }

    fn alignment(&mut self, variable: &Variable<'_>) {
        let natural = variable.ty.align().unwrap_or(1);
        self.add(match variable.align {
            None => "no alignment",
            Some(align) if align < natural => "alignment below natural",
            Some(align) if align > natural => "larger alignment",
            Some(_) => "natural alignment",
        });
    }

    fn ty(&mut self, ty: &Type<'_>) {
        let rank = ty.rank();
        if rank > 0 {
            self.add(format!("array of rank {rank}"));
        }
        if let Some(scalar) = ty.scalar() {
            self.add(format!("type {}", scalar.name()));
        }
        self.add_if(matches!(ty, Type::Aligned(..)), "aligned type");
        let (element, is_family) = (ty.element(), ty.family().is_some());
        match element {
            Type::Scalar(_) => {
                self.add(if is_family { "family of scalars" } else { "scalar" });
            }
            Type::Vector(lanes, _) => {
                self.add(format!("vector of {lanes}"));
                self.add_if(is_family, "family of vectors");
                self.add_if(rank > 0, "array of vectors");
            }
            Type::Struct(_) => self.add(if rank > 0 { "array of structs" } else { "struct" }),
            Type::Opaque(opaque) => {
                self.add(opaque.declared());
                self.add_if(is_family, "family of opaque types");
            }
            Type::Array(..) | Type::Aligned(..) | Type::Family(..) | Type::Unknown => {}
        }
    }

    fn init(&mut self, variable: &Variable<'_>) {
        match &variable.init {
            Init::None | Init::Unknown(_) => self.add("no value"),
            Init::Bytes(_) => self.add("bytes"),
            Init::Value(value) => self.value(variable.ty, value),
            Init::Members(members) => {
                self.add("members");
                if let Some(opaque) = variable.ty.opaque() {
                    for assignment in *members {
                        self.add(member_of(opaque, self.case.mode, assignment.member));
                    }
                }
            }
            Init::Linked(linked) => {
                let is_struct = matches!(variable.ty.element(), Type::Struct(_));
                self.add("address among bytes");
                self.add_if(is_struct, "address among the bytes of a struct");
                for link in linked.links {
                    self.add_if(link.byte.is_some(), "byte of an address among bytes");
                    self.address(&link.address);
                }
            }
        }
    }

    fn value(&mut self, ty: &Type<'_>, value: &Value<'_>) {
        match value {
            Value::Int(_) => self.add("number"),
            Value::Float(_) => self.add("floating-point number"),
            // Of a text, and long.
            Value::Integers(_) | Value::Floats(_) => self.add("list"),
            Value::MaskedInt(..) => self.add("byte of an integer"),
            Value::MaskedAddress(_, address) => {
                self.add("byte of an address");
                self.address(address);
            }
            Value::Address(address) => {
                self.add(match (address.generic, address.addend) {
                    (false, 0) => "address",
                    (false, _) => "address and offset",
                    (true, 0) => "generic address",
                    (true, _) => "generic address and offset",
                });
                self.address(address);
            }
            Value::List(values) => {
                let nested = values.iter().any(|value| matches!(value, Value::List(_)));
                self.add(if nested { "nested list" } else { "list" });
                if let Some(Extent::Known(count)) = ty.extent(0) {
                    self.add_if(values.len() < count, "incomplete list");
                }
                let inner = match ty {
                    Type::Array(_, inner) => inner,
                    other => other,
                };
                for value in *values {
                    self.value(inner, value);
                }
            }
        }
    }

    /// The kind of an address's target.
    fn address(&mut self, address: &Address<'_>) {
        let named = |function: &&&Function<'_>| function.name == address.symbol;
        match self.case.functions.iter().find(named).map(|function| function.kind) {
            Some(FunctionKind::Kernel) => self.add("address of a kernel"),
            Some(FunctionKind::Device) => self.add("address of a function"),
            None => {
                let named = |variable: &&Variable<'_>| variable.name == address.symbol;
                self.add_if(
                    !self.case.variables.iter().copied().any(|v| named(&v)),
                    "address of a member",
                );
            }
        }
    }
}
