//! What makes no difference, and what does, in every sample of the repository.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use ptx_isa::instruction::INSTRUCTIONS;
use ptx_isa::ir::family::base_of;
use ptx_text::{Parsed, Piece, PieceKind};

use super::comparison::{self, Comparison};
use super::file::SymbolKind;

/// A generator of numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).expect("it is below a usize")
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for n in (1..all.len()).rev() {
            all.swap(n, self.below(n + 1));
        }
    }
}

/// Another `PTX_DIFF_SEED` draws other names, orders and changes.
fn seed() -> u64 {
    let seed = std::env::var("PTX_DIFF_SEED").ok();
    seed.map_or(0x9E37_79B9_7F4A_7C15, |seed| seed.parse().expect("the seed is a number, not 0"))
}

/// Texts without errors of grammar: the samples of the repository.
fn samples() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut samples = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["ptx-cli/tests", "ptx-text/tests", "docs/guide/src", "examples", "tests/golden"]
            .map(|folder| root.join(folder))
            .into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("it is read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "ptx")
                && let Ok(text) = std::fs::read_to_string(&path)
                && text.len() < 20_000
                // What names mean there is not defined.
                && !path.ends_with("undeclared.ptx")
                && !path.components().any(|part| part.as_os_str() == "refused")
                && Parsed::new(text.as_str()).syntax().is_empty()
            {
                samples.push((path, text));
            }
        }
    }
    samples.sort();
    assert!(samples.len() > 40, "{} samples", samples.len());
    samples
}

/// What differs, as text; nothing if the texts mean the same.
fn difference(a: &str, b: &str) -> Option<String> {
    let (a, b) = (Parsed::new(a), Parsed::new(b));
    let files = comparison::files([&a, &b]);
    let comparison = Comparison::of([&files[0], &files[1]]);
    (!comparison.is_empty()).then(|| {
        let functions: Vec<_> = comparison
            .functions
            .iter()
            .map(|it| {
                let statements = super::statements::Statements::of(&comparison, it.change.symbols);
                (&it.change.notes, statements.map(|all| all.hunks(&it.difference, 0)))
            })
            .collect();
        format!("{:?}\n{:?}\n{functions:?}", comparison.rows, comparison.variables)
    })
}

fn pieces(text: &str) -> Vec<(PieceKind, String)> {
    let parsed = Parsed::new(text);
    parsed.pieces().map(|Piece { kind, at }| (kind, text[at.range()].to_owned())).collect()
}

fn joined(pieces: &[(PieceKind, String)]) -> String {
    pieces.iter().map(|(_, text)| text.as_str()).collect()
}

/// The names that may change, or what they start with: registers, labels, parameters and private symbols.
fn free_names(text: &str) -> BTreeSet<String> {
    let parsed = Parsed::new(text);
    let [file, _] = comparison::files([&parsed, &parsed]);
    let opcodes: HashSet<&str> =
        INSTRUCTIONS.iter().filter_map(|row| row.opcode.split('.').next()).collect();
    let (mut free, mut kept) = (BTreeSet::new(), BTreeSet::new());
    let base = |name: &str| base_of(name).unwrap_or(name).to_owned();
    for symbol in &file.symbols {
        if symbol.is_public {
            kept.insert(base(symbol.name));
        } else {
            free.insert(base(symbol.name));
        }
        if let SymbolKind::Function(_, body) = &symbol.of {
            free.extend(body.entities.iter().map(|entity| base(entity.name)));
        }
    }
    // What is named in text that has no place in the module, too.
    let words = [".alias", ".callprototype", ".section", ".calltargets", ".unified", ".file"];
    if words.iter().any(|word| text.contains(word)) {
        return BTreeSet::new();
    }
    free.retain(|name| {
        !kept.contains(name)
            && !opcodes.contains(name.as_str())
            && name.len() > 1
            && !text.contains(&format!("({name})"))
            && name != "call"
    });
    free
}

/// The text with other names, which may be those of others before.
fn renamed(text: &str, random: &mut Random) -> String {
    let free: Vec<String> = free_names(text).into_iter().collect();
    let mut new = free.clone();
    if random.below(2) == 0 {
        new = (0..free.len()).map(|n| format!("new_{n}_")).collect();
    }
    random.shuffle(&mut new);
    let new: BTreeMap<&String, String> = free.iter().zip(new).collect();
    let mut pieces = pieces(text);
    for (kind, text) in &mut pieces {
        if *kind == PieceKind::Word {
            let base = base_of(text).unwrap_or(text).to_owned();
            if let Some(name) = new.get(&base) {
                *text = format!("{name}{}", &text[base.len()..]);
            }
        }
    }
    joined(&pieces)
}

/// The text with comments, other white space, and numbers in other spellings.
fn respelt(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    let mut depth = 0;
    for (kind, text) in &mut pieces {
        match kind {
            PieceKind::Open(_) => depth += 1,
            PieceKind::Close(_) => depth -= 1,
            PieceKind::Space if depth > 0 && !text.contains('\n') && random.below(4) == 0 => {
                *text = " /* a comment; { */\t".to_owned();
            }
            PieceKind::Number if depth > 0 => {
                let number = ptx_isa::ir::body::integer(text).filter(|_| {
                    !text.contains(['.', 'f', 'F', 'd', 'D', 'e', 'U']) || text.starts_with("0x")
                });
                match (number, random.below(3)) {
                    (Some(number), 0) => *text = format!("{number:#x}"),
                    (Some(number), 1) => *text = number.to_string(),
                    (Some(number), _) => *text = format!("{number:#b}"),
                    (None, _) => {}
                }
            }
            _ => {}
        }
    }
    joined(&pieces)
}

/// The text with its declarations in another order.
fn permuted(text: &str, random: &mut Random) -> String {
    const MOVED: &[&str] =
        &[".visible", ".global", ".const", ".shared", ".func", ".entry", ".weak", ".extern"];
    let (mut parts, mut part, mut depth) = (Vec::new(), Vec::new(), 0);
    for (kind, text) in pieces(text) {
        let is_end = depth == 0 && text == ";" || depth == 1 && text == "}";
        match kind {
            PieceKind::Open(_) => depth += 1,
            PieceKind::Close(_) => depth -= 1,
            _ => {}
        }
        let is_word = kind == PieceKind::Dotted;
        // The header, and directives, have no semicolons.
        if depth == 0 && is_word && MOVED.contains(&text.as_str()) {
            let first = part.iter().find(|(kind, _): &&(PieceKind, String)| !kind.is_trivia());
            if first.is_some_and(|(_, first)| !MOVED.contains(&first.as_str())) {
                parts.push(std::mem::take(&mut part));
            }
        }
        part.push((kind, text));
        if is_end {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.push(part);
    let is_moved = |part: &Vec<(PieceKind, String)>| {
        let first = part.iter().find(|(kind, _)| !kind.is_trivia());
        first.is_some_and(|(_, first)| MOVED.contains(&first.as_str()))
    };
    let places: Vec<usize> = (0..parts.len()).filter(|n| is_moved(&parts[*n])).collect();
    let mut moved = places.clone();
    random.shuffle(&mut moved);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    for (place, from) in places.into_iter().zip(moved) {
        order[place] = from;
    }
    order.iter().map(|n| joined(&parts[*n]) + "\n").collect()
}

#[test]
fn what_means_the_same_does_not_differ() {
    let mut random = Random(seed());
    let (mut compared, mut of) = (0, 0);
    for (path, text) in samples() {
        let path = path.display();
        assert_eq!(difference(&text, &text), None, "{path}");
        for (what, change) in [
            ("renamed", renamed as fn(&str, &mut Random) -> String),
            ("respelt", respelt),
            ("permuted", permuted),
        ] {
            let changed = change(&text, &mut random);
            of += 1;
            compared += usize::from(changed != text);
            if Parsed::new(changed.as_str()).syntax().is_empty() {
                let found = difference(&text, &changed);
                assert_eq!(found, None, "{path}, {what}:\n{changed}");
            }
        }
        let all = renamed(&respelt(&permuted(&text, &mut random), &mut random), &mut random);
        if Parsed::new(all.as_str()).syntax().is_empty() {
            assert_eq!(difference(&text, &all), None, "{path}:\n{all}");
        } else {
            compared -= 1;
        }
    }
    assert!(compared * 4 > of * 3, "{compared} of {of} texts");
}

/// Texts that differ from this one in one token, or in the order of two statements; each with what was done.
fn changes(text: &str, random: &mut Random) -> Vec<(String, String)> {
    let original = pieces(text);
    let parsed = Parsed::new(text);
    let [file, _] = comparison::files([&parsed, &parsed]);
    let mut changes = Vec::new();
    let mut change = |what: &str, n: usize, new: &str| {
        let mut pieces = original.clone();
        let was = std::mem::replace(&mut pieces[n].1, new.to_owned());
        changes.push((format!("{what}: {was} to {new}"), joined(&pieces)));
    };
    let starts: Vec<usize> = original
        .iter()
        .scan(0, |at, (_, text)| Some(std::mem::replace(at, *at + text.len())))
        .collect();
    // The pieces of each statement of each function.
    let mut statements: Vec<(usize, std::ops::Range<usize>)> = Vec::new();
    let mut registers = Vec::new();
    for symbol in &file.symbols {
        let SymbolKind::Function(_, body) = &symbol.of else { continue };
        let function = symbol.site.function().expect("it is one");
        for line in &body.lines {
            let site = ptx_isa::ir::Site::Tokens {
                function,
                statement: line.statement,
                tokens: line.tokens,
            };
            let range = parsed.locate(site);
            let first = starts.partition_point(|start| *start < range.start);
            let end = starts.partition_point(|start| *start < range.end);
            if original[first..end].iter().any(|(_, text)| text == ":") || first + 1 >= end {
                continue;
            }
            statements.push((function, first..end));
            for (n, (_, text)) in original.iter().enumerate().take(end).skip(first) {
                let named = body.entities.iter().find(|entity| {
                    entity.name == text && entity.kind == super::names::Kind::Register
                });
                registers.extend(named.map(|entity| (function, n, &entity.what)));
            }
        }
    }
    let times = |function: usize, name: &str| {
        registers.iter().filter(|(of, n, _)| *of == function && original[*n].1 == name).count()
    };
    for _ in 0..4 {
        if registers.len() > 1 {
            let (one, other) = (
                registers[random.below(registers.len())],
                registers[random.below(registers.len())],
            );
            let (name, new) = (&original[one.1].1, &original[other.1].1);
            let are_apart = name != new && one.0 == other.0 && times(one.0, name) > 1;
            if are_apart && one.2 == other.2 {
                change("register", one.1, new);
            }
        }
        if statements.is_empty() {
            break;
        }
        let (_, range) = &statements[random.below(statements.len())];
        for n in range.clone() {
            match original[n].0 {
                PieceKind::Number if !original[n].1.contains('.') => {
                    let number = ptx_isa::ir::body::integer(&original[n].1);
                    if let Some(number) = number {
                        change("immediate", n, &(number + 1).to_string());
                    }
                }
                PieceKind::Dotted if original[n].1 == ".s32" => change("modifier", n, ".u32"),
                PieceKind::Dotted if original[n].1 == ".f32" => change("modifier", n, ".f64"),
                PieceKind::Dotted if original[n].1 == ".u64" => change("modifier", n, ".b64"),
                PieceKind::Dotted if original[n].1 == ".global" => change("modifier", n, ".shared"),
                _ => {}
            }
        }
    }
    for (n, (_, piece)) in original.iter().enumerate() {
        let after = |sign: &str| {
            let mut before = original[..n].iter().rev().filter(|(kind, _)| !kind.is_trivia());
            before.next().is_some_and(|(_, text)| text == sign)
        };
        match piece.as_str() {
            "sm_90" => change("target", n, "sm_90a"),
            "8.0" if after(".version") => change("version", n, "8.1"),
            ".visible" => change("linkage", n, ".weak"),
            "{" if after("ret") => {}
            _ if after(".maxntid") || after(".reqntid") => change("directive", n, "7"),
            _ if after(".align") && piece == "16" => change("alignment", n, "32"),
            "1024" if after("[") => change("extent", n, "1040"),
            _ => {}
        }
    }
    let mut swapped = Vec::new();
    for pair in statements.windows(2) {
        let [(f, one), (g, other)] = pair else { continue };
        let opcode = |range: &std::ops::Range<usize>| {
            let words = original[range.clone()].iter().filter(|(kind, _)| !kind.is_trivia());
            words.take(1).map(|(_, text)| text.clone()).collect::<String>()
        };
        if f == g && opcode(one) != opcode(other) && one.end <= other.start {
            swapped.push((one.clone(), other.clone()));
        }
    }
    for _ in 0..3.min(swapped.len()) {
        let (one, other) = &swapped[random.below(swapped.len())];
        let parts = [
            0..one.start,
            other.clone(),
            one.end..other.start,
            one.clone(),
            other.end..original.len(),
        ];
        let text = parts.map(|part| joined(&original[part])).concat();
        changes.push((format!("swapped: {}", joined(&original[one.clone()])), text));
    }
    changes
}

#[test]
fn what_means_something_else_differs() {
    let mut random = Random(seed());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (path, text) in samples() {
        let mut changes = changes(&text, &mut random);
        random.shuffle(&mut changes);
        for (what, changed) in changes.into_iter().take(6) {
            if !Parsed::new(changed.as_str()).syntax().is_empty() {
                continue;
            }
            *counts.entry(what.split(':').next().unwrap_or_default().to_owned()).or_default() += 1;
            assert!(difference(&text, &changed).is_some(), "{}: {what}", path.display());
            // A change is found whatever else is done that makes no difference.
            let other = renamed(&permuted(&changed, &mut random), &mut random);
            if Parsed::new(other.as_str()).syntax().is_empty() {
                assert!(difference(&text, &other).is_some(), "{}: {what}, renamed", path.display());
            }
        }
    }
    for what in
        ["register", "immediate", "modifier", "linkage", "swapped", "directive", "alignment"]
    {
        assert!(counts.get(what).is_some_and(|count| *count > 5), "{what}: {counts:?}");
    }
}

/// Cut texts and changed bytes are compared without a panic, whatever is left of them.
#[test]
fn nothing_panics() {
    let mut random = Random(seed());
    for (_, text) in samples() {
        let mut bytes = text.clone().into_bytes();
        bytes.truncate(20_000);
        let cut = Parsed::from_bytes(bytes[..random.below(bytes.len())].to_vec());
        for _ in 0..5 {
            let at = random.below(bytes.len());
            bytes[at] = b"\0{}()[],;.%a0\xFF\"/*<>+-="[random.below(22)];
        }
        let changed = Parsed::from_bytes(bytes);
        for both in [[&cut, &changed], [&changed, &cut]] {
            let files = comparison::files(both);
            let comparison = Comparison::of([&files[0], &files[1]]);
            let document = super::json::document(&comparison, ["a", "b"], 1);
            assert!(document.expect("it is written").contains("version"));
        }
    }
}

/// A second declaration of a function says nothing that its definition does not.
#[test]
fn a_function_may_be_declared_again() {
    const HEAD: &str = ".version 8.0 .target sm_90 .address_size 64";
    let before = format!("{HEAD} .func f(); .func f() {{ ret; }}");
    let after = format!("{HEAD} .func f() {{ ret; }} .func f();");
    let alone = format!("{HEAD} .func f() {{ ret; }}");
    assert_eq!(difference(&before, &after), None);
    assert_eq!(difference(&after, &alone), None);
}

/// Names that could be either are told apart by where they are used.
#[test]
fn private_symbols_may_exchange_their_names() {
    let text = |names: [&str; 4], order: [usize; 2]| {
        let [x, y, f, g] = names;
        let variables = [format!(".global .u32 {x};"), format!(".global .u32 {y};")];
        let variables = order.map(|n| variables[n].as_str()).concat();
        format!(
            ".version 8.0 .target sm_90 .address_size 64 {variables}
            .func {f}() {{ .reg .u32 %r; ld.global.u32 %r, [{x}]; ret; }}
            .func {g}() {{ .reg .u32 %r; ld.global.u32 %r, [{y}]; ret; }}
            .visible .entry k() {{ .reg .u32 %r; call {f}; call {g}; st.global.u32 [{y}], %r; ret; }}"
        )
    };
    let original = text(["x", "y", "f", "g"], [0, 1]);
    for (names, order) in [
        (["y", "x", "g", "f"], [0, 1]),
        (["x", "y", "g", "f"], [1, 0]),
        (["f", "g", "x", "y"], [1, 0]),
    ] {
        assert_eq!(difference(&original, &text(names, order)), None, "{names:?}");
    }
    let other = original.replace("st.global.u32 [y]", "st.global.u32 [x]");
    assert!(difference(&original, &other).is_some());
}
