//! The directives of functions, between their parameters and their bodies (PTX ISA 11.4).

use std::collections::HashMap;

use ptx_isa::ir::{self, Directive, DirectiveKind, Function, FunctionKind};
use ptx_isa::near::dotted;
use ptx_isa::rules::{self, Environment, GivenDirective, OtherDirective};
use ptx_isa::{Target, Version};

use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::header::Header;
use super::pragma;
use crate::body::token::{Faults, Token};
use crate::body::{after_preserved, is_type, taken_word};

/// What decides how a signature is read, besides its text.
#[derive(Clone, Copy)]
pub(super) struct Around<'m> {
    /// Whether a body follows.
    pub(super) is_defined: bool,
    pub(super) header: &'m Header,
}

/// A directive that the table of the IR does not have.
struct Other {
    name: &'static str,
    /// Whose directive it is; `None` for both kinds of functions.
    of: Option<FunctionKind>,
    numbers: usize,
    since: Version,
    /// The oldest target that has it.
    target: Target,
}

/// What nvcc 13 writes, and the PTX ISA does not describe.
const LOCAL_MAXNREG: &str = "local_maxnreg";

const OTHERS: &[Other] = &[
    Other { name: "pragma", of: None, numbers: 0, since: Version::new(1, 0), target: Target::Sm50 },
    Other {
        name: "abi_preserve",
        of: Some(FunctionKind::Device),
        numbers: 1,
        since: Version::new(9, 0),
        target: Target::Sm80,
    },
    Other {
        name: "abi_preserve_control",
        of: Some(FunctionKind::Device),
        numbers: 1,
        since: Version::new(9, 0),
        target: Target::Sm80,
    },
    Other {
        name: "blocksareclusters",
        of: Some(FunctionKind::Kernel),
        numbers: 0,
        since: Version::new(9, 0),
        target: Target::Sm90,
    },
    Other {
        name: "maxnctapersm",
        of: Some(FunctionKind::Kernel),
        numbers: 1,
        since: Version::new(1, 3),
        target: Target::Sm50,
    },
    Other {
        name: LOCAL_MAXNREG,
        of: None,
        numbers: 1,
        since: Version::new(8, 8),
        target: Target::Sm50,
    },
];

/// The location of a directive, and that of its values.
type Places = (Extent, Extent);

/// Parses the directives of a function of which nothing else is read behind its parameters.
pub(super) fn read(
    tokens: &[Token<'_, Extent>],
    function: &Function<'_>,
    around: Around<'_>,
    faults: &mut Faults<Extent>,
) -> (Vec<Directive>, Vec<Places>) {
    let kind = function.kind;
    let mut other_at = None;
    let (mut directives, mut places) = (Vec::new(), Vec::new());
    let (mut own, mut blocks_at, mut local) = (Vec::new(), None, None);
    let mut rest = tokens;
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            Token::Sign(';', _) => after,
            Token::Dotted(word, start, end) => {
                let at = Extent::over((*start, *end));
                let end = after.iter().position(|token| matches!(token, Token::Dotted(..)));
                let (values, after) = after.split_at(end.unwrap_or(after.len()));
                let word = &word[1..];
                if let Some(other) = OTHERS.iter().find(|other| other.name == word) {
                    check_other(other, (at, values), function, around, faults);
                    other_at = Some(at);
                    if word == "blocksareclusters" {
                        blocks_at = Some(at);
                    }
                    if let (LOCAL_MAXNREG, [Token::Number(number, at)]) = (word, values) {
                        local = ir::body::integer(number).map(|number| (*at, number));
                    }
                } else if is_ignored(word, values, (rest, &own), (kind, around)) {
                    faults.accepted(at, format_args!("`.{word}` means nothing after a declaration, and ptxas ignores it here; remove it"));
                } else if let Some(directive) = directive_of(word, at, values, faults) {
                    directives.push(directive);
                    let values_at = match (values.first(), values.last()) {
                        (Some(first), Some(last)) => Extent::over((first.start(), last.end())),
                        _ => at,
                    };
                    places.push((at, values_at));
                }
                // ptxas takes the last of two directives of a kernel.
                if kind == FunctionKind::Device && word != "pragma" && own.contains(&word) {
                    faults.at(at, format_args!("`.{word}` is here twice; remove one of them"));
                }
                own.push(word);
                after
            }
            other => {
                faults.at(
                    other.start(),
                    "expected a directive such as `.maxntid`, a body in braces or `;`",
                );
                &[]
            }
        };
    }
    // Of those in the IR, the rules speak themselves.
    if let (Some(at), [], false) = (other_at, &*directives, around.is_defined) {
        for violation in rules::check_other_directives(function) {
            faults.broken(at, &violation);
        }
    }
    let has = |kind| directives.iter().any(|directive: &Directive| directive.kind == kind);
    let limit = directives.iter().find(|directive| directive.kind == DirectiveKind::MaxNReg);
    if let (Some((at, local)), Some(limit)) = (local, limit)
        && local > i128::from(limit.values[0])
    {
        faults.warned(at, format_args!("`.local_maxnreg` is {local} and `.maxnreg` {} here: ptxas ignores the greater one; remove one of them", limit.values[0]));
    }
    let is_sized = has(DirectiveKind::ReqNTid) && has(DirectiveKind::ReqNCtaPerCluster);
    if let (Some(at), false) = (blocks_at, is_sized) {
        faults.at(at, "`.blocksareclusters` needs the sizes of blocks and clusters; add `.reqntid` and `.reqnctapercluster` (PTX ISA 11.7)");
    }
    (directives, places)
}

/// Whether a function can have this directive.
pub(super) fn is_directive_of_function(word: &str) -> bool {
    DirectiveKind::ALL.iter().any(|kind| kind.name() == word)
        || OTHERS.iter().any(|other| other.name == word)
}

/// The directives about registers that a call preserves: every declaration of a function has the same.
const PRESERVES: [&str; 2] = [".abi_preserve", ".abi_preserve_control"];

/// The numbers of registers that the directives of a function preserve.
pub(super) fn preserved(tokens: &[Token<'_, Extent>]) -> [Option<u32>; 2] {
    PRESERVES.map(|name| {
        tokens.windows(2).find_map(|two| match two {
            [Token::Dotted(word, ..), Token::Number(number, _)] if *word == name => {
                u32::try_from(ir::body::integer(number)?).ok()
            }
            _ => None,
        })
    })
}

/// Reports declarations of one function that preserve other registers than the one before. Each is a name, its
/// location and the numbers.
pub(super) fn check_preserved<'a>(
    declared: impl Iterator<Item = (&'a str, Extent, [Option<u32>; 2])>,
    errors: &mut SyntaxErrors,
) {
    let mut known: HashMap<&str, [Option<u32>; 2]> = HashMap::new();
    for (name, at, own) in declared {
        let before = known.insert(name, own).unwrap_or(own);
        if let Some(n) = (0..2).find(|n| before[*n] != own[*n]) {
            errors.at(at, format_args!("this declaration of `{name}` does not have the `{}` of the one before it; declare it the same way each time (PTX ISA 11.4)", PRESERVES[n]));
        }
    }
}

/// Checks a directive that the table of the IR does not have.
fn check_other(
    other: &Other,
    (at, values): (Extent, &[Token<'_, Extent>]),
    function: &Function<'_>,
    Around { is_defined, header }: Around<'_>,
    faults: &mut Faults<Extent>,
) {
    let kind = function.kind;
    let Other { name, of, numbers, since, target: oldest } = other;
    let is_ended = values.last().is_some_and(|last| last.is_sign(';'));
    // No directive of a kernel stands here.
    if kind == FunctionKind::Kernel && !is_defined {
        return;
    }
    if *name == LOCAL_MAXNREG && !is_defined {
        faults.at(at, "`.local_maxnreg` belongs to a definition; remove it");
        return;
    }
    if *name == "pragma" {
        if kind == FunctionKind::Device && is_defined {
            faults.at(at, "ptxas takes no `.pragma` before the body of a device function; write it in the body, with `;` after it");
        }
        if kind == FunctionKind::Kernel && !is_ended {
            faults.at(
                at,
                "a `.pragma` ends with `;`, also before the body of a kernel (PTX ISA 11.4)",
            );
        }
        let strings = if is_ended { &values[..values.len() - 1] } else { values };
        pragma::check(at, strings, faults);
        return;
    }
    let version = header.version.0;
    let target = header.target.map(|(target, _)| target);
    let env = Environment { target, version, ..Environment::UNKNOWN };
    let min_arch = oldest.arch();
    let directive = OtherDirective { name, of: *of, since: *since, min_arch };
    let broken = rules::check_directive(GivenDirective::Other(directive), function, env);
    let is_number =
        |value: &&Token<'_, Extent>| matches!(value, Token::Number(..) | Token::Word("WARP_SZ", _));
    let count = values.iter().filter(is_number).count();
    if let Some(violation) = broken.first() {
        faults.broken(at, violation);
    } else if count != *numbers {
        let form = if *numbers == 0 { "takes no number" } else { "takes one number" };
        faults.at(at, format_args!("`.{name}` {form}"));
    } else if *name == "maxnctapersm" {
        // PTX ISA 11.4.5
        if version.is_none_or(|version| !version.is_below(Version::new(2, 1))) {
            faults.at(at, "`.maxnctapersm` was removed in PTX 2.1; write `.minnctapersm`");
        }
    } else if name.starts_with("abi_preserve") {
        let most = if is_defined { 237 } else { 239 };
        after_preserved((&format!(".{name}"), at), values, most, faults);
    } else if *name == LOCAL_MAXNREG {
        let number = match values {
            [Token::Number(number, _)] => ir::body::integer(number),
            [Token::Word(..)] => Some(32),
            _ => None,
        };
        let at = values.first().map_or(at, Token::start);
        match number {
            Some(1..=255) => {}
            Some(256..0x1_0000_0000) => faults.warned(at, "`.local_maxnreg` is more than the 255 registers of a thread: ptxas ignores it; write 255 or less, or leave it out"),
            _ => faults.at(at, "`.local_maxnreg` takes a number of 32 bits that is not zero"),
        }
    }
}

/// Whether a word is a type that ends the declaration of a device function, which ptxas reads and ignores.
fn is_ignored(
    word: &str,
    values: &[Token<'_, Extent>],
    (rest, before): (&[Token<'_, Extent>], &[&str]),
    (kind, around): (FunctionKind, Around<'_>),
) -> bool {
    kind == FunctionKind::Device
        && !around.is_defined
        && is_type(word)
        && before.iter().all(|word| *word == "noreturn")
        && matches!(values, [] | [Token::Sign(';', _)])
        && matches!(rest, [Token::Dotted(..)] | [Token::Dotted(..), Token::Sign(';', _)])
}

/// Parses `.maxntid 256, 1, 1`.
fn directive_of(
    word: &str,
    at: Extent,
    values: &[Token<'_, Extent>],
    faults: &mut Faults<Extent>,
) -> Option<Directive> {
    let Some(kind) = DirectiveKind::ALL.iter().copied().find(|kind| kind.name() == word) else {
        let known = DirectiveKind::ALL.iter().map(|kind| kind.name());
        let known: Vec<&str> = known.chain(OTHERS.iter().map(|other| other.name)).collect();
        let advice = dotted(word, known.into_iter());
        faults.at(at, format_args!("no directive `.{word}` on a function; {advice}"));
        return None;
    };
    let values = match values.split_last() {
        Some((Token::Sign(';', _), values)) => values,
        _ => values,
    };
    let mut numbers = if kind.arity() == 0 { [0; 3] } else { [1; 3] };
    let mut count = 0;
    for value in values.split(|token| token.is_sign(',')) {
        let number = match value {
            [] if values.is_empty() => break,
            [Token::Number(text, at)] => {
                ir::body::integer(text).and_then(|number| taken_word(number, text, *at, faults))
            }
            [Token::Word("WARP_SZ", _)] => Some(32),
            _ => None,
        };
        match (number, numbers.get_mut(count)) {
            (Some(number), Some(place)) if count < kind.arity() => *place = number,
            _ => {
                let at = value.first().map_or(at, Token::start);
                if let [Token::Number(..), next @ Token::Number(..), ..] = value {
                    faults.at(next.start(), "write `,` before another number");
                    return None;
                }
                let most = match kind.arity() {
                    0 => "takes no number".to_owned(),
                    1 => "takes one number of 32 bits".to_owned(),
                    most => format!("takes up to {most} numbers of 32 bits"),
                };
                faults.at(at, format_args!("`.{word}` {most}"));
                return None;
            }
        }
        count += 1;
    }
    if count == 0 && kind.arity() > 0 {
        faults.at(at, format_args!("expected a number, as in `.{word} 1`"));
        return None;
    }
    Some(Directive { kind, values: numbers })
}
