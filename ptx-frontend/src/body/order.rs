//! Declarations whose parts stand in another order than PTX's, which ptxas takes.

use ptx_types::{ScalarType, Space};

use super::token::{Delimiter, Faults, Token};

/// In which order the parts of a declaration stand.
pub(crate) enum Order<'t, P> {
    /// As PTX has them.
    Written,
    /// Otherwise: as PTX has them.
    Other(Vec<Token<'t, P>>),
    /// It has a type alone, and declares nothing.
    Nothing,
}

/// The tokens of a declaration from its state space on: ptxas takes alignments and attributes before
/// it, and a type alone.
pub(crate) fn space_first<'t, P: Copy>(
    tokens: &[Token<'t, P>],
    faults: &mut Faults<P>,
) -> Order<'t, P> {
    if let [Token::Dotted(ty, _, at)] = tokens
        && ScalarType::from_name(&ty[1..]).is_some()
    {
        faults.taken(*at, "this declares nothing; write a state space before the type and a name behind it, as in `.reg .b32 %r<4>`");
        return Order::Nothing;
    }
    let (mut rest, mut before) = (tokens, 0);
    let mut what = "an alignment goes behind the state space, as in `.global .align 8 .b8 x`";
    while let [
        Token::Dotted(".align", ..),
        Token::Number(..) | Token::Word("WARP_SZ", _),
        after @ ..,
    ]
    | [
        Token::Dotted(".attribute", ..),
        Token::Group(Delimiter::Parenthesis, ..),
        after @ ..,
    ] = rest
    {
        if matches!(rest[0], Token::Dotted(".attribute", ..)) {
            what = "an attribute goes behind the state space, as in `.global .attribute(.managed) .b32 x`";
        }
        (rest, before) = (after, before + 2);
    }
    match rest {
        [space @ Token::Dotted(word, ..), after @ ..]
            if before > 0 && Space::from_name(&word[1..]).is_some() =>
        {
            faults.taken(tokens[0].start(), what);
            let all = [space].into_iter().chain(&tokens[..before]).chain(after);
            Order::Other(all.copied().collect())
        }
        _ => Order::Written,
    }
}
