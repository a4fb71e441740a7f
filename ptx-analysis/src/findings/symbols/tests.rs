use alloc::string::ToString;
use alloc::vec::Vec;

use ptx_isa::ir::{Extent, Type, Variable};
use ptx_isa::{ScalarType, Space};

use super::{Symbol, Symbols};

static WORD: Type<'static> = Type::Scalar(ScalarType::U32);
static THREE: Type<'static> = Type::Family(Extent::Known(3), &WORD);
static ANY: Type<'static> = Type::Family(Extent::Unknown, &WORD);

static PLAIN: Variable<'static> = Variable::new(Space::Global, "v", &WORD);
static FAMILY: Variable<'static> = Variable::new(Space::Global, "v", &THREE);
static UNKNOWN: Variable<'static> = Variable::new(Space::Global, "v", &ANY);

fn symbols(name: &str, all: &[&'static Variable<'static>]) -> Symbols<'static> {
    let symbol = |(index, ir): (usize, &&'static Variable<'static>)| Symbol {
        index,
        name: "PTX_".to_string() + name,
        ir: *ir,
        is_alignment_deferred: false,
    };
    let found: Vec<_> = all.iter().enumerate().map(symbol).collect();
    Symbols { variables: [(name.to_string(), found)].into(), ..Symbols::default() }
}

/// Returns how many variables a name may refer to, and its PTX name.
fn found(symbols: &Symbols<'_>, name: &str) -> Option<(usize, alloc::string::String)> {
    let found = symbols.variables(name).map(|(found, name)| (found.len(), name));
    let first = symbols.variable(name).map(|(symbol, name)| (symbol.index, name));
    assert_eq!(first, found.clone().map(|(_, name)| (0, name)));
    found
}

#[test]
fn a_variable_is_found_by_its_name() {
    let symbols = symbols("v", &[&PLAIN]);
    assert_eq!(found(&symbols, "v"), Some((1, "PTX_v".to_string())));
    for other in ["w", "v0", "", "PTX_v"] {
        assert_eq!(found(&symbols, other), None, "{other}");
    }
}

#[test]
fn of_a_family_the_members_are_found_and_not_its_name() {
    let symbols = symbols("v", &[&FAMILY]);
    for member in 0..3 {
        let name = alloc::format!("v{member}");
        assert_eq!(found(&symbols, &name), Some((1, "PTX_".to_string() + &name)));
    }
    for other in ["v", "v3", "vx", "w0"] {
        assert_eq!(found(&symbols, other), None, "{other}");
    }
}

#[test]
fn where_a_condition_chooses_a_name_is_what_any_of_them_has() {
    for all in [[&PLAIN, &FAMILY], [&FAMILY, &PLAIN]] {
        let symbols = symbols("v", &all);
        assert_eq!(found(&symbols, "v"), Some((2, "PTX_v".to_string())));
        assert_eq!(found(&symbols, "v2"), Some((2, "PTX_v2".to_string())));
        assert_eq!(found(&symbols, "v3"), None);
    }
    // If the extent is unknown, any member may exist.
    let symbols = symbols("v", &[&FAMILY, &UNKNOWN]);
    assert_eq!(found(&symbols, "v9"), Some((2, "PTX_v9".to_string())));
    assert_eq!(found(&symbols, "v"), None);
}
