//! Declarations whose parts are in an order that is not PTX's, but that ptxas accepts.

use ptx_isa::{ScalarType, Space};

use super::token::{Delimiter, Faults, Token};

/// The order of the parts of a declaration.
pub(crate) enum Order<'t, P> {
    /// The parts are in PTX's order.
    Written,
    /// The parts were in another order; these are the tokens in PTX's order.
    Other(Vec<Token<'t, P>>),
    /// There is only a type, which declares nothing.
    Nothing,
}

/// The tokens of a declaration from its state space on: ptxas accepts alignments and attributes before
/// the space, and a type alone.
pub(crate) fn space_first<'t, P: Copy>(
    tokens: &[Token<'t, P>],
    faults: &mut Faults<P>,
) -> Order<'t, P> {
    if let [Token::Dotted(ty, _, at)] = tokens
        && ScalarType::from_name(&ty[1..]).is_some()
    {
        faults.accepted(*at, "this declares nothing; write a state space before the type and a name after it, as in `.reg .b32 %r<4>`");
        return Order::Nothing;
    }
    let (mut rest, mut before) = (tokens, 0);
    let mut what = "an alignment goes after the state space, as in `.global .align 8 .b8 x`";
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
            what = "an attribute goes after the state space, as in `.global .attribute(.managed) .b32 x`";
        }
        (rest, before) = (after, before + 2);
    }
    match rest {
        [space @ Token::Dotted(word, ..), after @ ..]
            if before > 0 && Space::from_name(&word[1..]).is_some() =>
        {
            faults.accepted(tokens[0].start(), what);
            let all = [space].into_iter().chain(&tokens[..before]).chain(after);
            Order::Other(all.copied().collect())
        }
        _ => Order::Written,
    }
}
