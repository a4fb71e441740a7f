//! The messages of findings, independent of the source.

use std::borrow::Cow;

use ptx_analysis::{Stop, Symbols, Undeclared};
use ptx_isa::instruction::INSTRUCTIONS;
use ptx_isa::ir::Extent;
use ptx_isa::ir::family::is_member;
use ptx_isa::near::{list, near};
use ptx_isa::rules::name_in_body::WrongName;
use ptx_isa::rules::{self, Violation};
use ptx_isa::special;

/// The advice for what looks like an array element but is a name followed by an address.
pub const SIDE_BY_SIDE: &str =
    "two operands are side by side; write `,` between operands, or `;` after the statement";

/// Says that threads are not followed any further.
pub fn not_followed(stop: Stop) -> String {
    let why = match stop {
        Stop::Unknown => "what they do depends on something that is not known".to_owned(),
        Stop::Steps(most) => format!("they take more than {most} steps"),
        Stop::Part(most) => format!(
            "they take more than {most} steps, which is its share of those for all kernels of the module"
        ),
    };
    format!("the threads of this kernel are followed up to here: {why}")
}

/// What to do about threads that are not followed any further.
pub fn to_follow(stop: Stop) -> Option<&'static str> {
    let advice = "check this kernel in a module of its own, or give a launch for it alone";
    matches!(stop, Stop::Part(_)).then_some(advice)
}

/// What is said at the other of two places that a rule is about.
pub fn other_place(code: &str) -> String {
    format!("this is the other place that {code} is about")
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

/// The advice about a name that nothing declares and that resembles no other.
pub const DECLARE: &str = "declare it in the body, as a parameter or in the module";

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
    format!("nothing here is named `{name}`; {DECLARE}")
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

/// What `show` makes of the rule that a module name violates if conditions give it several names in PTX.
pub fn ambiguous<T>(
    name: &str,
    symbols: &Symbols<'_>,
    show: impl FnOnce(&Violation<'_>) -> T,
) -> Option<T> {
    let mut names = symbols.in_ptx(name).map(|(_, ptx_name)| ptx_name);
    let first = names.next()?;
    let other = names.find(|other| *other != first)?;
    let violation = rules::check_name_in_body(name, WrongName::Ambiguous(&first, &other))?;
    Some(show(&violation))
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
