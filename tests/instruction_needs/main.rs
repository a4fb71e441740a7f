//! Compares the requirements of the instruction table's rows and qualifiers with ptxas: it accepts a statement
//! in the named version and on the named target, and refuses it below either.

mod forms;
mod kinds;
mod operands;
mod statements;
mod versions;

use std::collections::BTreeMap;

use ptx::emit::ptxas::AssembleError;
use ptx::instruction::{INSTRUCTIONS, Needs, QUALIFIERS, Row, needs};
use ptx::ptxas::Ptxas;
use ptx::{Target, Version};

use statements::STATEMENTS;

/// PTX versions with different features that the tested releases know.
const VERSIONS: &[(u8, u8)] = &[
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (2, 0),
    (2, 1),
    (2, 2),
    (2, 3),
    (3, 0),
    (3, 1),
    (3, 2),
    (4, 0),
    (4, 1),
    (4, 2),
    (4, 3),
    (5, 0),
    (6, 0),
    (6, 1),
    (6, 2),
    (6, 3),
    (6, 4),
    (6, 5),
    (7, 0),
    (7, 1),
    (7, 2),
    (7, 3),
    (7, 4),
    (7, 5),
    (7, 6),
    (7, 7),
    (7, 8),
    (8, 0),
    (8, 1),
    (8, 2),
    (8, 3),
    (8, 4),
    (8, 5),
    (8, 6),
    (8, 7),
    (8, 8),
    (9, 0),
];

/// Architectures, including those without a `Target`.
const ARCHS: &[u16] =
    &[10, 11, 12, 13, 20, 30, 32, 35, 50, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 120];

/// Instructions newer than the tested releases: their rows follow PTX ISA 9.2.
const NEWER_THAN_PTXAS: &[&str] = &["multimem.cp.async.bulk", "multimem.cp.reduce.async.bulk"];

/// The opcode and the modifiers of a statement, each with what separates it from the one before.
fn split(statement: &str) -> (&str, Vec<(&str, &str)>) {
    let spelled = statement.split([' ', ';']).next().expect("an opcode");
    let mut words = spelled.split('.');
    let opcode = words.next().expect("an opcode");
    let modifiers = words.flat_map(|word| {
        let parts = word.split("::").enumerate();
        parts.map(|(n, part)| (if n == 0 { "." } else { "::" }, part))
    });
    (opcode, modifiers.collect())
}

/// The requirements of each part of a statement.
fn needed(statement: &str) -> Vec<(&'static str, Needs)> {
    let (opcode, modifiers) = split(statement);
    needs(Row::find(opcode, &modifiers), opcode, &modifiers, |n| operands::form(statement, n))
}

/// The requirements of a whole statement.
fn all_of(needed: &[(&str, Needs)]) -> Needs {
    let (_, mut all) = needed[0];
    for (_, needs) in &needed[1..] {
        all.since = all.since.newer(needs.since);
        all.min_arch = all.min_arch.max(needs.min_arch);
        if !needs.only.is_empty() && (all.only.is_empty() || needs.only.len() < all.only.len()) {
            all.only = needs.only;
        }
    }
    all
}

/// A module with statements, one a line, and the number of the first of these lines.
fn text(statements: &[&str], version: Version, target: &str) -> (String, usize) {
    let is_at_least = |major, minor| !version.is_below(Version::new(major, minor));
    let names = |name| statements.iter().any(|statement| statement.contains(name));
    let mut lines = vec![format!(".version {version}"), format!(".target {target}")];
    let mut put = |is_there: bool, line: &str| {
        if is_there {
            lines.push(line.to_owned());
        }
    };
    put(is_at_least(2, 3), ".address_size 64");
    put(true, ".global .align 128 .b8 g[4096]; .shared .align 128 .b8 s[4096];");
    put(true, ".const .align 64 .b8 c[128];");
    put(names("[t") && is_at_least(1, 5), ".global .texref t;");
    put(names("[t") && !is_at_least(1, 5), ".tex .u32 t;");
    put(names("[u"), ".global .surfref u;");
    put(names("call f"), ".func f () { ret; }");
    put(is_at_least(1, 4), ".entry k (.param .b64 p) {");
    put(!is_at_least(1, 4), ".entry k () {");
    put(names("[l"), ".local .align 16 .b8 l[64];");
    put(true, ".reg .pred %p, %p1; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %d<8>;");
    put(true, ".reg .f32 %f<8>;");
    put(names("%b"), ".reg .b8 %b<8>;");
    put(names("%g"), ".reg .f64 %g<8>;");
    put(names("%q"), ".reg .b128 %q<4>;");
    put(names("proto"), "proto: .callprototype (.reg .b32 _) _ (.reg .b32 _);");
    let first = lines.len() + 1;
    lines.extend(statements.iter().map(|statement| (*statement).to_owned()));
    lines.push("ret;\n}\n".to_owned());
    (lines.join("\n"), first)
}

/// The verdict of ptxas; `None` if it does not know the target.
fn ask(ptxas: &Ptxas, text: &str, target: &str) -> Option<Result<(), AssembleError>> {
    let assembles_for = Target::from_name(target).unwrap_or(Target::Sm90);
    let old = assembles_for.arch() < 75;
    let assembles_for = if old { Target::Sm90 } else { assembles_for };
    match ptxas.assemble_text(text, assembles_for) {
        Ok(_) => Some(Ok(())),
        Err(error) => {
            let is_unknown = error.to_string().contains("is not defined for option");
            (!is_unknown).then_some(Err(error))
        }
    }
}

/// Whether a message is about a version too old for the target, not about an instruction.
fn is_of_target(message: &str) -> bool {
    message.contains("does not support .target")
}

/// The newest version that a release of ptxas knows.
fn newest(ptxas: &Ptxas) -> Version {
    if ptxas.release().major >= 13 { Version::new(9, 0) } else { Version::new(8, 8) }
}

/// Of which statements a release of ptxas is asked about changed operands: the newest of all, others of every fourth,
/// since they have not differed.
fn step(ptxas: &Ptxas) -> usize {
    if ptxas.release().major >= 13 { 1 } else { 4 }
}

/// A version and a target in which ptxas takes some statements, or refuses them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    version: Version,
    target: String,
    is_taken: bool,
}

/// Where a statement's row and qualifiers say that ptxas takes it and refuses it.
fn cases(newest: Version, statement: &str) -> Vec<Case> {
    let parts = needed(statement);
    let all = all_of(&parts);
    let mut cases = Vec::new();
    let mut expect = |is_taken: bool, version: Version, target: &str| {
        cases.push(Case { version, target: target.to_owned(), is_taken });
    };
    if newest.is_below(all.since) {
        expect(false, newest, "sm_90");
        return cases;
    }
    let targets: Vec<String> = if all.only.is_empty() {
        // PTX added sm_32 later than the features that it introduced.
        let first = if all.min_arch == 32 { 35 } else { all.min_arch };
        vec![format!("sm_{first}")]
    } else {
        all.only.iter().map(|target| target.name().to_owned()).collect()
    };
    let since = |name: &str| Target::from_name(name).map_or(Version::new(1, 0), Target::since);
    for target in &targets {
        let needs = parts.iter().map(|(_, needs)| needs.since_on(Target::from_name(target)));
        let needs = needs.fold(Version::new(1, 0), Version::newer);
        let below = VERSIONS.iter().map(|(major, minor)| Version::new(*major, *minor));
        let below = below.rev().find(|version| version.is_below(needs));
        let lowest = needs.newer(since(target));
        if newest.is_below(lowest) {
            continue;
        }
        expect(true, lowest, target);
        if let Some(below) = below {
            expect(false, below, target);
        }
    }
    if all.only.is_empty() {
        expect(true, newest, &targets[0]);
        if let Some(arch) = ARCHS.iter().rev().find(|arch| **arch < all.min_arch) {
            expect(false, newest, &format!("sm_{arch}"));
        }
        return cases;
    }
    let first = STATEMENTS.iter().find(|other| all_of(&needed(other)).only == all.only);
    let is_first = first == Some(&statement);
    expect(false, newest, &format!("sm_{}", all.min_arch));
    // One statement of each list is tested on all the other targets.
    for target in Target::ALL.iter().filter(|target| is_first && target.arch() >= 90) {
        if !all.only.contains(target) && !newest.is_below(target.since()) {
            expect(false, newest, target.name());
        }
    }
    cases
}

/// The differences between ptxas and a case. It judges the statements together; those on which it has no verdict
/// then, one by one.
fn faults(ptxas: &Ptxas, case: &Case, statements: &[&str]) -> Vec<String> {
    let Case { version, target, is_taken } = case;
    let (all, first) = text(statements, *version, target);
    let named: Vec<usize> = match ask(ptxas, &all, target) {
        None => return Vec::new(),
        Some(Ok(())) if *is_taken => return Vec::new(),
        Some(Err(AssembleError::Refused { diagnostics, .. })) if !is_taken => {
            let of_statements = diagnostics.iter().filter(|it| !is_of_target(&it.message));
            of_statements.filter_map(|it| it.line?.checked_sub(first)).collect()
        }
        Some(_) => Vec::new(),
    };
    let unchecked = statements.iter().enumerate().filter(|(n, _)| !named.contains(n));
    let fault = |(_, statement): (usize, &&str)| {
        let (text, _) = text(&[statement], *version, target);
        match ask(ptxas, &text, target)? {
            Err(error) if *is_taken => {
                Some(format!("{statement} is refused with PTX {version} on {target}: {error}"))
            }
            Err(error) if error.to_string().lines().skip(1).all(is_of_target) => {
                Some(format!("{statement} is not why ptxas refuses PTX {version}: {error}"))
            }
            Ok(()) if !is_taken => {
                Some(format!("{statement} is taken with PTX {version} on {target}"))
            }
            Ok(()) | Err(_) => None,
        }
    };
    unchecked.filter_map(fault).collect()
}

#[test]
fn ptxas_agrees_with_the_requirements_of_every_form() {
    for ptxas in xtask::oracles() {
        let mut all: BTreeMap<Case, Vec<&str>> = BTreeMap::new();
        for statement in STATEMENTS {
            for case in cases(newest(&ptxas), statement) {
                all.entry(case).or_default().push(statement);
            }
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let faults: Vec<String> = std::thread::scope(|scope| {
            let ask = |n: usize| {
                let (ptxas, mine) = (&ptxas, all.iter().skip(n).step_by(threads));
                let ask = move || mine.flat_map(|(case, lines)| faults(ptxas, case, lines));
                scope.spawn(move || ask().collect())
            };
            let handles: Vec<_> = (0..threads).map(ask).collect();
            let found = handles.into_iter().map(|handle| handle.join().expect("no panic"));
            found.collect::<Vec<Vec<String>>>().concat()
        });
        let count = faults.len();
        assert!(faults.is_empty(), "ptxas {}, {count}:\n{}", ptxas.release(), faults.join("\n"));
    }
}

/// Every row and every qualifier determines the requirements of a statement.
#[test]
fn every_form_is_tested() {
    let decides = |name: &str| {
        STATEMENTS.iter().any(|statement| {
            let needed = needed(statement);
            let all = all_of(&needed);
            needed.iter().any(|(part, needs)| {
                let is_newest = needs.since == all.since;
                let is_narrowest = needs.min_arch == all.min_arch && needs.only == all.only;
                *part == name && (is_newest || is_narrowest)
            })
        })
    };
    let rows = INSTRUCTIONS.iter().filter(|row| row.is_of_memory).map(|row| row.opcode);
    let names = rows.chain(QUALIFIERS.iter().map(|row| row.name));
    let missing: Vec<&str> = names.filter(|name| !decides(name)).collect();
    assert!(missing.is_empty(), "no statement shows what these need: {missing:?}");
    for statement in STATEMENTS {
        let (opcode, modifiers) = split(statement);
        let row = Row::find(opcode, &modifiers);
        assert!(row.is_some(), "{statement} has no row");
    }
    for name in NEWER_THAN_PTXAS {
        let row = INSTRUCTIONS.iter().find(|row| row.opcode == *name).expect("a row");
        assert!(Version::new(9, 0).is_below(row.needs.since), "{name}");
    }
}

/// A row occurs once, and a qualifier needs more than its instruction.
#[test]
fn the_table_has_no_duplicates() {
    for (n, row) in QUALIFIERS.iter().enumerate() {
        assert!(!QUALIFIERS[..n].iter().any(|other| other.name == row.name), "{}", row.name);
        let own = INSTRUCTIONS.iter().find(|own| own.opcode == row.opcode);
        let own = own.expect("it is of an instruction").needs;
        let is_more = own.since.is_below(row.needs.since)
            || own.min_arch < row.needs.min_arch
            || !row.needs.only.is_empty();
        assert!(is_more, "{} needs no more than its instruction", row.name);
    }
}

#[ptx::module(target = sm_90)]
mod chosen {
    #[global(align = 16)]
    pub static G: [f32; 64];

    #[kernel]
    pub fn k() {
        ptx! {
            .reg .f32 %f<4>;
            atom.global.v4.f32.add {%f0, %f1, %f2, %f3}, [G], {%f0, %f1, %f2, %f3};
            ret;
        }
    }
}

/// A module without a version gets the lowest one that its instructions allow.
#[test]
fn instructions_choose_the_version() {
    let text = chosen::MODULE.to_string();
    assert!(text.contains(".version 8.1\n"), "{text}");
    for ptxas in xtask::oracles() {
        ptxas.assemble_text(&text, Target::Sm90).expect("it is legal");
        let older = text.replace(".version 8.1", ".version 8.0");
        ptxas.assemble_text(&older, Target::Sm90).expect_err("it is too new for that");
    }
}
