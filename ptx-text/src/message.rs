//! The messages of findings, independent of the source.

use std::borrow::Cow;

use ptx_analysis::{Misplaced, Symbols, Undeclared, Wanted};
use ptx_isa::instruction::{COMPLETE, INSTRUCTIONS, WordKind};
use ptx_isa::ir::Extent;
use ptx_isa::ir::family::is_member;
use ptx_isa::special;

use ptx_isa::near::{list, near};

/// The advice for what looks like an array element but is a name followed by an address.
pub const SIDE_BY_SIDE: &str =
    "two operands are side by side; write `,` between operands, or `;` after the statement";

/// The message for what stands where something else has to.
pub fn misplaced(found: &Misplaced<'_>) -> String {
    let Misplaced { name, is, wanted } = found;
    let what = if name.is_empty() { "this".to_owned() } else { format!("`{name}`") };
    match wanted {
        Wanted::Label => format!(
            "{what} {is}, but `bra` jumps to a label of this body; write the name of one (PTX ISA 9.7.12)"
        ),
        Wanted::BranchTarget => format!(
            "{what} {is}, but `.branchtargets` lists labels of this body; write the name of one (PTX ISA 11.3.1)"
        ),
        Wanted::CallTarget => format!(
            "{what} {is}, but `.calltargets` lists functions; write the name of one (PTX ISA 11.3.2)"
        ),
        Wanted::List => format!(
            "{what} {is}, but `brx.idx` takes its targets from the label of a `.branchtargets` that stands before it; write that label (PTX ISA 9.7.12)"
        ),
        Wanted::Index => format!(
            "{what} {is}, but the index of `brx.idx` is an integer of 32 bits; convert it first (PTX ISA 9.7.12)"
        ),
        Wanted::Callee => format!(
            "{what} {is}, but a call names a function, or a register that holds the address of one (PTX ISA 9.7.12)"
        ),
        Wanted::Pointer => format!(
            "{what} {is}, but the address of a function is an integer of 64 bits; declare the register as `.b64` (PTX ISA 9.7.12)"
        ),
        Wanted::Prototype => format!(
            "{what} {is}, but a call through a register takes the label of a `.callprototype` or `.calltargets` that stands before it; write that label (PTX ISA 9.7.12)"
        ),
        Wanted::SomePrototype => format!(
            "a call through {what} needs a prototype; write `P: .callprototype _ ();` with its parameters before the call, and `, P` at the end of it (PTX ISA 9.7.12)"
        ),
        Wanted::NoPrototype => format!(
            "{what} is a function, whose parameters are declared; remove the prototype, which is for calls through a register"
        ),
        Wanted::Predicate => format!(
            "{what} {is}, but a guard is a register of `.pred`; write the result of a comparison, as of `setp` (PTX ISA 9.3)"
        ),
        Wanted::Modifier(opcode) => format!("`.{name}` is not a modifier of `{opcode}`; remove it"),
        Wanted::Operand(opcode, form) => {
            format!("`{opcode}` lacks an operand; write it as in `{form}` (PTX ISA 9.7.12)")
        }
        Wanted::Nothing(opcode, form) => {
            format!("`{opcode}` has no such operand; write it as in `{form}` (PTX ISA 9.7.12)")
        }
        Wanted::NoSuffix => format!(
            "`.{name}` has no meaning behind an operand; remove it, or write an element, `.x`, `.y`, `.z` or `.w`"
        ),
        Wanted::PartOfOpcode => format!(
            "`.{name}` is part of an opcode, and no modifier; write it once, before types and state spaces"
        ),
        Wanted::Word(kind) => format!(
            "`{}{name}` is not {} of PTX {COMPLETE} or an older version; write one that is, or the version that has it",
            kind.separator(),
            if *kind == WordKind::Opcode { "an instruction" } else { "a modifier" },
        ),
        Wanted::LabelBefore => format!(
            "no label names this `{name}`; write one before it, as in `P: {name} ..` (PTX ISA 11.3)"
        ),
    }
}

/// The message for a name that the module declares after the function, in this line.
pub fn declared_after(name: &str, line: u32, is_function: bool) -> String {
    let fix = if is_function {
        "define it before this, or declare it there"
    } else {
        "move the declaration before this function"
    };
    format!(
        "`{name}` is declared after this function, in line {line}, and ptxas does not know it here; {fix}"
    )
}

/// The message for an undeclared name. `hint` is the advice where the source declares something else by
/// that name.
pub fn undeclared(found: &Undeclared<'_>, symbols: &Symbols<'_>, hint: Option<String>) -> String {
    let name = found.name;
    if found.is_later {
        return format!("`{name}` is used before its declaration; move the declaration up");
    }
    let own = found.families.iter().map(|(prefix, count)| (*prefix, *count));
    let of_module = symbols.variables.iter().filter_map(|(base, found)| {
        let (count, _) = found.first()?.ir.ty.family()?;
        Some((
            base.as_str(),
            match count {
                Extent::Known(count) => Some(count),
                Extent::Incomplete | Extent::Unknown => None,
            },
        ))
    });
    let families: Vec<(&str, Option<usize>)> = own.chain(of_module).collect();
    let known_family = families.iter().find(|(prefix, _)| is_member(name, prefix, None));
    if let Some((prefix, Some(count))) = known_family {
        return member_missing(name, prefix, *count);
    }
    if let Some((prefix, _)) = families.iter().find(|(prefix, _)| *prefix == name) {
        return family_named(prefix);
    }
    if let Some(hint) = hint {
        return hint;
    }
    if let Some(meant) = number_of_c(name) {
        return format!("nothing here is named `{name}`; write `{meant}`");
    }
    if let Some(meant) = special_register(name) {
        let sign = if name.starts_with('%') { "" } else { " Special registers start with `%`" };
        return format!("nothing here is named `{name}`; did you mean `{meant}`?{sign}");
    }
    if let Some(meant) = member_meant(name, &families) {
        return format!("nothing here is named `{name}`; did you mean `{meant}`?");
    }
    if name.strip_prefix(['%', '$']).is_some_and(|rest| rest.bytes().all(|c| c.is_ascii_digit())) {
        return format!(
            "`{name}` is an operand of inline assembly, which a compiler replaces; write a register"
        );
    }
    let members: Vec<String> = families.iter().map(|(prefix, _)| format!("{prefix}0")).collect();
    let mut known: Vec<&str> = members.iter().map(String::as_str).collect();
    known.extend(found.visible.iter());
    known.extend(names(symbols).filter(|name| !families.iter().any(|(base, _)| base == name)));
    if name.starts_with('%') {
        for name in special::names() {
            known.push(name);
        }
    }
    let near = near(name, known.iter().copied());
    if near.is_empty() {
        format!("{}{}", unknown(name), all(name, &mut known))
    } else {
        format!("nothing here is named `{name}`; did you mean {}?", list(near))
    }
}

/// The member of a family that is meant by a name with the same number: `%r2` by `r2`, `%R2` or `%%r2`.
fn member_meant(name: &str, families: &[(&str, Option<usize>)]) -> Option<String> {
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &name[base.len()..];
    let index: usize = number.parse().ok()?;
    let word = base.trim_start_matches('%');
    let is_meant = |(prefix, count): &&(&str, Option<usize>)| {
        !word.is_empty()
            && prefix.trim_start_matches('%').eq_ignore_ascii_case(word)
            && count.is_none_or(|count| index < count)
    };
    let (prefix, _) = families.iter().find(is_meant)?;
    Some(format!("{prefix}{number}"))
}

/// The special register that is meant by a name without its `%`, or by one from CUDA C++.
fn special_register(name: &str) -> Option<String> {
    let meant = match name.trim_start_matches('%').to_ascii_lowercase().as_str() {
        "threadidx" => "%tid.x",
        "blockidx" => "%ctaid.x",
        "blockdim" => "%ntid.x",
        "griddim" => "%nctaid.x",
        _ => {
            let with_sign = format!("%{name}");
            let is_vector = ["tid", "ntid", "ctaid", "nctaid"].contains(&name);
            return special::is_special(&with_sign)
                .then(|| with_sign + if is_vector { ".x" } else { "" });
        }
    };
    Some(meant.to_owned())
}

/// The number that is meant by a name from C or Rust.
fn number_of_c(name: &str) -> Option<&'static str> {
    Some(match name {
        "warpSize" => "WARP_SZ",
        "NULL" | "nullptr" | "false" => "0",
        "true" => "1",
        "INFINITY" => "0f7F800000",
        "NAN" => "0f7FFFFFFF",
        _ => return None,
    })
}

/// The message for an undeclared name, without regard to what is declared.
pub fn unknown(name: &str) -> String {
    format!(
        "nothing here is named `{name}`; declare it in the body, as a parameter or in the module"
    )
}

/// The known names of the same kind as this one, or the first of them.
fn all(name: &str, known: &mut Vec<&str>) -> String {
    known.retain(|name| !special::is_special(name));
    // A register is hardly taken for a label or a variable.
    let sign = |name: &str| name.chars().next().filter(|first| matches!(first, '%' | '$'));
    if known.iter().any(|other| sign(other) == sign(name)) {
        known.retain(|other| sign(other) == sign(name));
    }
    known.sort_unstable();
    known.dedup();
    if known.is_empty() {
        return String::new();
    }
    let (shown, end) = if known.len() > 8 { (6, ", ..") } else { (known.len(), "") };
    let quoted: Vec<String> = known.iter().take(shown).map(|name| format!("`{name}`")).collect();
    format!(" (declared here: {}{end})", quoted.join(", "))
}

/// The names that the module declares.
pub fn names<'s>(symbols: &'s Symbols<'_>) -> impl Iterator<Item = &'s str> {
    symbols.variables.keys().chain(symbols.functions.keys()).map(String::as_str)
}

/// Describes a name that denotes a family of the module, or a member that the family does not
/// have.
pub fn family_fault(name: &str, symbols: &Symbols<'_>) -> Option<String> {
    symbols.variables.iter().find_map(|(base, found)| match found.first()?.ir.ty.family()?.0 {
        _ if base == name => Some(family_named(base)),
        Extent::Known(count) if is_member(name, base, None) => {
            Some(member_missing(name, base, count))
        }
        Extent::Known(_) | Extent::Incomplete | Extent::Unknown => None,
    })
}

fn family_named(prefix: &str) -> String {
    format!("`{prefix}` is a family; name one of its members, as in `{prefix}0`")
}

fn member_missing(name: &str, prefix: &str, count: usize) -> String {
    let last = count.saturating_sub(1);
    let index = name.strip_prefix(prefix).and_then(|number| number.parse::<usize>().ok());
    let needed = index.unwrap_or(count).saturating_add(1);
    format!(
        "`{name}` is not declared: `{prefix}<{count}>` ends at `{prefix}{last}`; declare more of them, as in `{prefix}<{needed}>`"
    )
}

/// The message for a module name that PTX calls by another name, which the function uses for something of its own.
pub fn hidden(name: &str, ptx_name: &str) -> String {
    format!(
        "`{name}` is called `{ptx_name}` in PTX, and this function has a `{ptx_name}` of its own, which would be meant; rename that"
    )
}

/// The message for a module name that conditions give several names in PTX; `None` if it has one.
pub fn ambiguous(name: &str, symbols: &Symbols<'_>) -> Option<String> {
    let mut names = symbols.in_ptx(name).map(|(_, ptx_name)| ptx_name);
    let first = names.next()?;
    let other = names.find(|other| *other != first)?;
    Some(format!(
        "`{name}` is called `{first}` or `{other}` in PTX, as `cfg` decides, but the PTX is written once for both; give both the same `export_name`"
    ))
}

/// Describes an instruction that is not in the table, and asks which one of the table's was
/// meant to be.
pub fn unknown_instruction<'i>(
    opcode: &'i str,
    modifiers: &[(&str, &str)],
) -> (Cow<'i, str>, String) {
    let rows = || INSTRUCTIONS.iter().filter(|row| row.is_of_memory).map(|row| row.opcode);
    let longest = rows().map(|row| row.split('.').count()).max();
    let mut name = opcode.to_owned();
    let mut rest = modifiers;
    for length in 1..=longest.unwrap_or_default() {
        let near = near(&name, rows().filter(|row| row.split('.').count() == length));
        if !near.is_empty() {
            let question = format!("did you mean {}? If not, ", list(near));
            return (name.into(), question);
        }
        let words = rest.iter().skip(1).take_while(|(separator, _)| *separator == "::").count() + 1;
        for (separator, word) in rest.iter().take(words) {
            name.push_str(separator);
            name.push_str(word);
        }
        rest = rest.get(words..).unwrap_or_default();
    }
    (opcode.into(), String::new())
}
