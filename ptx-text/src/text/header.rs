//! The header of a text: its version and its target (PTX ISA 11.1).

use ptx_isa::ir::Module;
use ptx_isa::ir::body::integer;
use ptx_isa::rules::check_module_alone;
use ptx_isa::{Target, TextureMode, Version};

use super::allowance::{Before, allowances, keep_fitting};
use super::extent::Extent;
use super::faults::{SyntaxErrors, shortened};
use super::launch;
use super::lexer::PieceKind;
use super::reader::Reader;
use crate::target::FALLBACK_TARGET;
use ptx_isa::near::near;

/// The first directives of the constructs in a module.
pub(super) const DIRECTIVES: &[&str] = &[
    "version",
    "target",
    "address_size",
    "visible",
    "extern",
    "weak",
    "common",
    "entry",
    "func",
    "global",
    "const",
    "shared",
    "file",
    "section",
    "pragma",
    "alias",
];

/// What may follow a target.
const OPTIONS: &[&str] = &["texmode_independent", "texmode_unified", "debug", "map_f64_to_f32"];

/// The contents of the header.
#[derive(Default)]
pub(super) struct Header {
    pub(super) target: Option<(Target, Extent)>,
    /// The target, if it is older than every target in the table.
    pub(super) older: Option<&'static Older>,
    pub(super) version: (Option<Version>, Extent),
    pub(super) texture_mode: TextureMode,
    is_mode_given: bool,
    /// The location of `debug`.
    pub(super) debug: Option<Extent>,
}

impl Header {
    /// Parses `.version`, `.target` and `.address_size`, in this order (PTX ISA 11.1).
    pub(super) fn read(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) -> Self {
        let mut header = Self::default();
        header.read_all(reader, errors);
        header
    }

    fn read_all(&mut self, reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
        let at = next_at(reader);
        if let Some(message) = not_ptx(reader.rest()) {
            errors.at(at, message);
            reader.finish();
            return;
        }
        let is_target = reader.next_is(".target");
        if !is_target && !is_slip(reader, "version", errors) {
            if !skip_to_version(reader) {
                errors.at(at, "a text starts with its version and its target, as in `.version 8.7 .target sm_90a` (PTX ISA 11.1)");
                return;
            }
            errors.at(at, "a text starts with its version, and this is before it; remove what is before `.version` (PTX ISA 11.1.1)");
        }
        if is_target {
            self.read_target(reader, errors);
            errors.at(at, "a text starts with its version, as in `.version 8.7` (PTX ISA 11.1.1)");
        }
        if reader.next_is(".version") || !is_target {
            self.read_version(reader, errors);
        }
        if self.target.is_none() && !is_slip(reader, "target", errors) {
            let at = next_at(reader);
            errors.at(
                at,
                "expected `.target` after `.version`, as in `.target sm_90a` (PTX ISA 11.1.2)",
            );
            read_address_size(reader, errors);
        } else if self.target.is_none() {
            self.read_target(reader, errors);
        }
        while reader.next_is(".target") {
            self.read_target(reader, errors);
        }
        let address_size = next_at(reader);
        if read_address_size(reader, errors) {
            self.needs("address_size", Version::new(2, 3), address_size, errors);
        }
        if let (Some(older), Some((target, at))) = (self.older, self.target) {
            self.needs(older.name(), older.since, at, errors);
            // The IR has the table's oldest target and no version, which need not suffice for that: whether the version
            // exists is known only here.
            let (version, version_at) = self.version;
            let module = Module { version, ..Module::new("", target) };
            for violation in check_module_alone(&module) {
                if violation.rule.code == "T002" {
                    errors.at(version_at, violation.in_ptx());
                }
            }
        }
    }

    /// Whether the text declares a version below this one.
    pub(super) fn is_older_than(&self, since: Version) -> bool {
        self.version.0.is_some_and(|version| version.is_below(since))
    }

    /// Reports something that needs another version.
    pub(super) fn needs(&self, what: &str, since: Version, at: Extent, errors: &mut SyntaxErrors) {
        if let Some(version) = self.version.0.filter(|version| version.is_below(since)) {
            errors.at(at, format_args!("`{what}` needs PTX {since} or newer, but the module declares PTX {version}; write `.version {since}` or a newer one (PTX ISA 11.1)"));
        }
    }

    fn read_version(&mut self, reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
        no_allowance(reader, errors);
        let Some(directive) = reader.token() else { return };
        let number = reader.peek().filter(|next| next.piece.kind == PieceKind::Number);
        let version = number.and_then(|number| {
            let (major, minor) = reader.text(number.piece.at).split_once('.')?;
            Some((Version::new(major.parse().ok()?, minor.parse().ok()?), number.piece.at))
        });
        if number.is_some() {
            reader.token();
        }
        if let Some((version, at)) = version {
            self.version = (Some(version), at);
        }
        let operand = reader.peek().filter(|next| !next.is_first).map(|next| next.piece.at);
        if version.is_some() && no_semicolon(reader, errors) {
            return;
        }
        let is_longer = skip_operands(reader);
        if version.is_none() || is_longer {
            let at = number.map(|number| number.piece.at).or(operand);
            errors.at(
                at.unwrap_or(directive.piece.at),
                "a version has two numbers, as in `.version 8.7` (PTX ISA 11.1.1)",
            );
        }
    }

    fn read_target(&mut self, reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
        no_allowance(reader, errors);
        let Some(directive) = reader.token() else { return };
        let mut is_first = true;
        loop {
            let word = reader.peek().filter(|next| next.piece.kind == PieceKind::Word);
            let Some(word) = word else {
                let operand = reader.peek().filter(|next| !next.is_first);
                let at = operand.map_or(directive.piece.at, |next| next.piece.at);
                let named = target(&format!("sm_{}", reader.text(at)));
                let form = match named {
                    Some((meant, _)) => format!("; write `.target {meant}`"),
                    None => format!(", as in `.target {FALLBACK_TARGET}`"),
                };
                errors.at(at, format_args!("expected a target{form} (PTX ISA 11.1.2)"));
                skip_operands(reader);
                return;
            };
            reader.token();
            let mut at = word.piece.at;
            // `sm-90a` is one misspelt name.
            while let Some(next) = reader.peek()
                && next.piece.at.start == at.end
                && matches!(next.piece.kind, PieceKind::Number | PieceKind::Word | PieceKind::Sign)
                && !matches!(reader.text(next.piece.at), "," | ";")
            {
                at.end = next.piece.at.end;
                reader.token();
            }
            let text = reader.text(at);
            if let Some((target, older)) = target(text) {
                // ptxas takes the last one.
                (self.target, self.older) = (Some((target, at)), older);
            } else {
                if is_first && self.target.is_none() && OPTIONS.contains(&text) {
                    errors.at(at, format_args!("a target comes first, as in `.target {FALLBACK_TARGET}, {text}` (PTX ISA 11.1.2)"));
                }
                match text {
                    "texmode_independent" | "texmode_unified" => {
                        self.read_texture_mode(text, at, errors);
                    }
                    "debug" => {
                        self.needs("debug", Version::new(3, 0), at, errors);
                        self.debug = Some(at);
                    }
                    "map_f64_to_f32" => {
                        if self.target.is_some() && self.older.is_none_or(|older| older.arch >= 13)
                        {
                            errors.at(at, "`map_f64_to_f32` is for targets without double precision, which are older than sm_13; remove it (PTX ISA 11.1.2)");
                        }
                    }
                    _ => {
                        let advice = Target::meant(text, &["texmode_independent", "debug"]);
                        let word = shortened(text);
                        if let Some(target) = start_of(text).or_else(|| without_underscores(text)) {
                            errors.accepted(at, format_args!("no target is called `{word}`, although ptxas takes it for `{target}`; {advice}"));
                            self.target.get_or_insert((target, at));
                        } else {
                            errors.at(at, format_args!("no target is called `{word}`; {advice}"));
                            if is_first {
                                self.target.get_or_insert((FALLBACK_TARGET, at));
                            }
                        }
                    }
                }
            }
            is_first = false;
            if !reader.next_is(",") {
                no_semicolon(reader, errors);
                return;
            }
            reader.token();
        }
    }
}

impl Header {
    fn read_texture_mode(&mut self, word: &str, at: Extent, errors: &mut SyntaxErrors) {
        let mode = match word {
            "texmode_independent" => TextureMode::Independent,
            _ => TextureMode::Unified,
        };
        if self.is_mode_given && mode != self.texture_mode {
            errors.at(at, "a module has one texture mode; remove this one (PTX ISA 11.1.2)");
            return;
        }
        (self.texture_mode, self.is_mode_given) = (mode, true);
        self.needs(word, Version::new(1, 5), at, errors);
    }
}

/// Parses `.address_size 64`, if it is here (PTX ISA 11.1.3). Returns whether it is.
fn read_address_size(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) -> bool {
    if !is_slip(reader, "address_size", errors) {
        return false;
    }
    no_allowance(reader, errors);
    let Some(directive) = reader.token() else { return false };
    match number(reader) {
        Some((64, _)) => {}
        Some((_, at)) => errors
            .at(at, "addresses have 64 bits: ptxas has no other ABI; write `.address_size 64`"),
        None => {
            errors.at(
                directive.piece.at,
                "expected a number of bits, as in `.address_size 64` (PTX ISA 11.1.3)",
            );
            skip_operands(reader);
        }
    }
    no_semicolon(reader, errors);
    true
}

/// Whether the next token is this directive. One that is misspelt is reported, and counts.
fn is_slip(reader: &mut Reader<'_>, wanted: &str, errors: &mut SyntaxErrors) -> bool {
    let Some(next) = reader.peek().filter(|next| next.piece.kind == PieceKind::Dotted) else {
        return false;
    };
    let word = &reader.text(next.piece.at)[1..];
    if word == wanted {
        return true;
    }
    let is_near = !DIRECTIVES.contains(&word) && !near(word, [wanted]).is_empty();
    if is_near {
        errors.at(
            next.piece.at,
            format_args!("no directive `.{word}` in a module; did you mean `.{wanted}`?"),
        );
    }
    is_near
}

/// Reports and skips a semicolon after a directive of the header. Returns whether there was one.
fn no_semicolon(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) -> bool {
    let is_here = reader.next_is(";") && reader.peek().is_some_and(|next| !next.is_first);
    if is_here && let Some(next) = reader.token() {
        errors
            .at(next.piece.at, "the directives at the start of a text end without `;`; remove it");
    }
    is_here
}

/// Skips what is before `.version`, if that starts a later line.
fn skip_to_version(reader: &mut Reader<'_>) -> bool {
    let start = reader.mark();
    while let Some(next) = reader.peek() {
        if next.is_first && reader.text(next.piece.at) == ".version" {
            return true;
        }
        reader.token();
    }
    reader.return_to(start);
    false
}

/// Skips what is left of a directive with an error: the rest of the line, up to another directive. Returns whether
/// there was anything.
fn skip_operands(reader: &mut Reader<'_>) -> bool {
    let mut is_any = false;
    while let Some(next) = reader.peek() {
        let directive = reader.text(next.piece.at).strip_prefix('.');
        if next.is_first || directive.is_some_and(|word| DIRECTIVES.contains(&word)) {
            break;
        }
        reader.token();
        is_any = true;
    }
    is_any
}

/// The message about a text without any directive of PTX.
fn not_ptx(text: &str) -> Option<String> {
    /// The length of the part that is searched.
    const START: usize = 1 << 16;
    let text = text.get(..START).unwrap_or(text);
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')));
    if words.any(|word| word.strip_prefix('.').is_some_and(|word| DIRECTIVES.contains(&word))) {
        return None;
    }
    let is_any = |marks: &[&str]| marks.iter().any(|mark| text.contains(mark));
    Some(if is_any(&["__global__", "__device__", "#include"]) {
        "this is CUDA C++, not PTX; compile it with `nvcc -ptx`".to_owned()
    } else if is_any(&["target triple", "target datalayout", "define void @"]) {
        "this is LLVM IR, not PTX; compile it with `llc -march=nvptx64`".to_owned()
    } else if is_any(&["/*0000*/", ".headerflags"]) {
        "this is SASS, the machine code of a GPU, not PTX; if the binary holds PTX, `cuobjdump -ptx` writes it out".to_owned()
    } else {
        let what = if text.trim().is_empty() {
            "this text is empty"
        } else {
            "this is not PTX: it has none of PTX's directives"
        };
        format!(
            "{what}; a text starts with its version and its target, as in `.version 8.7 .target sm_90a` (PTX ISA 11.1)"
        )
    })
}

/// The target that results from removing the underscores in its number, which ptxas ignores in some: `sm_12_1`.
fn without_underscores(text: &str) -> Option<Target> {
    let number = text.strip_prefix("sm_")?.replace('_', "");
    target(&format!("sm_{number}")).map(|(target, _)| target)
}

/// The location of the next token, or of the end of the text.
fn next_at(reader: &mut Reader<'_>) -> Extent {
    match reader.peek() {
        Some(next) => next.piece.at,
        None => reader.end(),
    }
}

/// The number at this point, if there is one.
fn number(reader: &mut Reader<'_>) -> Option<(i128, Extent)> {
    let next = reader.peek()?;
    let text = reader.text(next.piece.at);
    let number = integer(text)?;
    (next.piece.kind == PieceKind::Number).then(|| reader.token())?;
    Some((number, next.piece.at))
}

/// A target that is older than every target in the table, which ptxas accepts and compiles for a newer one.
pub(super) struct Older {
    pub(super) arch: u16,
    /// The lowest PTX version that supports it.
    since: Version,
    /// The names, `sm_13` and `compute_13`.
    names: [&'static str; 2],
}

impl Older {
    fn name(&self) -> &'static str {
        self.names[0]
    }
}

const OLDER: &[Older] = &[
    Older { arch: 10, since: Version::new(1, 0), names: ["sm_10", "compute_10"] },
    Older { arch: 11, since: Version::new(1, 0), names: ["sm_11", "compute_11"] },
    Older { arch: 12, since: Version::new(1, 2), names: ["sm_12", "compute_12"] },
    Older { arch: 13, since: Version::new(1, 2), names: ["sm_13", "compute_13"] },
    Older { arch: 20, since: Version::new(2, 0), names: ["sm_20", "compute_20"] },
    Older { arch: 21, since: Version::new(2, 0), names: ["sm_21", "compute_21"] },
    Older { arch: 30, since: Version::new(3, 0), names: ["sm_30", "compute_30"] },
    Older { arch: 32, since: Version::new(4, 0), names: ["sm_32", "compute_32"] },
    Older { arch: 35, since: Version::new(3, 1), names: ["sm_35", "compute_35"] },
    Older { arch: 37, since: Version::new(4, 1), names: ["sm_37", "compute_37"] },
];

/// The target with this name: `sm_90a`, or `compute_90a`. For a target that is older than every target in the table,
/// this is the table's oldest, which has all its features, and the older one.
fn target(name: &str) -> Option<(Target, Option<&'static Older>)> {
    if let Some(older) = OLDER.iter().find(|older| older.names.contains(&name)) {
        return Some((*Target::ALL.first()?, Some(older)));
    }
    let number = name.strip_prefix("sm_").or(name.strip_prefix("compute_"))?;
    Some((Target::from_name(&format!("sm_{number}"))?, None))
}

/// The target that ptxas recognises at the start of a name: `sm_90` for `sm_90x`.
fn start_of(name: &str) -> Option<Target> {
    let digits = name.strip_prefix("sm_")?;
    let end = digits.find(|c: char| !c.is_ascii_digit())?;
    // ptxas rejects `sm_80a` and `sm_90f`.
    let is_other = matches!(&digits[end..], "a" | "f");
    Target::from_name(&name[..name.len() - digits.len() + end]).filter(|_| !is_other)
}

/// Reports allowances before a directive that does not take any.
fn no_allowance(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) {
    let mut allowed = allowances(reader, errors);
    launch::misplaced(reader, errors);
    keep_fitting(&mut allowed, Before::Nothing, errors);
}
