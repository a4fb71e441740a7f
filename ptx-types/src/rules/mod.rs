//! The rules: what a declaration may say, in one table.
//!
//! A rule is a row: a code, a section of the PTX ISA, the part of a declaration that it blames, a
//! message, a fix, and a test over the IR that is a `const fn`. The same row is asked while a macro
//! expands ([`check_variable`] and its siblings over an IR with unknowns), while rustc evaluates
//! constants, and at run time ([`check_module`]: all violations at once).

use alloc::vec::Vec;
use core::fmt;

use crate::ir::{Address, Function, Module, Named, Names, Order, Param, Struct, Type, Variable};
use crate::space::Space;
use crate::target::{Release, Target, Version};
use crate::text::Text;
use crate::texture::TextureMode;

pub mod access;
mod address;
pub mod call;
pub mod copy;
mod element;
pub mod form;
mod function;
pub mod instruction;
pub(crate) mod late;
mod layout;
mod module;
mod opaque;
mod operand;
mod table;
mod tensor;
mod value;
mod variable;

pub use address::Symbol;
pub use function::{PARAM_BYTES, PARAM_BYTES_BEFORE_8_1, max_param_bytes};
pub use layout::Padding;
pub use module::CONST_BYTES;
pub use operand::{Held, Offset, Operand, TensorAccess, TensorMode, Via, gcd};
pub use table::RULES;
pub use variable::Scope;

/// Who enforces a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// ptxas or the driver refuses it too.
    Refused,
    /// The ISA forbids it and the tools take it.
    Unenforced,
    /// The tools take it and it faults, corrupts or hangs at run time. Can be allowed by its code:
    /// `#[global(align = 1, allow(D006))]`.
    Hazard,
}

/// The part of a declaration that a rule blames, where the caret goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// The name.
    Name,
    /// The state space.
    Space,
    /// The linkage or another attribute.
    Linkage,
    /// The declared alignment.
    Align,
    /// The type.
    Type,
    /// In the type, what its arrays are made of.
    Element,
    /// In the type, the extent that is zero.
    Extent,
    /// The initial value.
    Value,
    /// A directive.
    Directive,
    /// The value of a directive.
    DirectiveValue,
    /// What the directives say together.
    Directives,
    /// The PTX version.
    Version,
    /// The offset in an operand; the name where none is written.
    Offset,
}

impl Part {
    /// Whether asking for `self` asks for the rules that blame `part` too.
    const fn covers(self, part: Self) -> bool {
        match self {
            Self::Type => matches!(part, Self::Type | Self::Element | Self::Extent),
            Self::Directive => matches!(part, Self::Directive | Self::DirectiveValue),
            Self::Name
            | Self::Space
            | Self::Linkage
            | Self::Align
            | Self::Element
            | Self::Extent
            | Self::Value
            | Self::DirectiveValue
            | Self::Directives
            | Self::Version
            | Self::Offset => self as u8 == part as u8,
        }
    }
}

/// One row of the rule table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// A code that never changes: `D005`.
    pub code: &'static str,
    /// A name for people: `align_not_power_of_two`.
    pub name: &'static str,
    /// What it is about: `variable`, `param`, `function`.
    pub subject: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// Who enforces it.
    pub kind: Kind,
    /// The part that it blames.
    pub blames: Part,
    /// What is wrong, with `{0}`.. where the values go.
    pub message: &'static str,
    /// What to write instead.
    pub fix: &'static str,
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// A value in a message.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// Nothing.
    None,
    /// A word.
    Str(&'a str),
    /// A name, printed in backticks.
    Name(&'a str),
    /// What this name points to: `*p`.
    Pointee(&'a str),
    /// A number.
    Int(i128),
    /// A number of bytes, printed with commas.
    Bytes(usize),
    /// A type.
    Type(&'a Type<'a>),
    /// A version.
    Version(Version),
    /// The targets that have an instruction: `sm_90` or newer.
    Needs(instruction::Needs),
}

/// The values of a message: `{0}` to `{3}`.
pub type Args<'a> = [Arg<'a>; 4];

const NONE: Arg<'static> = Arg::None;

/// The values of a message about `what`, which is newer than the version asked for.
const fn too_new(what: Arg<'_>, needed: Version, env: Environment) -> Option<Args<'_>> {
    match env.version {
        Some(version) if version.is_below(needed) => {
            Some([what, Arg::Version(needed), Arg::Version(version), NONE])
        }
        Some(_) | None => None,
    }
}

/// The values of a message about `what`, which the target is too old for.
const fn wrong_target(what: Arg<'_>, arch: u16, env: Environment) -> Option<Args<'_>> {
    match env.target {
        Some(target) if target.arch() < arch => {
            Some([what, Arg::Int(arch as i128), Arg::Str(target.name()), NONE])
        }
        Some(_) | None => None,
    }
}

/// A broken rule.
#[derive(Clone, Copy, Debug)]
pub struct Violation<'a> {
    /// The rule.
    pub rule: &'static Rule,
    /// Whose declaration broke it.
    pub subject: &'a str,
    /// The values in its message.
    pub args: Args<'a>,
}

impl Violation<'_> {
    /// The message, the fix, the code and the section, as compile errors print them.
    pub const fn text(&self) -> Text<1024> {
        let mut text = Text::new();
        self.push(&mut text, self.rule.message);
        text.push_str("; ");
        self.push(&mut text, self.rule.fix);
        text.push_str(" [");
        text.push_str(self.rule.code);
        text.push_str(", PTX ISA ");
        text.push_str(self.rule.section);
        text.push_str("]");
        text
    }

    const fn push(&self, text: &mut Text<1024>, template: &str) {
        let bytes = template.as_bytes();
        let (mut from, mut i) = (0, 0);
        while i < bytes.len() {
            if bytes[i] == b'{' {
                text.push_range(template, from, i);
                match self.args[(bytes[i + 1] - b'0') as usize] {
                    Arg::None => {}
                    Arg::Str(word) => text.push_str(word),
                    Arg::Name(name) => {
                        text.push_str("`");
                        text.push_str(name);
                        text.push_str("`");
                    }
                    Arg::Pointee(name) => {
                        text.push_str("*");
                        text.push_str(name);
                    }
                    Arg::Int(value) => text.push_int(value, false),
                    Arg::Bytes(count) => text.push_int(count as i128, true),
                    Arg::Type(ty) => text.push_type(ty),
                    Arg::Version(version) => {
                        text.push_int(version.major as i128, false);
                        text.push_str(".");
                        text.push_int(version.minor as i128, false);
                    }
                    Arg::Needs(needs) => push_targets(text, needs),
                }
                i += 3;
                from = i;
            } else {
                i += 1;
            }
        }
        text.push_range(template, from, i);
    }
}

const fn push_targets(text: &mut Text<1024>, needs: instruction::Needs) {
    let mut n = 0;
    while n < needs.only.len() {
        if n > 0 {
            text.push_str(if n + 1 == needs.only.len() { " or " } else { ", " });
        }
        text.push_str(needs.only[n].name());
        n += 1;
    }
    if n == 0 {
        text.push_str("sm_");
        text.push_int(needs.min_arch as i128, false);
        text.push_str(" or newer");
    }
}

impl fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// What is said of an allowance of the rule with this code, where nothing breaks it.
pub const fn unneeded(code: &str) -> Text<128> {
    let mut text = Text::new();
    text.push_str("nothing here breaks `");
    text.push_str(code);
    text.push_str("`; remove the allowance");
    text
}

/// What a declaration is judged for.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// The target; `None` if it is not known, and then no rule asks for it.
    pub target: Option<Target>,
    /// The PTX version; `None` for the lowest that suffices.
    pub version: Option<Version>,
    /// The oldest release of ptxas that has to take the text; `None` for any.
    pub release: Option<Release>,
    /// The texture mode; `None` if it is not known, and then no rule asks for it.
    pub texture_mode: Option<TextureMode>,
}

impl Environment {
    /// When nothing is known.
    pub const UNKNOWN: Self =
        Self { target: None, version: None, release: None, texture_mode: None };

    /// What a module is judged for.
    pub const fn of(module: &Module<'_>) -> Self {
        Self {
            target: Some(module.target),
            version: module.version,
            release: module.release,
            texture_mode: Some(module.texture_mode),
        }
    }
}

/// Every rule that a variable breaks.
pub fn check_variable<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Vec<Violation<'a>> {
    all(|from| table::variable(variable, scope, env, from, None))
}

/// Every rule that a parameter breaks, its variable's included, or what a function returns; the
/// function is defined here or elsewhere.
pub fn check_param<'a>(
    param: &Param<'a>,
    scope: Scope,
    is_extern: bool,
    env: Environment,
) -> Vec<Violation<'a>> {
    let mut found = check_variable(&param.variable, scope, env);
    found.extend(all(|from| table::param(param, from, None)));
    if scope != Scope::Param {
        found.extend(all(|from| table::formal(param, is_extern, from, None)));
    }
    found
}

/// Every gap in a struct that the rule of padding refuses.
pub fn check_padding<'a>(layout: &Struct<'a>) -> Vec<Padding<'a>> {
    let gaps = (0..=layout.fields.len()).map(|n| Padding::before_field(layout, n));
    gaps.filter(|gap| table::padding(gap, 0, None).is_some()).collect()
}

/// Every rule that the name of a function breaks.
pub fn check_name(name: &str) -> Vec<Violation<'_>> {
    // Functions stand in no space; a variable in this one has their names.
    let probe = Variable::new(Space::Param, name, &Type::Unknown);
    let mut found = Vec::new();
    if let Some((_, violation)) =
        table::variable(&probe, Scope::Module, Environment::UNKNOWN, 0, Some(Part::Name))
    {
        // The name is copied out of the probe, which ends here.
        found.push(Violation { rule: violation.rule, subject: name, args: named(name) });
    }
    found
}

/// The values of a message about a name.
const fn named(name: &str) -> Args<'_> {
    match crate::ident::fault(name) {
        Some(fault) => [Arg::Str(name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE],
        None => [Arg::Str(name), NONE, NONE, NONE],
    }
}

/// Every rule that a function's signature breaks, its parameters' not included.
pub fn check_function<'a>(function: &Function<'a>, env: Environment) -> Vec<Violation<'a>> {
    all(|from| table::function(function, env, from, None))
}

/// Every rule that an address in the initial value of `holder` breaks.
pub fn check_address<'a>(
    address: &Address<'a>,
    symbol: Symbol<'a>,
    holder: &Variable<'a>,
) -> Vec<Violation<'a>> {
    all(|from| table::address(address, symbol, holder, from, None))
}

/// Every rule that an instruction breaks by what it does with a name.
pub fn check_access(
    access: access::Access,
    object: access::Object<'_>,
    env: Environment,
) -> Vec<Violation<'_>> {
    all(|from| table::access(access, object, env, from, None))
}

/// Every rule that an operand breaks by where it goes.
pub fn check_operand<'a>(operand: Operand<'a>, object: access::Object<'a>) -> Vec<Violation<'a>> {
    all(|from| table::operand(operand, object, from, None))
}

/// Every rule that a tensor copy breaks by its tile and its map together.
pub fn check_copy(copy: copy::TensorCopy<'_>) -> Vec<Violation<'_>> {
    all(|from| table::copy(copy, from, None))
}

/// Every rule that the count of an `expect_tx` breaks.
pub fn check_transactions(transactions: copy::Transactions<'_>) -> Vec<Violation<'_>> {
    all(|from| table::transactions(transactions, from, None))
}

/// Every rule that a copy breaks by completing on this barrier, in a kernel that expects bytes
/// somewhere or not.
pub fn check_completed(barrier: &str, is_expected: bool) -> Vec<Violation<'_>> {
    all(|from| table::completed(barrier, is_expected, from, None))
}

/// Every rule that a number breaks that a barrier is told to count to.
pub fn check_count<'a>(count: copy::BarrierCount) -> Vec<Violation<'a>> {
    all(|from| table::count(count, from, None))
}

/// Every rule that a matrix descriptor breaks by the tile that it is made of.
pub fn check_descriptor(descriptor: copy::TileDescriptor<'_>) -> Vec<Violation<'_>> {
    all(|from| table::descriptor(descriptor, from, None))
}

/// Every rule that a call breaks as a whole.
pub fn check_call(name: &str, counts: call::Counts, is_kernel: bool) -> Vec<Violation<'_>> {
    all(|from| table::call(name, counts, is_kernel, from, None))
}

/// Every rule that an argument of a call breaks, or what receives a value.
pub fn check_argument<'a>(formal: &Param<'a>, actual: call::Actual<'a>) -> Vec<Violation<'a>> {
    all(|from| table::argument(formal, actual, from, None))
}

/// Every rule that a special register breaks by being named, `%` included.
pub fn check_special(name: &str, env: Environment) -> Vec<Violation<'_>> {
    all(|from| table::special(name, env, from, None))
}

/// Every rule that a name breaks by standing twice in one scope.
pub fn check_duplicate<'a>(name: &'a str, earlier: &'a str) -> Vec<Violation<'a>> {
    all(|from| table::duplicate(name, earlier, from, None))
}

/// Every rule that a module breaks, its declarations' included.
pub fn check_module<'a>(module: &Module<'a>) -> Vec<Violation<'a>> {
    let env = Environment::of(module);
    let mut found = check_module_alone(module);
    for variable in module.variables {
        found.extend(check_variable(variable, Scope::Module, env));
    }
    for function in module.functions {
        found.extend(check_name(function.name));
        found.extend(check_function(function, env));
        for name in function.specials {
            found.extend(check_special(name, env));
        }
        for local in function.locals.iter().chain(function.idle_shared) {
            found.extend(check_variable(local, Scope::Body, env));
        }
        let is_extern = function.linkage.is_elsewhere();
        for (param, scope) in Scope::of_signature(function) {
            found.extend(check_param(param, scope, is_extern, env));
        }
        // A declaration's names are never used, and may be the same.
        if function.body.is_some() {
            let names = function.params.iter().chain(function.returns);
            found.extend(check_duplicates(names.map(|param| param.variable.name)));
        }
    }
    found.extend(check_addresses(module));
    let variables = module.variables.iter().map(|variable| variable.name);
    let functions = module.functions.iter().map(|function| function.name);
    found.extend(check_duplicates(variables.clone().chain(functions.clone())));
    if module.variables.iter().any(|variable| variable.ty.family().is_some()) {
        let names = Names::of(module);
        for name in variables.chain(functions) {
            if names.family_of(name).is_some() {
                found.extend(check_duplicate(name, name));
            }
        }
    }
    found
}

/// Every rule that the addresses in the initial values of the module's variables break.
fn check_addresses<'a>(module: &Module<'a>) -> Vec<Violation<'a>> {
    let mut found = Vec::new();
    if !module.variables.iter().any(|variable| variable.init.has_address()) {
        return found;
    }
    let names = Names::of(module);
    let several = module.functions.iter().find(|function| function.returns.len() > 1);
    for holder in module.variables.iter().filter(|holder| !holder.is_dynamic()) {
        holder.init.for_each_address(&mut |address| {
            if let (Some(several), Some(Named::Function(_))) = (several, names.find(address.symbol))
            {
                found.extend(check_abi(several.name, address.symbol));
            }
            let symbol = match names.find(address.symbol) {
                Some(Named::Variable(i)) => Symbol::Variable(module.variables[i]),
                Some(Named::Function(i)) => {
                    Symbol::Function(module.functions[i].kind, module.functions[i].linkage)
                }
                None => Symbol::Nothing,
            };
            found.extend(check_address(address, symbol, holder));
        });
    }
    if let Some(Order { circle: Some(through), .. }) = Order::of(module) {
        found.extend(check_circle(module.variables[through].name));
    }
    found
}

/// The violation of a number that a type does not hold exactly, where that is claimed.
pub fn check_exact<'a>(
    literal: &'a str,
    scalar: crate::ScalarType,
    nearest: &'a str,
) -> Vec<Violation<'a>> {
    all(|from| table::exact(literal, scalar, nearest, from, None))
}

/// Every rule that an instruction breaks by what it is.
pub fn check_form(form: form::Form<'_>, env: Environment) -> Vec<Violation<'_>> {
    all(|from| table::form(form, env, from, None))
}

/// Every rule that an instruction breaks by being used.
pub fn check_instruction(used: instruction::Used<'_>, env: Environment) -> Vec<Violation<'_>> {
    all(|from| table::instruction(used, env, from, None))
}

/// The violation of an address of `function` in a module in which the function `several` returns
/// several values.
pub fn check_abi<'a>(several: &'a str, function: &'a str) -> Vec<Violation<'a>> {
    all(|from| table::abi(several, function, from, None))
}

/// The violation of a variable whose initial value leads back to itself.
pub fn check_circle(name: &str) -> Vec<Violation<'_>> {
    all(|from| table::circle(name, from, None))
}

/// Every rule that a module breaks as a whole, its declarations' not included.
pub fn check_module_alone<'a>(module: &Module<'a>) -> Vec<Violation<'a>> {
    all(|from| table::module(module, from, None))
}

/// The violations of names that stand more than once in a scope.
fn check_duplicates<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Violation<'a>> {
    let mut sorted: Vec<&str> = names.collect();
    sorted.sort_unstable();
    sorted.windows(2).flat_map(|pair| check_duplicate(pair[1], pair[0])).collect()
}

/// Asks for one violation after the other: `next(i)` gives the first at or after row `i`.
fn all<'a>(mut next: impl FnMut(usize) -> Option<(usize, Violation<'a>)>) -> Vec<Violation<'a>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((row, violation)) = next(from) {
        found.push(violation);
        from = row + 1;
    }
    found
}
