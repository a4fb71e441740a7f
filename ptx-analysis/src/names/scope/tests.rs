use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::family::is_member;
use ptx_isa::ir::{Extent, Function, FunctionKind, Param, Type, Variable};
use ptx_isa::sorted::SortedMap;
use ptx_isa::{ScalarType, Space};

use super::{Meaning, Scopes};

static WORD: Type<'static> = Type::Scalar(ScalarType::B32);

macro_rules! family {
    ($name:literal, $extent:expr) => {{
        static TYPE: Type<'static> = Type::Family($extent, &WORD);
        static VARIABLE: Variable<'static> = Variable::new(Space::Reg, $name, &TYPE);
        Step::Declare(&VARIABLE)
    }};
}

macro_rules! variable {
    ($name:literal) => {{
        static VARIABLE: Variable<'static> = Variable::new(Space::Reg, $name, &WORD);
        Step::Declare(&VARIABLE)
    }};
}

/// An event in the blocks of a body.
#[derive(Clone, Copy, Debug)]
enum Step {
    Open,
    Close,
    Label(&'static str),
    Declare(&'static Variable<'static>),
    Assume(&'static str),
}

fn steps() -> Vec<Step> {
    vec![
        Step::Open,
        Step::Close,
        Step::Label("a1"),
        variable!("a1"),
        variable!("p"),
        family!("a", Extent::Known(1)),
        family!("a", Extent::Known(2)),
        family!("a", Extent::Unknown),
        family!("a1", Extent::Known(2)),
        Step::Assume("a"),
    ]
}

const NAMES: [&str; 8] = ["a", "a0", "a1", "a2", "a10", "a11", "p", "r"];

/// The meaning of a name, in a comparable form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Means {
    Declared(usize),
    Param,
    Return,
    Other,
}

/// A declaration in a block: one name, or a family with a number of members.
#[derive(Clone, Copy, Debug)]
enum Declared {
    One(&'static str, Means),
    Family(&'static str, Option<usize>, Means),
    Label(&'static str),
}

fn ends_in_digit(name: &str) -> bool {
    name.ends_with(|last: char| last.is_ascii_digit())
}

/// The open blocks, outermost first.
struct Model(Vec<Vec<Declared>>);

impl Model {
    /// Returns the meaning of a name in a block: the last declaration of the name itself, the first family that
    /// contains it and whose name does not end in a digit, or a label.
    fn in_block(block: &[Declared], name: &str) -> Option<Means> {
        let one = |declared: &Declared| match declared {
            Declared::One(other, means) if *other == name => Some(*means),
            _ => None,
        };
        let family = |declared: &Declared| match declared {
            Declared::Family(base, count, means)
                if is_member(name, base, *count) && !ends_in_digit(base) =>
            {
                Some(*means)
            }
            _ => None,
        };
        let label = |declared: &Declared| match declared {
            Declared::Label(other) if *other == name => Some(Means::Other),
            _ => None,
        };
        let ones = block.iter().rev().find_map(one);
        ones.or_else(|| block.iter().find_map(family)).or_else(|| block.iter().find_map(label))
    }

    /// The meaning of a name, or else of a member of a family whose name ends in a digit.
    fn find(&self, name: &str) -> Option<Means> {
        let family = |declared: &Declared| match declared {
            Declared::Family(base, count, means)
                if is_member(name, base, *count) && ends_in_digit(base) =>
            {
                Some(*means)
            }
            _ => None,
        };
        let blocks = || self.0.iter().rev();
        let known = blocks().find_map(|block| Self::in_block(block, name));
        known.or_else(|| blocks().find_map(|block| block.iter().find_map(family)))
    }

    /// Declares a name or a family, and returns whether its name was free.
    fn declare(&mut self, declared: Declared) -> bool {
        let block = self.0.last_mut().expect("the body is open");
        let is_free = match declared {
            Declared::One(name, _) => Self::in_block(block, name).is_none(),
            Declared::Family(name, count, _) => !block.iter().any(|other| match other {
                Declared::One(other, _) => is_member(other, name, count) && !ends_in_digit(name),
                Declared::Family(other, ..) => *other == name,
                Declared::Label(_) => false,
            }),
            Declared::Label(name) => !block.iter().any(|other| match other {
                Declared::One(other, _) | Declared::Label(other) => *other == name,
                Declared::Family(..) => false,
            }),
        };
        block.push(declared);
        is_free
    }
}

fn found(scopes: &Scopes<'_>) -> [Option<Means>; NAMES.len()] {
    NAMES.map(|name| {
        scopes.find(name).map(|meaning| match meaning {
            Meaning::Declared(_, number) => Means::Declared(number),
            Meaning::Param(0) => Means::Param,
            Meaning::Return(0) => Means::Return,
            Meaning::Other => Means::Other,
            other => panic!("{other:?}"),
        })
    })
}

/// Executes the steps, and compares the meaning of each name after each step.
fn check(all: &[Step]) {
    let returns = [Param::new("r", &WORD)];
    let params = [Param::new("p", &WORD)];
    let function =
        Function { params: &params, returns: &returns, ..Function::new(FunctionKind::Device, "f") };
    let mut scopes = Scopes::of(&function);
    let outermost = vec![Declared::One("p", Means::Param), Declared::One("r", Means::Return)];
    let mut model = Model(vec![outermost]);
    let mut known = SortedMap::from([(scopes.generation(), found(&scopes))]);
    for (number, step) in all.iter().enumerate() {
        match *step {
            Step::Open => {
                scopes.open();
                model.0.push(Vec::new());
            }
            Step::Close => {
                scopes.close();
                // The body itself ends with its last statement.
                if model.0.len() > 1 {
                    model.0.pop();
                }
            }
            Step::Label(name) => {
                let is_free = scopes.declare_label(name);
                assert_eq!(is_free, model.declare(Declared::Label(name)), "{number} of {all:?}");
            }
            Step::Declare(variable) => {
                let (name, means) = (variable.name, Means::Declared(number));
                let declared = match variable.ty.family() {
                    Some((count, _)) => Declared::Family(name, count.known(), means),
                    None => Declared::One(name, means),
                };
                let is_free = scopes.declare(name, variable, number);
                assert_eq!(is_free, model.declare(declared), "{number} of {all:?}");
            }
            Step::Assume(name) => {
                scopes.assume(name);
                model.declare(Declared::One(name, Means::Other));
                model.declare(Declared::Family(name, None, Means::Other));
            }
        }
        let after = found(&scopes);
        assert_eq!(after, NAMES.map(|name| model.find(name)), "{number} of {all:?}");
        // The meaning of a name may be cached while the generation is the same.
        let same = known.entry(scopes.generation()).or_insert(after);
        assert_eq!(*same, after, "{number} of {all:?}");
    }
    let mut families = Vec::new();
    let mut names = Vec::new();
    for block in &model.0 {
        for declared in block {
            match declared {
                Declared::Family(name, count, _) => families.push((*name, *count)),
                Declared::One(name, _) | Declared::Label(name) => names.push(*name),
            }
        }
    }
    let (visible, visible_families) = scopes.visible();
    assert_eq!(visible_families, families, "{all:?}");
    names.sort_unstable();
    names.dedup();
    let mut visible = visible;
    visible.sort_unstable();
    visible.dedup();
    assert_eq!(visible, names, "{all:?}");
}

#[test]
fn names_mean_what_the_innermost_block_declares_that_has_them() {
    let steps = steps();
    let mut all: Vec<Vec<Step>> = vec![Vec::new()];
    for _ in 0..4 {
        let longer = |some: &Vec<Step>| {
            steps.iter().map(|step| [some.as_slice(), &[*step]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    for steps in &all {
        check(steps);
    }
}

#[test]
fn the_end_of_a_block_uncovers_what_was_declared_around_it() {
    let [a, b, c] = [variable!("a1"), family!("a", Extent::Known(2)), Step::Label("a1")];
    for outer in [a, b, c] {
        for inner in [a, b, c] {
            check(&[outer, Step::Open, inner, Step::Open, inner, Step::Close, Step::Close]);
            check(&[outer, Step::Open, Step::Open, inner, Step::Close, inner, Step::Close]);
        }
    }
}

#[test]
fn a_block_that_declares_nothing_changes_no_meaning() {
    let function = Function::new(FunctionKind::Device, "f");
    let mut scopes = Scopes::of(&function);
    let generation = scopes.generation();
    scopes.open();
    scopes.close();
    scopes.close();
    assert_eq!(scopes.generation(), generation);
}
