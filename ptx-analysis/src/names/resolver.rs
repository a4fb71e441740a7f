//! Resolves the names in a body.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::body::Name;
use ptx_isa::ir::{self, FunctionKind};
use ptx_isa::rules;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::misplaced::Misplaced;
use ptx_isa::rules::name_in_body::WrongName;
use ptx_isa::sorted::{SortedMap, SortedSet};
use ptx_isa::{Space, Version, special};

use crate::findings::finding::{Problem, Undeclared};
use crate::findings::report::BodyReport;
use crate::findings::symbols::Symbol;
use crate::findings::unit::{Declared, Rename, Unit};
use crate::flow::name_table::NameTable;
use crate::flow::node::Referent;
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::place::Place;
use crate::flow::storage::{Choice, Declarer, Memory};
use crate::names::directives::Directives;
use crate::names::families::Families;
use crate::names::scope::{Meaning, Scopes};

/// Resolves the names of a body, statement by statement.
pub(crate) struct Resolver<'c, 'a, 'r> {
    pub(crate) unit: Unit<'c, 'a>,
    pub(crate) scopes: Scopes<'a>,
    /// The number of declarations seen.
    pub(crate) declared: usize,
    /// The results for each name.
    pub(crate) seen: NameTable<'a, Seen<'a>>,
    pub(crate) memory: Memory<'a>,
    /// The lowest PTX version that its qualifiers require.
    pub(crate) since: Option<Version>,
    pub(crate) renames: Vec<Rename>,
    pub(crate) specials: Vec<(&'a str, Place)>,
    /// Undeclared names that were already reported: each is reported once.
    pub(crate) unknown: SortedSet<&'a str>,
    /// The last declaration of each name, computed on first use.
    pub(crate) later: Option<Later<'a>>,
    pub(crate) listed: Listed<'a>,
    pub(crate) directives: Directives<'a>,
    /// The requirements of instructions already reported: the rule code and the part.
    pub(crate) reported: SortedSet<(&'static str, &'a str)>,
    /// The allowances of the current statement.
    pub(crate) allowed: Vec<usize>,
    pub(crate) report: &'r mut BodyReport<'a>,
}

/// The cached results for a name, valid for one scope generation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen<'a> {
    generation: usize,
    /// Its meaning in the declaring function, if a use was recorded.
    meaning: Option<Meaning<'a>>,
    /// Its referent in an operand.
    referent: Option<Referent>,
}

/// The maximum total number of names listed as visible for undeclared ones, so that the lists stay
/// small: enough for a thousand undeclared names in a body with a thousand names.
const MOST_LISTED: usize = 1 << 20;

/// The lists of visible names for undeclared ones.
#[derive(Debug, Default)]
pub(crate) struct Listed<'a> {
    /// The scope generation in which this list is visible.
    last: Option<(usize, Visible<'a>)>,
    /// The number of names listed so far.
    count: usize,
}

/// The visible names, and the families with their numbers of members.
type Visible<'a> = (Rc<[&'a str]>, Rc<[(&'a str, Option<usize>)]>);

impl<'a> Listed<'a> {
    fn visible(&mut self, scopes: &Scopes<'a>) -> Visible<'a> {
        if self.count > MOST_LISTED {
            return (Rc::new([]), Rc::new([]));
        }
        let generation = scopes.generation();
        let last = self.last.take().filter(|(of, _)| *of == generation);
        let look = || {
            let (names, families) = scopes.visible();
            (names.into(), families.into())
        };
        let (names, families) = last.map_or_else(look, |(_, visible)| visible);
        self.count += names.len() + families.len();
        self.last = Some((generation, (Rc::clone(&names), Rc::clone(&families))));
        (names, families)
    }
}

/// The last declaration of each name.
#[derive(Debug, Default)]
pub(crate) struct Later<'a> {
    names: SortedMap<&'a str, usize>,
    /// With the number of members of each.
    families: Families<'a, (usize, Option<usize>)>,
}

impl<'a> Later<'a> {
    fn of(body: ir::Body<'a>, declared: &[Declared<'a>]) -> Self {
        let mut later = Self::default();
        let declarators = body.statements().flat_map(|statement| statement.declarators());
        for (number, declarator) in declarators.enumerate() {
            let family = declared.get(number).and_then(|declared| declared.variable.ty.family());
            if let Some((count, _)) = family {
                *later.families.of(declarator.name.text) = (number, count.known());
            } else {
                later.names.insert(declarator.name.text, number);
            }
        }
        later
    }

    /// Whether a declaration with at least this index declares a name.
    fn declares(&self, name: &str, first: usize) -> bool {
        self.names.get(name).is_some_and(|last| *last >= first)
            || self.families.with_member(name).any(|(_, (last, count), member)| {
                *last >= first && count.is_none_or(|count| member < count)
            })
    }
}

impl<'a> Resolver<'_, 'a, '_> {
    /// Returns the cached results for a name.
    fn seen(&mut self, name: &'a str) -> &mut Seen<'a> {
        let generation = self.scopes.generation();
        let seen = self.seen.of(name);
        if seen.generation != generation {
            *seen = Seen { generation, ..Seen::default() };
        }
        seen
    }

    /// Resolves a name that the body does not declare, and records its PTX name if that is
    /// different.
    pub(crate) fn use_name(&mut self, statement: usize, name: Name<'a>) {
        match self.seen(name.text).meaning {
            Some(_) => {}
            None => self.use_unseen(statement, name),
        }
    }

    /// Resolves a name whose uses in the function are not recorded yet.
    fn use_unseen(&mut self, statement: usize, name: Name<'a>) {
        let text = name.text;
        if text == "_" || text == "WARP_SZ" {
            return;
        }
        let meaning = self.scopes.find(text);
        self.seen(text).meaning = meaning;
        if meaning.is_some() {
            return;
        }
        let place = Place::new(statement, name.whole_at());
        if special::is_special(text) {
            self.specials.push((text, place));
            return;
        }
        let mut names = self.unit.symbols.in_ptx(text);
        if let Some((declared, ptx_name)) = names.next() {
            if names.any(|(_, other)| other != ptx_name) && self.unknown.insert(text) {
                self.report.find(place, Problem::Ambiguous(text));
            }
            self.check_order(declared, text, place);
            self.rename(statement, name, ptx_name, place);
        } else if self.unknown.insert(text) {
            self.report_unknown(text, place);
        }
    }

    /// Reports the first use of what the module declares only after the function.
    fn check_order(&mut self, declared: &str, name: &'a str, place: Place) {
        if self.unit.before.is_some_and(|before| before.lacks(declared))
            && self.unknown.insert(name)
        {
            let (visible, families) = (Rc::new([]), Rc::new([]));
            self.report_undeclared(name, true, (visible, families), place);
        }
    }

    /// Records the PTX name of a token, and reports it if the body declares something with that name.
    pub(crate) fn rename(
        &mut self,
        statement: usize,
        name: Name<'a>,
        ptx_name: String,
        place: Place,
    ) {
        if self.scopes.find(&ptx_name).is_some() {
            let problem = Problem::Hidden { name: name.text, ptx_name: ptx_name.as_str().into() };
            self.report.find(place, problem);
        }
        if ptx_name != name.text {
            self.renames.push(Rename { statement, token: name.token, name: ptx_name });
        }
    }

    pub(crate) fn report_unknown(&mut self, name: &'a str, place: Place) {
        let declared = self.unit.declared;
        let later = self.later.get_or_insert_with(|| Later::of(self.unit.body, declared));
        let is_later = later.declares(name, self.declared);
        let visible = self.listed.visible(&self.scopes);
        self.report_undeclared(name, is_later, visible, place);
    }

    fn report_undeclared(
        &mut self,
        name: &'a str,
        is_later: bool,
        (visible, families): Visible<'a>,
        place: Place,
    ) {
        if let Some(violation) = rules::check_name_in_body(name, WrongName::Undeclared) {
            let undeclared = Undeclared { violation, name, is_later, visible, families };
            self.report.find(place, Problem::Undeclared(Box::new(undeclared)));
        }
    }

    /// Reports what stands where something else has to.
    pub(crate) fn check_misplaced(&mut self, found: Misplaced<'a>, place: Place) {
        for violation in rules::check_misplaced(found) {
            self.report.refuse(&violation, place);
        }
    }

    /// Records that the body requires a PTX version.
    pub(crate) fn needs(&mut self, version: Version) {
        self.since = Some(self.since.map_or(version, |since| since.newer(version)));
    }

    /// Returns the declaration of a register, or of its family.
    pub(crate) fn declared_register(&self, name: Name<'a>) -> Option<&'a ir::Variable<'a>> {
        let function = self.unit.function;
        let variable = match self.scopes.find(name.text)? {
            Meaning::Declared(variable, _) => variable,
            Meaning::Param(n) => &function.params[n].variable,
            Meaning::Return(n) => &function.returns[n].variable,
            Meaning::Other => return None,
        };
        (variable.space == Space::Reg).then_some(variable)
    }

    /// Returns the referent of a name in an operand.
    pub(crate) fn referent(&mut self, name: &'a str) -> Referent {
        match self.seen(name).referent {
            Some(referent) => referent,
            None => {
                let referent = self.find_referent(name);
                *self.seen(name).referent.insert(referent)
            }
        }
    }

    fn find_referent(&mut self, name: &'a str) -> Referent {
        let function = self.unit.function;
        let choices = match self.scopes.find(name) {
            Some(Meaning::Param(i)) if function.params[i].variable.space == Space::Reg => {
                return self.memory.register(Declarer::Param(i), name);
            }
            Some(Meaning::Return(i)) if function.returns[i].variable.space == Space::Reg => {
                return self.memory.register(Declarer::Return(i), name);
            }
            Some(Meaning::Declared(variable, n)) if variable.space == Space::Reg => {
                return self.memory.register(Declarer::Declaration(n), name);
            }
            Some(Meaning::Param(i)) => {
                let param = &function.params[i];
                let object = match function.kind {
                    FunctionKind::Kernel => Object::EntryParam(param),
                    FunctionKind::Device => Object::Input(&param.variable),
                };
                vec![Choice::of_param(object, Some(param), DeferredObject::Param(i))]
            }
            Some(Meaning::Return(i)) => {
                let object = Object::Return(&function.returns[i].variable);
                vec![Choice::of_param(object, None, DeferredObject::Return(i))]
            }
            Some(Meaning::Declared(variable, n)) => {
                let object = match (variable.space, variable.ty.family()) {
                    (Space::Param, _) => Object::LocalParam(variable),
                    (_, Some(_)) => Object::Member(variable, variable.name),
                    (_, None) => Object::Variable(variable),
                };
                vec![Choice {
                    object,
                    param: None,
                    id: DeferredObject::Declaration(n),
                    is_deferred: self.unit.declared[n].is_deferred,
                    is_aligned: true,
                    is_foreign: false,
                }]
            }
            Some(Meaning::Other) => return Referent::Other,
            None => {
                let Some((found, ptx_name)) = self.unit.symbols.variables(name) else {
                    return Referent::Other;
                };
                let choice = |symbol: &Symbol<&'a ir::Variable<'a>>| {
                    let is_family = symbol.ir.ty.family().is_some();
                    let member = is_family.then(|| ptx_name.clone());
                    Choice {
                        object: if is_family {
                            Object::Member(symbol.ir, name)
                        } else {
                            Object::Variable(symbol.ir)
                        },
                        param: None,
                        id: DeferredObject::Variable(VariableUse { index: symbol.index, member }),
                        is_deferred: found.len() > 1,
                        is_aligned: !symbol.is_alignment_deferred,
                        is_foreign: false,
                    }
                };
                found.iter().map(choice).collect()
            }
        };
        self.memory.storage(choices)
    }

    pub(crate) fn report_twice(&mut self, name: &'a str, place: Place) {
        for violation in rules::check_duplicate(name, name) {
            self.report.refuse(&violation, place);
        }
    }
}

#[cfg(test)]
mod tests;
