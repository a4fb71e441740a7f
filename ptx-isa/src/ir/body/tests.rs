//! Bodies token by token, written as text and read by a small lexer.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::*;

/// The tokens of a text with the spaces before them; `#` stands for a Rust constant, and the first word
/// outside a guard is the opcode.
pub(super) fn lex(text: &str) -> Vec<(u8, TokenKind, &str)> {
    let mut tokens: Vec<(u8, TokenKind, &str)> = Vec::new();
    let (mut rest, mut has_opcode) = (text, false);
    while !rest.is_empty() {
        let trimmed = rest.trim_start_matches(' ');
        if trimmed.is_empty() {
            break;
        }
        let spaces = u8::try_from(rest.len() - trimmed.len()).expect("a few");
        let is_part = |c: char| c.is_ascii_alphanumeric() || "_$%".contains(c);
        let word = |from: usize| {
            from + trimmed[from..].find(|c| !is_part(c)).unwrap_or(trimmed.len() - from)
        };
        let first = trimmed.chars().next().expect("a token");
        let last = tokens.last().map(|(_, kind, _)| *kind);
        let (kind, length) = match first {
            '#' => (TokenKind::Constant, 1),
            ',' => (TokenKind::Comma, 1),
            '(' | '[' | '{' => (TokenKind::Open, 1),
            ')' | ']' | '}' => (TokenKind::Close, 1),
            '.' if last == Some(TokenKind::Name) => (TokenKind::Element, word(1)),
            '.' => (TokenKind::Modifier, word(1)),
            ':' if trimmed.starts_with("::") => (TokenKind::Submodifier, word(2)),
            '0'..='9' => {
                let end = trimmed.find(|c| !is_part(c) && c != '.').unwrap_or(trimmed.len());
                (TokenKind::Number, end)
            }
            first if is_part(first) && !trimmed.starts_with("% ") => {
                let is_guard = matches!(tokens.last(), Some((_, _, "@" | "!")));
                let kind = if has_opcode || is_guard { TokenKind::Name } else { TokenKind::Word };
                has_opcode |= !is_guard;
                (kind, word(0))
            }
            _ => (TokenKind::Sign, 1),
        };
        tokens.push((spaces, kind, &trimmed[..length]));
        rest = &trimmed[length..];
    }
    tokens
}

pub(super) fn encode(encoder: &mut Encoder, text: &str) {
    for (spaces, kind, text) in lex(text) {
        encoder.space(spaces);
        encoder.token(kind, text);
    }
}

pub(super) fn written(kind: StatementKind, text: &str) -> (String, Vec<u8>) {
    let mut encoder = Encoder::default();
    encode(&mut encoder, text);
    encoder.end(kind, []);
    encoder.finish()
}

/// An operand in words, short enough for a table.
fn words(operand: &Operand<'_>) -> String {
    let each = |inner: &[Operand<'_>]| inner.iter().map(words).collect::<Vec<_>>().join("; ");
    let name = |name: &Name<'_>| match name.element {
        "" => name.text.to_string(),
        element => format!("{} of {}", element, name.text),
    };
    let amount = |amount: &Amount| match amount {
        Amount::Known(value) => value.to_string(),
        Amount::Constant(number) => format!("constant {number}"),
        Amount::Unknown => "unknown".to_string(),
    };
    let text = match &operand.kind {
        OperandKind::Name(of) => name(of),
        OperandKind::Offset(of, by, at) => {
            let at = at.map_or("nowhere".to_string(), |at| format!("{}-{}", at.first, at.last));
            format!("{} plus {} at {at}", name(of), amount(by))
        }
        OperandKind::Element(of, index) => format!("{} at index {}", name(of), words(index)),
        OperandKind::Immediate(Immediate::Integer(value)) => format!("integer {value}"),
        OperandKind::Immediate(Immediate::Float(bytes)) => format!("float of {bytes}"),
        OperandKind::Immediate(Immediate::Constant(number, by)) => {
            format!("constant {number} = {}", amount(by))
        }
        OperandKind::Immediate(Immediate::Expression(by)) => format!("expression {}", amount(by)),
        OperandKind::Not(inner) => format!("not {}", words(inner)),
        OperandKind::Pair(one, other) => format!("{} and {}", name(one), name(other)),
        OperandKind::Address(inner) => format!("[{}]", each(inner)),
        OperandKind::Vector(inner) => format!("{{{}}}", each(inner)),
        OperandKind::Arguments(inner) => format!("({})", each(inner)),
        OperandKind::Other(names) => {
            format!("other {}", names.iter().map(name).collect::<Vec<_>>().join(" "))
        }
    };
    let modifiers = operand.modifiers.iter().map(|one| format!("{}{}", one.pair().0, one.word));
    text + &modifiers.collect::<String>()
}

/// The operands of a `mov` with this text, where constant 0 is 8 and constant 1 is unknown.
fn operands(text: &str) -> Vec<String> {
    let text = format!("mov.u32 {text}");
    let (text, table) = written(StatementKind::Instruction, &text);
    let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
    let instruction = statement.instruction(&[Some(8), None]).expect("an instruction");
    instruction.operands.iter().map(words).collect()
}

#[test]
fn operands_are_separated_by_commas() {
    for (text, expected) in [
        ("%r1, %r2", &["%r1", "%r2"][..]),
        ("%r1, , %r2", &["%r1", "other ", "%r2"]),
        ("%r1,", &["%r1", "other "]),
        (",", &["other ", "other "]),
        ("", &[]),
        ("{%a, %b}, [%c, {%d, %e}]", &["{%a; %b}", "[%c; {%d; %e}]"]),
        ("((%a, %b), %c), %d", &["((%a; %b); %c)", "%d"]),
        ("%a), %b", &["other %a", "%b"]),
        ("{}, ()", &["{}", "()"]),
    ] {
        assert_eq!(operands(text), expected, "{text}");
    }
}

#[test]
fn each_operand_has_its_kind() {
    for (text, expected) in [
        ("%r1", "%r1"),
        ("%tid.x", "x of %tid"),
        ("_", "_"),
        // Offsets.
        ("ROW+32", "ROW plus 32 at 4-4"),
        ("ROW-8", "ROW plus -8 at 4-4"),
        ("%tid.x+4", "x of %tid plus 4 at 5-5"),
        ("ROW+#", "ROW plus 8 at 4-4"),
        ("ROW+2*4", "ROW plus 8 at 4-6"),
        ("ROW+", "ROW plus unknown at nowhere"),
        ("ROW+%r1", "ROW plus unknown at 4-4"),
        ("ROW*4", "other ROW"),
        ("%a %b", "other %a %b"),
        // Elements.
        ("ROW[3]", "ROW at index integer 3"),
        ("ROW[%r1+4]", "ROW at index %r1 plus 4 at 6-6"),
        ("ROW[3].unified", "ROW at index integer 3.unified"),
        ("ROW(3)", "other ROW"),
        ("ROW{3}", "other ROW"),
        // Predicates.
        ("!%p1", "not %p1"),
        ("!", "not other "),
        ("%p1|%p2", "%p1 and %p2"),
        ("%r.x|%p.y", "x of %r and y of %p"),
        ("%p1|%p2+1", "other %p1 %p2"),
        ("%p1|4", "other %p1"),
        ("%p1^%p2", "other %p1 %p2"),
        ("{%a, %b}|%p", "other %a %b %p"),
        // Addresses, vectors and arguments.
        ("[%rd1]", "[%rd1]"),
        ("[%rd1+8].unified", "[%rd1 plus 8 at 5-5].unified"),
        ("[X]::cta.v", "[X]::cta.v"),
        ("{%a}", "{%a}"),
        ("(%a)", "(%a)"),
        ("[%a", "[%a]"),
        ("{%a", "{%a}"),
        ("(%a).x", "(%a).x"),
        ("(%a)+%b", "other %a %b"),
        ("(2+3)", "(expression 5)"),
        ("(2+3)*4", "expression 20"),
        // Numbers.
        ("7", "integer 7"),
        ("-7", "integer -7"),
        ("+7", "expression 7"),
        ("2*7", "expression 14"),
        ("0x1e", "integer 30"),
        ("1.5", "float of 8"),
        ("-1.5", "float of 8"),
        ("1e5", "float of 8"),
        ("1E5", "float of 8"),
        ("0f3f800000", "float of 4"),
        ("0F3F800000", "float of 4"),
        ("0d3ff0000000000000", "float of 8"),
        ("0D3FF0000000000000", "float of 8"),
        ("1.0+1.0", "float of 8"),
        ("-(1.0)", "float of 8"),
        ("1.0<2.0", "expression 1"),
        ("1.0*2", "other "),
        ("0xee", "integer 238"),
        ("0XEEU", "integer 238"),
        ("#", "constant 0 = 8"),
        ("-#", "constant 0 = -8"),
        ("#+1", "expression 9"),
        ("99999999999999999999", "integer 99999999999999999999"),
        // The names outside brackets.
        ("%a * [%b + [%c] + %d] * %e", "other %a %e"),
        ("%a * (%b + [%c]) * %d.x", "other %a %b x of %d"),
        ("%a * [{%b} %c] %d", "other %a %d"),
        ("%a] %b", "other %a %b"),
        ("%a * {%b} * [%c]] * %d", "other %a %b %d"),
    ] {
        assert_eq!(operands(text), [expected], "{text}");
    }
    assert_eq!(
        operands("#, #, ROW+#, #+1"),
        ["constant 0 = 8", "constant 1 = constant 1", "ROW plus constant 2 at 8-8", "other "]
    );
    assert_eq!(operands("#, -#"), ["constant 0 = 8", "constant 1 = unknown"]);
}

#[test]
fn brackets_are_read_up_to_a_depth() {
    for (open, close, as_read) in [("(", ")", "("), ("{", "}", "{"), ("[", "]", "[")] {
        for depth in [30, 31, 32, 33] {
            let text = format!("{}%a{}", open.repeat(depth), close.repeat(depth));
            let found = &operands(&text)[0];
            let is_whole = found.starts_with(&as_read.repeat(depth)) && !found.contains("other");
            assert_eq!(is_whole, depth < 32, "{depth}: {found}");
        }
    }
    // A nested operand counts as one level too.
    let (fits, not) = ("!".repeat(31) + "%a", "!".repeat(32) + "%a");
    assert!(operands(&fits)[0].ends_with("not %a"));
    assert!(operands(&not)[0].ends_with("not other %a"));
}

/// The value of the tokens of an operand.
fn computed(text: &str) -> Option<i128> {
    let text = format!("mov X+({text})");
    let (text, table) = written(StatementKind::Instruction, &text);
    let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
    let instruction = statement.instruction(&[]).expect("an instruction");
    match instruction.operands[0].kind {
        OperandKind::Offset(_, amount, _) => amount.known(),
        _ => panic!("{text}"),
    }
}

#[test]
fn integers_are_computed() {
    for (text, expected) in [
        ("1", Some(1)),
        ("2+3*4", Some(14)),
        ("2*3+4", Some(10)),
        ("2-3-4", Some(-5)),
        ("(2-3)*(4+5)", Some(-9)),
        ("2*(3+(4-1))", Some(12)),
        ("-3", Some(-3)),
        ("--3", Some(3)),
        ("---3", Some(-3)),
        ("-+-3", Some(3)),
        ("2--3", Some(5)),
        ("0x10", Some(16)),
        ("0X1f", Some(31)),
        ("0b101", Some(5)),
        ("0B11", Some(3)),
        ("017", Some(15)),
        ("00", Some(0)),
        ("0", Some(0)),
        ("8", Some(8)),
        ("10U", Some(10)),
        ("08", None),
        ("0b2", None),
        ("0xg", None),
        ("", None),
        ("2+", None),
        ("*2", None),
        ("2 3", None),
        ("(2 3)", None),
        ("[2]", None),
        ("{2}", None),
        ("%r", None),
        ("18446744073709551615", Some(-1)),
        ("18446744073709551615+0", Some(-1)),
        ("18446744073709551615+1", Some(0)),
        ("9223372036854775807+1", Some(-0x8000_0000_0000_0000)),
        ("9223372036854775808*2", Some(0)),
        ("-9223372036854775808", Some(-0x8000_0000_0000_0000)),
        ("-9223372036854775808-0", Some(-0x8000_0000_0000_0000)),
        ("-9223372036854775808-1", Some(0x7fff_ffff_ffff_ffff)),
        ("-9223372036854775809", Some(0x7fff_ffff_ffff_ffff)),
        ("2/1", Some(2)),
        ("-7/2", Some(-3)),
        ("-7/2U", Some(0x7fff_ffff_ffff_fffc)),
        ("7/-2U", Some(0)),
        ("7 % 3", Some(1)),
        ("-7 % 3", Some(0)),
        ("7 % -3", Some(7)),
        ("(7 % 3-4)/2", Some(0x7fff_ffff_ffff_fffe)),
        ("1/0", None),
        ("1 % 0", None),
        ("(-9223372036854775807-1)/-1", None),
        ("3<<2", Some(12)),
        ("1<<64", Some(1)),
        ("1<<-1", Some(-0x8000_0000_0000_0000)),
        ("-8>>1", Some(-4)),
        ("-8>>1U", Some(-4)),
        ("-8U>>1", Some(0x7fff_ffff_ffff_fffc)),
        ("1<<2+1", Some(8)),
        ("1|2^3&4", Some(3)),
        ("1|2==2", Some(1)),
        ("~0", Some(-1)),
        ("~1/2", Some(0x7fff_ffff_ffff_ffff)),
        ("!0", Some(1)),
        ("!!5*2", Some(2)),
        ("!1U-1", Some(-1)),
        ("-1<0", Some(1)),
        ("-1<0U", Some(0)),
        ("3>2>1", Some(0)),
        ("1<=1", Some(1)),
        ("1>=2", Some(0)),
        ("1!=2", Some(1)),
        ("2&&0||3", Some(1)),
        ("1?2:3", Some(2)),
        ("0?2:0?3:4", Some(4)),
        ("0?2:1?3:4", Some(3)),
        ("1?2?3:4:5", Some(3)),
        ("1?0?3:4:5", Some(4)),
        ("1?2:1/0", None),
        ("1?2", None),
        ("1:2", None),
        ("(1?-1:1U)/2", Some(0)),
        ("(0?1:1U)-4>>1", Some(0x7fff_ffff_ffff_fffe)),
        ("(.u64)-2>>1", Some(0x7fff_ffff_ffff_ffff)),
        ("(.s64)(.u64)-2>>1", Some(-1)),
        ("(.u32)1", None),
        ("1.5<2.5", Some(1)),
        ("1.5", None),
        ("1.5<2", None),
        ("1.5?2:3", None),
        ("1?2:3.5", None),
        ("WARP_SZ*2", Some(64)),
    ] {
        assert_eq!(computed(text), expected, "{text}");
    }
    for depth in [0, 1, 127, 128] {
        let text = format!("{}7{}", "(".repeat(depth), ")".repeat(depth));
        // The offset is already in one group.
        assert_eq!(computed(&text), (depth < 128).then_some(7), "{depth}");
    }
    assert_eq!(
        (integer("0"), integer("7"), integer("07"), integer("010")),
        (Some(0), Some(7), Some(7), Some(8))
    );
    assert_eq!(Amount::of_size(usize::MAX), Amount::Known(usize::MAX as i128));
}

#[test]
fn instructions_have_guards_opcodes_and_modifiers() {
    let guard = |text: &str| {
        let (text, table) = written(StatementKind::Instruction, text);
        let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
        let instruction = statement.instruction(&[])?;
        let guard = instruction.guard.map(|guard| (guard.name.text.to_string(), guard.is_negated));
        Some((guard, instruction.opcode.to_string(), instruction.operands.len()))
    };
    let found = |name: &str, is_negated| Some((name.to_string(), is_negated));
    assert_eq!(guard("ret"), Some((None, "ret".into(), 0)));
    assert_eq!(guard("@%p ret"), Some((found("%p", false), "ret".into(), 0)));
    assert_eq!(guard("@!%p bra %x"), Some((found("%p", true), "bra".into(), 1)));
    assert_eq!(guard("*!%p bra %x").and_then(|(guard, ..)| guard), None);
    assert_eq!(guard(""), None);
    let (text, table) = written(StatementKind::Instruction, "ld.global::x.u32 %r, [%p]");
    let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
    let instruction = statement.instruction(&[]).expect("an instruction");
    for (word, expected) in
        [("global", true), ("x", true), ("u32", true), ("u64", false), ("r", false)]
    {
        assert_eq!(instruction.has(word), expected, "{word}");
    }
    let names: Vec<_> = statement.names().map(|name| name.text).collect();
    assert_eq!(names, ["%r", "%p"]);
    let name = Name { text: "%tid", element: "x", token: 4 };
    assert_eq!(
        (name.at(), name.whole_at()),
        (TokenRange::one(4), TokenRange { first: 4, last: 5 })
    );
    assert_eq!(Name { element: "", ..name }.whole_at(), TokenRange::one(4));
}

#[test]
fn declarations_declare_names_with_their_initial_values() {
    let declared = |tokens: &[(TokenKind, &str)]| -> Vec<String> {
        let mut encoder = Encoder::default();
        for (kind, text) in tokens {
            encoder.token(*kind, text);
        }
        encoder.end(StatementKind::Declaration, []);
        let (text, table) = encoder.finish();
        let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
        assert!(statement.instruction(&[]).is_none());
        let found = statement.declarators();
        found
            .iter()
            .map(|one| {
                let initial: Vec<_> = one.initial.iter().map(|name| name.text).collect();
                let family = if one.is_family { "<>" } else { "" };
                format!("{}{family}={}", one.name.text, initial.join("+"))
            })
            .collect()
    };
    let name = |text| (TokenKind::Name, text);
    let (comma, equal) = ((TokenKind::Comma, ","), (TokenKind::Sign, "="));
    let (open, close) = ((TokenKind::Open, "{"), (TokenKind::Close, "}"));
    let space = (TokenKind::Modifier, ".global");
    let align = [(TokenKind::Modifier, ".align"), (TokenKind::Number, "8")];
    assert_eq!(declared(&[space, name("a")]), ["a="]);
    assert_eq!(declared(&[space, align[0], align[1], name("a"), comma, name("b")]), ["a=", "b="]);
    let list = [open, name("x"), comma, open, name("y"), close, comma, name("z"), close];
    let mut tokens = vec![space, name("a"), equal];
    tokens.extend(list);
    tokens.extend([comma, name("b"), equal, name("c"), comma, name("d")]);
    assert_eq!(declared(&tokens), ["a=x+y+z", "b=c", "d="]);
    assert_eq!(declared(&[space, name("a"), close, comma, name("b")]), ["a=", "b="]);
    assert_eq!(declared(&[space, name("a"), comma, comma, name("b")]), ["a=", "b="]);
    let less = (TokenKind::Sign, "<");
    let count = [less, (TokenKind::Number, "4"), (TokenKind::Sign, ">")];
    let family = [space, name("a"), count[0], count[1], count[2], comma, name("b")];
    assert_eq!(declared(&family), ["a<>=", "b="]);
    let compared = [space, name("a"), equal, name("x"), less, name("y"), comma, name("b")];
    assert_eq!(declared(&compared), ["a=x+y", "b="]);
    assert_eq!(declared(&[space]), [""; 0]);
    assert_eq!(declared(&[space, name("a"), (TokenKind::Number, "4")]), ["a="]);
}

#[test]
fn tokens_know_the_groups_they_open_and_their_signs() {
    let (text, table) = written(StatementKind::Instruction, "a [+ (");
    let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
    let tokens: Vec<_> = statement.tokens().collect();
    let opens = |with| tokens.iter().map(|token| token.opens(with)).collect::<Vec<_>>();
    assert_eq!(opens("["), [false, true, false, false]);
    assert_eq!(opens("("), [false, false, false, true]);
    assert_eq!(opens("+"), [false; 4]);
    let signs: Vec<_> = tokens.iter().map(|token| token.is_sign("+")).collect();
    assert_eq!(signs, [false, false, true, false]);
}

#[test]
fn numbers_in_tables_round_trip() {
    for number in
        (0..300).chain([0x3fff, 0x4000, 0x4001, u64::MAX >> 1, (u64::MAX >> 1) + 1, u64::MAX])
    {
        let mut table = Vec::new();
        write(number, &mut table);
        let bits = (u64::BITS - number.leading_zeros()).max(1);
        assert_eq!(table.len(), bits.div_ceil(7) as usize, "{number:#x}");
        table.push(99);
        let mut rest = table.as_slice();
        assert_eq!((read(&mut rest), rest), (Some(number), &[99][..]), "{number:#x}");
        assert_eq!(split(&table), (number, &[99][..]), "{number:#x}");
    }
    // A number has at most ten bytes.
    assert_eq!(read(&mut [0x80; 9].as_slice()), None);
    let mut long = [0x80; 11];
    (long[9], long[10]) = (0x81, 0);
    let mut rest = long.as_slice();
    assert_eq!((read(&mut rest), rest.len()), (None, 1));
    assert_eq!(split(&[]), (0, &[][..]));
    for (number, expected) in [
        (0, 0),
        (-1, 1),
        (1, 2),
        (-2, 3),
        (i64::MAX, u64::MAX - 1),
        (i64::MIN, u64::MAX),
        (1 << 62, 1 << 63),
        (-(1 << 62) - 1, (1 << 63) | 1),
    ] {
        assert_eq!((zigzag(number), unzigzag(expected)), (expected, number));
    }
}
