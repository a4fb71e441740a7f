//! Bodies without the names in them.

use std::collections::HashMap;

use ptx_isa::ScalarType;
use ptx_isa::instruction::InstructionTypes;
use ptx_isa::ir::body::{Instruction, Statement, StatementKind, Token, TokenKind, TokenRange};
use ptx_isa::ir::{Function, Site, Variable};

use super::names::{Entity, Kind, Names};
use super::number;

/// Texts by number: two are the same if their numbers are.
#[derive(Default)]
pub(super) struct Interner(HashMap<String, usize>);

impl Interner {
    pub(super) fn number(&mut self, text: String) -> usize {
        let next = self.0.len();
        *self.0.entry(text).or_insert(next)
    }
}

/// What a name in a statement refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Reference {
    /// An entity of the function.
    Own(usize),
    /// A symbol of the module.
    Symbol(usize),
}

/// A statement that does something: no declaration, no brace, and no label that nothing names.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Its number in the body.
    pub(super) statement: usize,
    pub(super) tokens: TokenRange,
    /// Its text with signs in place of the names, and one spelling for each number.
    pub(super) shape: usize,
    /// Its text as it is.
    pub(super) text: usize,
    /// Its opcode, and how many names it has.
    pub(super) form: usize,
    /// What the names refer to, in order.
    pub(super) names: Vec<Reference>,
}

/// A body.
#[derive(Clone, Debug, Default)]
pub(super) struct Body<'a> {
    pub(super) lines: Vec<Line>,
    pub(super) entities: Vec<Entity<'a>>,
    /// The number of parameters and return values, which are the first entities after the labels of the body.
    pub(super) params: Vec<usize>,
}

impl<'a> Body<'a> {
    /// The body of a function, where these are the symbols of its module.
    pub(super) fn of(
        index: usize,
        function: &Function<'a>,
        symbols: &HashMap<&'a str, usize>,
        texts: &mut Interner,
    ) -> Self {
        let statements: Vec<Statement<'a>> =
            function.body.into_iter().flat_map(|body| body.statements()).collect();
        let mut names = Names::of(index, function, &statements, symbols);
        let params = names.entities.iter().enumerate();
        let params = params.filter(|(_, it)| it.kind == Kind::Param).map(|(n, _)| n).collect();
        let mut declared = function.declared().peekable();
        let mut lines = Vec::new();
        for (n, statement) in statements.iter().enumerate() {
            match statement.kind() {
                StatementKind::Open => names.open(),
                StatementKind::Close => names.close(),
                StatementKind::Declaration => {
                    while let Some((local, ..)) = declared.next_if(|(_, at, _)| *at == n) {
                        let variable: Option<&Variable<'a>> = function.local(local);
                        if let Some(variable) = variable {
                            let site = Site::Local { function: index, local };
                            names.declare_variable(variable, site);
                        }
                    }
                }
                StatementKind::Instruction
                | StatementKind::Directive
                | StatementKind::Label
                | StatementKind::Verbatim => {
                    lines.extend(line(n, statement, &mut names, texts));
                }
            }
        }
        let entities = names.entities;
        let is_used = |line: &Line| {
            let [Reference::Own(entity)] = line.names[..] else { return true };
            let is_label = statements[line.statement].kind() == StatementKind::Label;
            !is_label || entities[entity].is_named
        };
        lines.retain(is_used);
        Self { lines, entities, params }
    }
}

/// The statement with this number; `None` if it has no tokens.
fn line<'a>(
    n: usize,
    statement: &Statement<'a>,
    names: &mut Names<'_, 'a>,
    texts: &mut Interner,
) -> Option<Line> {
    let tokens: Vec<Token<'a>> = statement.tokens().collect();
    let range = TokenRange::over(&tokens)?;
    let is_label = statement.kind() == StatementKind::Label;
    let types = Types::of(statement);
    let mut shape = String::with_capacity(statement.text().len());
    let mut found = Vec::new();
    let mut place = Place::default();
    let mut n_token = 0;
    while let Some(token) = tokens.get(n_token) {
        let next = tokens.get(n_token + 1);
        place.enter(token, &tokens[n_token..], types.first_operand);
        match token.kind {
            TokenKind::Name => match names.find(token.text) {
                Some(entity) => {
                    names.entities[entity].is_named |= !is_label;
                    shape.push(names.entities[entity].kind.sign());
                    found.push(Reference::Own(entity));
                }
                None => match names.symbol(token.text) {
                    Some(symbol) => {
                        shape.push('\u{5}');
                        found.push(Reference::Symbol(symbol));
                    }
                    None => shape.push_str(token.text),
                },
            },
            TokenKind::Number => {
                shape.push_str(&number::canonical(token.text, false, types.of_place(&place)));
            }
            // `[%r1+-4]` is `[%r1-4]`, and `[%r1+0]` is `[%r1]`.
            TokenKind::Sign
                if place.is_address()
                    && token.text == "+"
                    && next.is_some_and(|next| next.is_sign("-")) =>
            {
                n_token += 1;
                continue;
            }
            TokenKind::Sign
                if place.is_address()
                    && token.text == "+"
                    && next.is_some_and(is_zero)
                    && ends(&tokens, n_token + 2) =>
            {
                n_token += 2;
                continue;
            }
            TokenKind::Sign
                if token.text == "-"
                    && starts(&tokens, n_token, types.first_operand)
                    && ends(&tokens, n_token + 2)
                    && next.is_some_and(|next| next.kind == TokenKind::Number) =>
            {
                let digits = next.map_or("", |next| next.text);
                shape.push_str(&number::canonical(digits, true, types.of_place(&place)));
                n_token += 1;
            }
            _ => shape.push_str(token.text),
        }
        shape.push('\0');
        n_token += 1;
    }
    let opcode = types.instruction.as_ref().map_or("", |(instruction, _)| instruction.opcode);
    Some(Line {
        form: texts.number(format!("{opcode} {}", found.len())),
        statement: n,
        tokens: range,
        shape: texts.number(shape),
        text: texts.number(statement.text().to_owned()),
        names: found,
    })
}

fn is_zero(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Number && number::canonical(token.text, false, None) == "0x0"
}

/// Whether an operand or an element of a vector starts with this token.
fn starts(tokens: &[Token<'_>], n: usize, first_operand: usize) -> bool {
    let before = n.checked_sub(1).and_then(|before| tokens.get(before));
    n == first_operand
        || before.is_some_and(|token| matches!(token.kind, TokenKind::Comma | TokenKind::Open))
}

/// Whether an operand or an element of a vector ends before this token.
fn ends(tokens: &[Token<'_>], n: usize) -> bool {
    tokens.get(n).is_none_or(|token| matches!(token.kind, TokenKind::Comma | TokenKind::Close))
}

/// Where a token is among the operands.
#[derive(Default)]
struct Place {
    operand: usize,
    /// The brackets around it.
    open: Vec<char>,
    /// The elements of the vector that the operand is; 0 if it is none.
    elements: usize,
}

impl Place {
    /// Goes on to the first of these tokens.
    fn enter(&mut self, token: &Token<'_>, rest: &[Token<'_>], first_operand: usize) {
        if token.index < first_operand {
            return;
        }
        match token.kind {
            TokenKind::Open => {
                if self.open.is_empty() && token.text == "{" {
                    self.elements = 1 + commas(rest);
                }
                self.open.extend(token.text.chars().next());
            }
            TokenKind::Close => drop(self.open.pop()),
            TokenKind::Comma if self.open.is_empty() => {
                self.operand += 1;
                self.elements = 0;
            }
            _ => {}
        }
    }

    fn is_address(&self) -> bool {
        self.open.contains(&'[')
    }
}

/// The commas in the group at the start of these tokens.
fn commas(tokens: &[Token<'_>]) -> usize {
    let group = tokens.iter().take_while(|token| token.kind != TokenKind::Close);
    group.filter(|token| token.kind == TokenKind::Comma).count()
}

/// The types of an instruction's operands.
struct Types<'a> {
    instruction: Option<(Instruction<'a>, InstructionTypes)>,
    /// The index of the token with which operands start.
    first_operand: usize,
}

impl<'a> Types<'a> {
    fn of(statement: &Statement<'a>) -> Self {
        let instruction = statement.instruction(&[]);
        let first_operand =
            instruction.as_ref().map_or(0, |it| it.opcode_at.first + 1 + it.modifiers.len());
        let instruction = instruction.map(|it| {
            let types = InstructionTypes::of(&it.pairs());
            (it, types)
        });
        Self { instruction, first_operand }
    }

    /// The type of a number there, if it is known.
    fn of_place(&self, place: &Place) -> Option<ScalarType> {
        let (instruction, types) = self.instruction.as_ref()?;
        if !matches!(place.open[..], [] | ['{']) {
            return None;
        }
        let (_, list) = instruction.row?.operand_types(|word| instruction.has(word))?;
        Some(list.get(place.operand)?.wanted(types, place.elements)?.ty)
    }
}
