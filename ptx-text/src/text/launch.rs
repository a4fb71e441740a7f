//! Launches in PTX text: `// ptx: launch(block = 128, grid = 4)` on the line before a kernel.

use ptx_analysis::Launch;

use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::group::Group;
use super::noted::Noted;
use super::reader::Reader;

/// How a launch is written.
const FORM: &str = "write the launch of the next kernel: `// ptx: launch(block = (32, 8), grid = 4, cluster = 2, \
     dynamic = 65536, n = 64, p = @4096, q = [1, 2])`, where all but `block` may be left out, `n`, `p` and `q` are names of \
     parameters, `@` stands before the bytes of a buffer, and brackets around its words of 32 bits, which `ld.global.nc` reads";

/// What is wrong with a launch before something else.
pub(super) const MISPLACED: &str = "a launch goes before a kernel, and this is not one; remove it";

/// What is wrong with a comment, and where.
type Wrong = (Extent, String);

/// Reads what follows `launch` in the comment at `at`, or says what is wrong with it.
fn parse(text: &str, at: Extent) -> Result<Noted, Wrong> {
    let form = || (at, FORM.to_owned());
    let list = text.trim_start().strip_prefix('(').and_then(|rest| rest.rsplit_once(')'));
    let (list, _) = list.ok_or_else(form)?;
    let mut noted = Noted { launch: Launch::default(), at, block: at, cluster: at };
    let launch = &mut noted.launch;
    for part in parts(list) {
        let (name, value) = part.split_once('=').ok_or_else(form)?;
        let (name, value) = (name.trim(), value.trim());
        let wrong = |why| (at, why);
        // The text ends where the comment does, and the value is a part of it.
        let end = text.as_ptr() as usize + text.len() - value.as_ptr() as usize;
        let start = at.end - u32::try_from(end).unwrap_or_default();
        let length = u32::try_from(value.len()).unwrap_or_default();
        let value_at = Extent { start, end: start + length };
        let group = |group: Group| {
            let extents = extents(value).map_err(wrong)?;
            group.checked(extents).map_err(|why| (value_at, why))
        };
        match name {
            "block" => (launch.block, noted.block) = (Some(group(Group::Block)?), value_at),
            "cluster" => (launch.cluster, noted.cluster) = (Some(group(Group::Cluster)?), value_at),
            "grid" => launch.grid = Some(extents(value).map_err(wrong)?),
            "dynamic" => launch.dynamic = Some(number(value).map_err(wrong)?),
            _ => pass(launch, name, value).map_err(|why| (at, format!("{why}; {FORM}")))?,
        }
    }
    if launch.block.is_some() { Ok(noted) } else { Err(form()) }
}

/// Reads words after their opening bracket.
fn words(list: &str) -> Result<Vec<u32>, String> {
    let list =
        list.strip_suffix(']').ok_or("close the bracket after the last word: `[0, 2, 4]`")?;
    let mut parts: Vec<&str> = list.split(',').map(str::trim).collect();
    if parts.last().is_some_and(|last| last.is_empty()) {
        parts.pop();
    }
    let word = |part: &&str| {
        if part.is_empty() {
            return Err("a word is missing beside a comma".to_owned());
        }
        let read = match part.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => part.parse(),
        };
        read.map_err(|_| {
            format!("a word is a number of 32 bits, 0 to 4294967295, and `{part}` is not")
        })
    };
    parts.iter().map(word).collect()
}

/// Adds to a launch what is passed in a parameter: a number, `64` or `0x40`; the bytes of the buffer that it points to, `@4096`;
/// or the words of 32 bits of that buffer, `[0, 2, 4]`.
///
/// # Errors
/// If the value is none of these, or something is passed in the parameter already: a sentence that says so.
pub fn pass(launch: &mut Launch, name: &str, value: &str) -> Result<(), String> {
    if launch.names().any(|it| it == name) {
        return Err(format!("`{name}` is given twice; remove one"));
    }
    if let Some(list) = value.strip_prefix('[') {
        let words = words(list).map_err(|why| format!("`{value}`: {why}"))?;
        launch.contents.push((name.to_owned(), words));
    } else {
        let passed = value.parse().map_err(|why| format!("`{value}`: {why}"))?;
        launch.params.push((name.to_owned(), passed));
    }
    Ok(())
}

/// Splits a list at the commas outside parentheses and brackets.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[start..]);
    found
}

/// Reads `128` or `(32, 8)`.
fn extents(text: &str) -> Result<[u32; 3], String> {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let mut all = [1; 3];
    let parts: Vec<&str> = inner.split(',').collect();
    if parts.len() > all.len() {
        return Err(format!("`{text}` has more than three dimensions"));
    }
    for (extent, part) in all.iter_mut().zip(parts) {
        *extent = number(part.trim())?;
        if *extent == 0 {
            return Err(format!("an extent is at least 1, and `{text}` has a 0"));
        }
    }
    Ok(all)
}

fn number<T: core::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number that fits here; {FORM}"))
}

/// Reports a launch that stands before something else than a kernel.
pub(super) fn misplaced(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
    if let Some(noted) = reader.launch.take() {
        errors.at(noted.at, MISPLACED);
    }
}

/// Notes the launch in a comment.
pub(super) fn note(text: &str, at: Extent, reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
    match parse(text, at) {
        Ok(_) if reader.launch.is_some() => {
            errors.at(at, "a kernel is followed in one launch; remove one of them");
        }
        Ok(noted) => reader.launch = Some(noted),
        Err((at, why)) => errors.at(at, why),
    }
}
