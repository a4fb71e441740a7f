//! Parses operands and writes them in canonical form.

use ptx_isa::ir::body::{TokenKind, integer};

use super::constant;
use super::other_language::is_named_as_constant;
use super::part::{Rest, group, list, misplaced, names, no_start};
use super::token::{Delimiter, Faults, Language, Name, Token, is_fraction, join, require_label};
use super::writer::BodyWriter;

/// Writes the modifiers at the start of `tokens`, `.modifier` or `::modifier`. Returns whether the last of them is
/// `const`, and the tokens that follow.
pub(super) fn modifiers<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
) -> (bool, &'s [Token<'t, P>]) {
    let (mut is_const, mut rest) = (false, tokens);
    while let Some((first, after)) = rest.split_first() {
        match first {
            Token::Dotted(text, start, end) => {
                writer.put(TokenKind::Modifier, text, (*start, *end));
                is_const = *text == ".const";
            }
            Token::Colons(text, start, end) => {
                writer.put(TokenKind::Submodifier, text, (*start, *end));
                is_const = *text == "::const";
            }
            _ => break,
        }
        rest = after;
    }
    (is_const, rest)
}

/// The operands that an instruction may have besides registers, constants, `[addresses]` and `{vectors}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takes {
    /// No others.
    Plain,
    /// Elements of arrays: `ROW[3]` (PTX ISA 6.4.2).
    Elements,
    /// Lists of arguments: `(a, b)`.
    Arguments,
    /// Negated registers: `-a` (`vmad`, PTX ISA 9.7.19.3).
    Negated,
}

/// Parses and writes the operands of an instruction.
pub(super) fn operands<P: Copy>(
    tokens: &[Token<'_, P>],
    takes: Takes,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    if takes == Takes::Arguments {
        require_parentheses(tokens, faults)?;
    }
    let mut is_first = true;
    let between = "write `,` between operands, or `;` after the statement";
    list(tokens, between, writer, faults, |tokens, writer, faults| {
        let rest = operand(tokens, takes, writer, faults)?;
        let is_first = core::mem::take(&mut is_first);
        match rest {
            // `%p|%q`, `{a, b}|%p`
            [Token::Sign('|', at), after @ ..]
                if is_first && !matches!(tokens[0], Token::Sign('-' | '!', _)) =>
            {
                writer.sign('|', *at);
                let Some((name, rest)) = join(after) else {
                    faults.at(*at, "expected a predicate register after `|`, as in `%p1|%p2`");
                    return None;
                };
                writer.name(&name);
                Some(rest)
            }
            rest => Some(rest),
        }
    })
}

/// Reports arguments of a call that are not in parentheses: `call f, %rd1`.
fn require_parentheses<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) -> Option<()> {
    let rest = match tokens {
        [Token::Group(Delimiter::Parenthesis, ..), comma, rest @ ..] if comma.is_sign(',') => rest,
        rest => rest,
    };
    let Some((function, [comma, arguments @ ..])) = join(rest) else { return Some(()) };
    // A register that holds a function address may be followed by the list of functions that it can refer to.
    let is_register = |text: &str| text.starts_with('%');
    if !comma.is_sign(',') || is_register(&function.text) {
        return Some(());
    }
    let (mut listed, mut left) = (Vec::new(), arguments);
    // The operands are parsed after this, which reports one that is missing.
    let Some(first) = left.first() else { return Some(()) };
    let (text, end, after) = match (join(left), first) {
        (Some((name, after)), _) if is_register(&name.text) => {
            (name.text.into_owned(), name.at.1, after)
        }
        (None, Token::Number(number, at)) => ((*number).to_owned(), *at, &left[1..]),
        _ => return Some(()),
    };
    listed.push(text);
    let mut last = end;
    left = after;
    while let [comma, after @ ..] = left
        && comma.is_sign(',')
    {
        let (text, end, after) = match (join(after), after.first()) {
            (Some((name, behind)), _) => (name.text.into_owned(), name.at.1, behind),
            (None, Some(Token::Number(number, at))) => ((*number).to_owned(), *at, &after[1..]),
            _ => break,
        };
        listed.push(text);
        (last, left) = (end, after);
    }
    faults.over(
        (first.start(), last),
        format_args!(
            "the arguments of a call go in parentheses; write `call {}, ({});`",
            function.text,
            listed.join(", ")
        ),
    );
    None
}

/// Parses one operand.
fn operand<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    takes: Takes,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    match tokens {
        [Token::Group(Delimiter::Bracket, inner, open, close), after @ ..] => {
            group(("[", "]"), (*open, *close), writer, |writer| {
                address(inner, *open, writer, faults)
            })?;
            // `[a].unified`
            Some(modifiers(after, writer).1)
        }
        [Token::Group(Delimiter::Brace, inner, open, close), after @ ..] => {
            group(("{", "}"), (*open, *close), writer, |writer| {
                vector(inner, *open, writer, faults)
            })?;
            Some(modifiers(after, writer).1)
        }
        [Token::Group(Delimiter::Parenthesis, inner, open, close), after @ ..]
            if takes == Takes::Arguments =>
        {
            group(("(", ")"), (*open, *close), writer, |writer| arguments(inner, writer, faults))?;
            Some(after)
        }
        [Token::Sign(sign @ ('-' | '!'), at), after @ ..]
            if names(after, faults) && !matches!(after[0], Token::Word("_", _)) =>
        {
            let (name, rest) = join(after)?;
            if *sign == '-' && takes != Takes::Negated && is_negated(&name, faults) {
                faults.at(*at, "only `vmad` negates an operand; negate it with `neg` first");
                return None;
            }
            writer.sign(*sign, *at);
            Some(component(&name, rest, writer))
        }
        _ if names(tokens, faults) => {
            let (name, after) = join(tokens)?;
            if let [Token::Group(Delimiter::Bracket, inner, open, close), behind @ ..] = after
                && takes == Takes::Elements
            {
                writer.name(&name);
                group(("[", "]"), (*open, *close), writer, |writer| {
                    index(inner, *open, writer, faults)
                })?;
                return Some(modifiers(behind, writer).1);
            }
            let rest = component(&name, after, writer);
            match rest {
                [Token::Sign('+', at), ..] if rest.len() == after.len() => {
                    addend(rest, *at, writer, faults)
                }
                rest => Some(rest),
            }
        }
        _ => constant::read(tokens, (None, "an operand"), writer, faults),
    }
}

/// Whether `-` before a name negates it: in Rust, an upper-case name is taken for a constant, and reported as one.
fn is_negated<P>(name: &Name<'_, P>, faults: &Faults<P>) -> bool {
    faults.language() == Language::Ptx || !is_named_as_constant(&name.text)
}

/// Parses `+4` after a name.
pub(super) fn addend<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    plus: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    let [_, after @ ..] = tokens else { return Some(tokens) };
    require_constant(after, faults)?;
    writer.sign('+', plus);
    constant::read_integer(after, (Some(plus), "a constant"), writer, faults)
}

/// Requires that no name is added to an address.
fn require_constant<P: Copy>(tokens: &[Token<'_, P>], faults: &mut Faults<P>) -> Option<()> {
    if !names(tokens, faults) {
        return Some(());
    }
    let (name, _) = join(tokens)?;
    let of_rust = if faults.language() == Language::Rust && is_named_as_constant(&name.text) {
        format!("write `#({})` if that is a constant of Rust, or ", name.text)
    } else {
        String::new()
    };
    faults.over(
        name.at,
        format_args!("an address is a name or a register plus a constant; {of_rust}compute the sum with `{}` in a register first", name.text),
    );
    None
}

/// Parses a name with an offset, or a constant.
fn place<'s, 't, P: Copy>(
    tokens: &'s [Token<'t, P>],
    open: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Rest<'s, 't, P> {
    if !names(tokens, faults) {
        return constant::read(tokens, (Some(open), "an address"), writer, faults);
    }
    let (name, rest) = join(tokens)?;
    if name.text == "_" {
        faults.at(name.at.0, "`_` is not an address: it discards a result");
        return None;
    }
    // In Rust, a rule gives a better message about an element in an address.
    let rest = match faults.language() {
        Language::Rust => component(&name, rest, writer),
        Language::Ptx => {
            writer.name(&name);
            rest
        }
    };
    match rest {
        [Token::Sign('+', at), ..] => addend(rest, *at, writer, faults),
        // The IR's addresses have one operator: `ROW - 4` is written as `ROW+-4`.
        [Token::Sign('-', at), after @ ..] => {
            if faults.language() == Language::Ptx {
                faults.at(*at, "PTX has no `-` in an address; write `+-`, as in `[%rd1+-4]`");
                return None;
            }
            require_constant(after, faults)?;
            writer.sign('+', *at);
            // The position of the number is that of the 4.
            writer.sign('-', after.first().map_or(*at, Token::start));
            constant::read_integer(after, (Some(*at), "a constant"), writer, faults)
        }
        rest => Some(rest),
    }
}

/// Parses the contents of an address's brackets: `%rd1+16`, `map, {x, y}`.
fn address<P: Copy>(
    tokens: &[Token<'_, P>],
    open: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let mut is_first = true;
    let between = "write `,` or an operator between operands";
    list(tokens, between, writer, faults, |tokens, writer, faults| {
        if core::mem::take(&mut is_first) {
            return place(tokens, open, writer, faults);
        }
        match tokens {
            [Token::Group(Delimiter::Brace, inner, open, close), after @ ..] => {
                group(("{", "}"), (*open, *close), writer, |writer| {
                    vector(inner, *open, writer, faults)
                })?;
                Some(after)
            }
            _ => {
                let Some((name, rest)) = join(tokens) else {
                    no_start(tokens, (Some(open), "a register or a vector of coordinates"), faults);
                    return None;
                };
                writer.name(&name);
                Some(rest)
            }
        }
    })
}

/// Parses the contents of an element's brackets: one place.
fn index<P: Copy>(
    tokens: &[Token<'_, P>],
    open: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    match place(tokens, open, writer, faults)? {
        [] => Some(()),
        [other, ..] => {
            misplaced(other, "an element has one index", faults);
            None
        }
    }
}

/// Parses the parts of a vector: names and constants.
fn vector<P: Copy>(
    tokens: &[Token<'_, P>],
    open: P,
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let between = "write `,` or an operator between operands";
    list(tokens, between, writer, faults, |tokens, writer, faults| {
        if names(tokens, faults) {
            let (name, rest) = join(tokens)?;
            return Some(component(&name, rest, writer));
        }
        constant::read(tokens, (Some(open), "a register or a constant"), writer, faults)
    })
}

/// Parses the arguments of a call: names and constants, or none.
fn arguments<P: Copy>(
    tokens: &[Token<'_, P>],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    if tokens.is_empty() {
        return Some(());
    }
    let between = "write `,` or an operator between operands";
    list(tokens, between, writer, faults, |tokens, writer, faults| {
        if names(tokens, faults) {
            let (name, rest) = join(tokens)?;
            writer.name(&name);
            return Some(rest);
        }
        constant::read(tokens, (None, "an argument"), writer, faults)
    })
}

/// Parses and writes the names or strings of a directive.
pub(super) fn listed_by_directive<P: Copy>(
    tokens: &[Token<'_, P>],
    (directive, at): (&str, P),
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<()> {
    let are_strings = directive == ".pragma";
    let wanted = if are_strings { "a string" } else { "a name" };
    list(tokens, "write `,` between them", writer, faults, |tokens, writer, faults| match tokens {
        [Token::Text(text, at), after @ ..] if are_strings => {
            let is_plain = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_control());
            // ptxas accepts a string over several lines.
            let is_plain = is_plain || faults.language() == Language::Ptx;
            if !is_plain || !text.starts_with('"') {
                faults.at(*at, "expected a plain ASCII string in double quotes");
                return None;
            }
            writer.put(TokenKind::Text, text, (*at, *at));
            Some(after)
        }
        _ => match join(tokens) {
            Some((name, after)) if !are_strings => {
                require_label(&name, faults)?;
                family(&name, after, writer, faults)
            }
            Some(_) | None => {
                no_start(tokens, (Some(at), wanted), faults);
                None
            }
        },
    })
}

/// Writes a name, or the names of a family such as `L<2>`, which are `L0` and `L1` (PTX ISA 5.4.6).
fn family<'s, 't, P: Copy>(
    name: &Name<'_, P>,
    after: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
    faults: &mut Faults<P>,
) -> Option<&'s [Token<'t, P>]> {
    let [Token::Sign('<', _), Token::Number(number, at), Token::Sign('>', _), after @ ..] = after
    else {
        writer.name(name);
        return Some(after);
    };
    let Some(count) = integer(number).filter(|count| (0..=MOST_LISTED).contains(count)) else {
        faults.at(*at, format_args!("a list names a family of at most {MOST_LISTED} labels"));
        return None;
    };
    if count == 0 {
        writer.name(name);
    }
    for member in 0..count {
        if member > 0 {
            writer.comma(*at);
        }
        writer.name(&Name { text: format!("{}{member}", name.text).into(), ..*name });
    }
    Some(after)
}

/// The maximum number of labels that one family in a list stands for.
const MOST_LISTED: i128 = 1 << 12;

/// Writes a name and its components: `%tid.x`, `V.x`.
fn component<'s, 't, P: Copy>(
    name: &Name<'_, P>,
    after: &'s [Token<'t, P>],
    writer: &mut BodyWriter<P>,
) -> &'s [Token<'t, P>] {
    writer.name(name);
    let is_component =
        |token: &Token<'t, P>| matches!(token, Token::Dotted(text, ..) if !is_fraction(text));
    let end = after.iter().position(|token| !is_component(token)).unwrap_or(after.len());
    let (components, rest) = after.split_at(end);
    if let (Some(first), Some(last)) = (components.first(), components.last()) {
        let at = (first.start(), last.end());
        match (components, first) {
            ([_], Token::Dotted(text, ..)) => writer.put(TokenKind::Element, text, at),
            _ => {
                let texts = components.iter().filter_map(|component| match component {
                    Token::Dotted(text, ..) => Some(*text),
                    _ => None,
                });
                writer.put(TokenKind::Element, &texts.collect::<String>(), at);
            }
        }
    }
    rest
}
