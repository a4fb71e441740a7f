//! What may stand at the cursor, also in a statement that is half written.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionTextEdit,
    Documentation, TextEdit,
};
use ptx_isa::directive::{self, DIRECTIVES};
use ptx_isa::instruction::{
    Control, INSTRUCTIONS, InstructionTypes, OperandType, QUALIFIERS, Row, WordKind, spaces,
};
use ptx_isa::special::SPECIAL_REGISTERS;
use ptx_isa::{ScalarType, Space};
use ptx_text::PieceKind;

use super::document::Document;
use super::instruction::Written;
use super::outline::{Definition, DefinitionKind, FORMS, Statement, StatementKind};
use super::storage;

/// The most members of a family that are listed.
const MOST_MEMBERS: usize = 64;

/// What may stand at an offset.
pub(super) fn complete(document: &Document, offset: usize) -> Vec<CompletionItem> {
    let context = Context::of(document, offset);
    let mut items = Items { document, context: &context, found: Vec::new() };
    match context.place {
        Place::Nowhere => {}
        Place::Start => {
            items.directives(Rank::Fits, |place| {
                matches!(place, directive::Place::Module | directive::Place::Both)
            });
        }
        Place::Signature => {
            items.directives(Rank::Fits, |place| place == directive::Place::Signature);
        }
        Place::Declaration => items.of_declaration(),
        Place::Statement => {
            items.directives(Rank::Other, |place| {
                matches!(place, directive::Place::Body | directive::Place::Both)
            });
            items.opcodes();
            items.forms();
        }
        Place::Modifier => items.modifiers(),
        Place::Guard => items.names(|it| it.kind == DefinitionKind::Register),
        Place::Operand => items.operands(),
    }
    items.found
}

/// What kind of thing stands at the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Nothing: a comment, a string, or a new name.
    Nowhere,
    /// A declaration outside of functions.
    Start,
    /// Between the parameters and the body of a function.
    Signature,
    /// In a declaration.
    Declaration,
    /// A statement of a body.
    Statement,
    /// A modifier of an instruction.
    Modifier,
    /// The guard of an instruction.
    Guard,
    /// An operand of an instruction.
    Operand,
}

struct Context<'d> {
    place: Place,
    offset: usize,
    /// Where the word at the cursor starts.
    start: usize,
    /// The statement that is written.
    statement: Option<&'d Statement>,
    /// The instruction, with the modifiers before the cursor.
    written: Option<Written<'d>>,
    /// The index of the operand.
    operand: usize,
}

impl<'d> Context<'d> {
    fn of(document: &'d Document, offset: usize) -> Self {
        let (text, outline) = (&*document.text, &document.outline);
        let mut context = Self {
            place: Place::Nowhere,
            offset,
            start: offset,
            statement: None,
            written: None,
            operand: 0,
        };
        let is_comment = |(start, end): &(usize, usize)| {
            let is_line = document.slice(*start..start + 2) == "//";
            *start < offset && (offset < *end || is_line && offset == *end)
        };
        if outline.comments.iter().any(is_comment) {
            return context;
        }
        // The tokens before the cursor, of which the last may end at it.
        let before = outline.tokens.partition_point(|token| token.start < offset);
        let touches = before.checked_sub(1).and_then(|n| outline.tokens.get(n));
        let touches = touches.filter(|token| offset <= token.end);
        let is_word = |kind| {
            matches!(
                kind,
                PieceKind::Word | PieceKind::Dotted | PieceKind::Colons | PieceKind::Number
            )
        };
        match touches {
            Some(token) if matches!(token.kind, PieceKind::Text | PieceKind::OpenText) => {
                return context;
            }
            Some(token) if is_word(token.kind) => context.start = token.start,
            // A dot, a percent sign or a colon of a word that is still to come.
            Some(token) if [".", "%", "$", ":"].contains(&token.text(text)) => {
                context.start = token.start;
            }
            _ => {}
        }
        let in_function = outline.function_at(context.start).filter(|(_, function)| {
            let signature = outline.statements.get(function.statements.start);
            let end = signature.map_or(0, |it| outline.range_of(it).end);
            function.has_body
                && end < context.start
                && (offset < function.range.end
                    || document.slice(function.range.clone()).trim_end().ends_with(|c| c != '}'))
        });
        let statement = outline.statement_at(context.start).map(|(_, it)| it).filter(|it| {
            let end = outline.range_of(it).end;
            let rest = document.slice(end.min(context.start)..context.start);
            let is_ended = rest.contains(';')
                || matches!(
                    it.kind,
                    StatementKind::Open | StatementKind::Close | StatementKind::Label
                ) && end <= context.start
                || it.kind == StatementKind::Directive && rest.contains('\n');
            !is_ended
        });
        context.statement = statement;
        let start = match in_function {
            Some(_) => Place::Statement,
            None if outline.rust.is_some() => Place::Nowhere,
            None => Place::Start,
        };
        let Some(statement) = statement else {
            context.place = start;
            return context;
        };
        let range = outline.range_of(statement);
        if range.start == context.start {
            context.place = start;
            return context;
        }
        context.place = match statement.kind {
            StatementKind::Signature => {
                let tokens = outline.tokens_of(statement).iter();
                let depth: isize = tokens
                    .take_while(|it| it.start < context.start)
                    .map(super::outline::Token::depth)
                    .sum();
                if depth > 0 { Place::Declaration } else { Place::Signature }
            }
            StatementKind::Declaration => Place::Declaration,
            StatementKind::Instruction => context.of_instruction(document, statement),
            StatementKind::Directive if in_function.is_some() => Place::Operand,
            _ => Place::Nowhere,
        };
        context
    }

    /// What stands at the cursor in an instruction.
    fn of_instruction(&mut self, document: &'d Document, statement: &Statement) -> Place {
        let (text, outline) = (&*document.text, &document.outline);
        let Some((opcode, end)) = outline.opcode(text, statement) else { return Place::Guard };
        let first = outline.tokens.get(opcode).map_or(0, |token| token.start);
        if self.start < first {
            return Place::Guard;
        }
        if self.start == first {
            return Place::Statement;
        }
        self.written = Written::of(text, outline, statement, self.start);
        let last = end.checked_sub(1).and_then(|n| outline.tokens.get(n));
        let last = last.map_or(first, |token| token.end);
        // A lone dot or colons are punctuation, and no modifier yet.
        let is_mark = matches!(document.slice(self.start..self.offset), "." | ":" | "::");
        if self.start < last || is_mark && self.start == last || last == self.offset {
            return Place::Modifier;
        }
        let operands = outline.tokens.get(end..statement.tokens.end).unwrap_or_default();
        let mut depth = 0_isize;
        for token in operands.iter().take_while(|token| token.end <= self.start) {
            depth += token.depth();
            self.operand += usize::from(depth <= 0 && token.is_sign(text, ","));
        }
        Place::Operand
    }
}

struct Items<'c, 'd> {
    document: &'d Document,
    context: &'c Context<'d>,
    found: Vec<CompletionItem>,
}

/// How likely something is meant, the likeliest first.
#[derive(Clone, Copy)]
enum Rank {
    Fits = 0,
    Other = 1,
    Seldom = 2,
}

impl Items<'_, '_> {
    fn add(
        &mut self,
        word: impl Into<String>,
        kind: CompletionItemKind,
        rank: Rank,
        detail: Option<String>,
        about: Option<&str>,
    ) {
        let word = word.into();
        let range = self.document.span(self.context.start..self.context.offset);
        self.found.push(CompletionItem {
            label: word.clone(),
            kind: Some(kind),
            sort_text: Some(format!("{}{word}", rank as u8)),
            filter_text: Some(word.clone()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: word })),
            label_details: detail.map(|detail| CompletionItemLabelDetails {
                detail: None,
                description: Some(detail),
            }),
            documentation: about.map(|about| Documentation::String(about.to_owned())),
            ..CompletionItem::default()
        });
    }

    fn directives(&mut self, rank: Rank, is_here: impl Fn(directive::Place) -> bool) {
        // Others declare what is outside of a body in Rust, and which line a statement is from.
        let is_rust = self.document.outline.rust.is_some();
        let is_ours = |name: &str| !(is_rust && matches!(name, ".extern" | ".loc"));
        let all = DIRECTIVES.iter().filter(|it| is_here(it.place) && is_ours(it.name));
        for directive in all {
            let kind = CompletionItemKind::KEYWORD;
            self.add(directive.name, kind, rank, None, Some(directive.about));
        }
    }

    /// Spaces, types and what else stands in a declaration before its name.
    fn of_declaration(&mut self) {
        let word = self.document.slice(self.context.start..self.context.offset);
        if self.is_let() {
            return self.types_of_rust();
        }
        if !word.is_empty() && !word.starts_with('.') {
            return;
        }
        self.directives(Rank::Fits, |place| place == directive::Place::Declaration);
        for ty in ScalarType::ALL.iter().filter(|ty| ty.is_fundamental()) {
            let kind = CompletionItemKind::TYPE_PARAMETER;
            self.add(format!(".{}", ty.name()), kind, Rank::Fits, None, None);
        }
        for words in [".v2", ".v4"] {
            self.add(words, CompletionItemKind::TYPE_PARAMETER, Rank::Other, None, None);
        }
        let spaces = Space::ALL.iter().filter(|it| it.is_module_scope() || it.is_body_scope());
        for space in spaces {
            self.add(space.directive(), CompletionItemKind::KEYWORD, Rank::Other, None, None);
        }
    }

    /// Whether registers are declared by `let`.
    fn is_let(&self) -> bool {
        let Document { text, outline, .. } = self.document;
        let first = self.context.statement.and_then(|it| outline.tokens_of(it).first());
        outline.rust.is_some() && first.is_some_and(|token| token.text(text) == "let")
    }

    /// The types of Rust that registers may have, after the colon.
    fn types_of_rust(&mut self) {
        let Document { text, outline, .. } = self.document;
        let tokens = self.context.statement.map_or(&[][..], |it| outline.tokens_of(it));
        let mut before = tokens.iter().take_while(|token| token.end <= self.context.start);
        if !before.any(|token| token.is_sign(text, ":")) {
            return;
        }
        let kind = CompletionItemKind::TYPE_PARAMETER;
        // No register has 8 bits, and a predicate is a `bool`.
        let has_registers = |ty: &&ScalarType| ty.bytes() > 1 && **ty != ScalarType::Pred;
        let scalars = ScalarType::ALL.iter().filter(has_registers);
        let names = scalars.filter_map(|ty| ty.rust_name());
        for name in names.filter(|name| storage::scalar(name).is_some()).chain(["bool", "Ptr"]) {
            let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase());
            let rank = if is_plain || name == "Ptr" { Rank::Fits } else { Rank::Other };
            self.add(name, kind, rank, None, None);
        }
    }

    /// What only bodies in Rust have: forms, and the fragments that the file declares.
    fn forms(&mut self) {
        if self.document.outline.rust.is_none() {
            return;
        }
        for form in FORMS {
            let kind = CompletionItemKind::KEYWORD;
            self.add(form.word, kind, Rank::Fits, None, Some(form.about));
        }
        self.names(|it| it.kind == DefinitionKind::Fragment);
    }

    fn opcodes(&mut self) {
        for word in WordKind::Opcode.words() {
            let row = Row::find(word, &[]);
            let written = Written { opcode: word, modifiers: Vec::new(), row };
            let does = written.does();
            let about = Some(does.as_str()).filter(|does| !does.is_empty());
            self.add(*word, CompletionItemKind::FUNCTION, Rank::Fits, None, about);
        }
    }

    /// The modifiers that may follow those that are written: first those that the table has for the instruction.
    fn modifiers(&mut self) {
        let Some(written) = &self.context.written else { return };
        let known = following(written);
        for word in &known {
            let kind = CompletionItemKind::ENUM_MEMBER;
            self.add(word.clone(), kind, Rank::Fits, None, None);
        }
        let typed = self.document.slice(self.context.start..self.context.offset);
        let kind = if typed.starts_with(':') { WordKind::Submodifier } else { WordKind::Modifier };
        // What no table has for this instruction may still follow, but is not offered unless it is begun.
        if typed.trim_start_matches(['.', ':']).is_empty() && !known.is_empty() {
            return;
        }
        for word in kind.words() {
            let word = format!("{}{word}", kind.separator());
            if !known.contains(&word) {
                self.add(word, CompletionItemKind::ENUM_MEMBER, Rank::Seldom, None, None);
            }
        }
    }

    /// The registers, storage, parameters, labels and functions that may be an operand.
    fn operands(&mut self) {
        let control = self.control();
        let directive = self.context.statement.map_or("", |statement| {
            let tokens = self.document.outline.tokens_of(statement);
            tokens.first().map_or("", |token| token.text(&self.document.text))
        });
        let jumps = matches!(control, Some(Control::Jump | Control::JumpAnywhere));
        if jumps || directive == ".branchtargets" {
            self.names(|it| it.kind == DefinitionKind::Label);
            return;
        }
        if directive == ".calltargets" {
            self.names(|it| it.kind == DefinitionKind::Device);
            return;
        }
        let is_call = control == Some(Control::Call);
        self.names(|it| match it.kind {
            DefinitionKind::Device | DefinitionKind::Fragment => is_call,
            DefinitionKind::Kernel | DefinitionKind::Label => false,
            DefinitionKind::Param
            | DefinitionKind::Variable(_)
            | DefinitionKind::Register
            | DefinitionKind::Counter => true,
        });
        for register in SPECIAL_REGISTERS {
            let first = register.family.map(|(first, _, suffix)| format!("{first}{suffix}"));
            let name = format!("{}{}", register.name, first.unwrap_or_default());
            let names = if register.is_vector {
                [".x", ".y", ".z"].map(|element| format!("{name}{element}")).to_vec()
            } else {
                vec![name]
            };
            for name in names {
                let ty = Some(format!(".{}", register.ty.name()));
                self.add(name, CompletionItemKind::CONSTANT, Rank::Seldom, ty, None);
            }
        }
    }

    /// The declared names of these kinds that are in scope.
    fn names(&mut self, is_wanted: impl Fn(&Definition) -> bool) {
        let outline = &self.document.outline;
        let scope = outline.scope_at(self.context.start);
        let wanted = self.wanted();
        let mut seen = std::collections::HashSet::new();
        for definition in outline.visible(scope) {
            let name = self.document.slice(definition.at.clone());
            if !is_wanted(definition) || name.is_empty() || !seen.insert(name) {
                continue;
            }
            let detail = match definition.kind {
                DefinitionKind::Kernel
                | DefinitionKind::Device
                | DefinitionKind::Fragment
                | DefinitionKind::Counter
                | DefinitionKind::Label => None,
                _ => Some(storage::ty(self.document, definition)),
            };
            let fits = wanted.is_none_or(|wanted| wanted.is_of(detail.as_deref(), definition));
            let rank = if fits { Rank::Fits } else { Rank::Other };
            let kind = match definition.kind {
                DefinitionKind::Kernel | DefinitionKind::Device | DefinitionKind::Fragment => {
                    CompletionItemKind::FUNCTION
                }
                DefinitionKind::Label => CompletionItemKind::REFERENCE,
                DefinitionKind::Param => CompletionItemKind::VALUE,
                DefinitionKind::Variable(_) => CompletionItemKind::FIELD,
                DefinitionKind::Register | DefinitionKind::Counter => CompletionItemKind::VARIABLE,
            };
            match definition.family {
                Some(count) => {
                    let count = count.known().unwrap_or(MOST_MEMBERS).min(MOST_MEMBERS);
                    let ty = || match &detail {
                        // That of one member: `f32` of `[f32; 8]`.
                        Some(ty) => ty.strip_prefix('[').and_then(|ty| ty.split(';').next()),
                        None => None,
                    };
                    let detail = ty().map(str::to_owned).or_else(|| detail.clone());
                    for number in 0..count {
                        let member = if definition.is_array {
                            format!("{name}[{number}]")
                        } else {
                            format!("{name}{number}")
                        };
                        self.add(member, kind, rank, detail.clone(), None);
                    }
                }
                None => self.add(name, kind, rank, detail, None),
            }
        }
    }

    /// Where control goes after the instruction at the cursor, if the table has it.
    fn control(&self) -> Option<Control> {
        Some(self.context.written.as_ref()?.row?.control)
    }

    /// What the instruction takes at the cursor.
    fn wanted(&self) -> Option<Wanted> {
        if self.context.place == Place::Guard {
            return Some(Wanted::Type(ScalarType::Pred, false));
        }
        let written = self.context.written.as_ref()?;
        if self.control() == Some(Control::Call) {
            return Some(Wanted::Function);
        }
        let place = written.operands().into_iter().nth(self.context.operand)?;
        let types = InstructionTypes::of(&written.modifiers);
        if place.ty.is_address() == Some(true) || place.ty == OperandType::Any {
            return Some(Wanted::Address(spaces(&written.modifiers).next()));
        }
        let wanted = place.ty.wanted(&types, 0)?;
        Some(Wanted::Type(wanted.ty, wanted.is_relaxed))
    }
}

/// What an instruction takes at the cursor.
#[derive(Clone, Copy)]
enum Wanted {
    /// An address in this space, or in any.
    Address(Option<Space>),
    /// A function.
    Function,
    /// A register of this type, or a wider one.
    Type(ScalarType, bool),
}

impl Wanted {
    /// Whether something with this type is likely meant.
    fn is_of(self, ty: Option<&str>, definition: &Definition) -> bool {
        // A function's parameter in Rust may be a register, too.
        let is_register =
            definition.kind == DefinitionKind::Register || ty.is_some_and(|ty| ty.contains("Reg<"));
        let scalar = ty.and_then(storage::scalar);
        match self {
            Self::Address(space) => match (definition.kind, space) {
                (DefinitionKind::Param, Some(space)) => space == Space::Param,
                (DefinitionKind::Variable(own), Some(space)) => own == space,
                (DefinitionKind::Register, _) => scalar.is_some_and(|it| it.bytes() == 8),
                _ => true,
            },
            Self::Function => definition.kind == DefinitionKind::Device,
            Self::Type(wanted, is_relaxed) => {
                is_register
                    && scalar.is_some_and(|scalar| {
                        let is_pred = |ty| ty == ScalarType::Pred;
                        let is_float = |ty| matches!(ty, ScalarType::F32 | ScalarType::F64);
                        let is_same_size = scalar.bytes() == wanted.bytes()
                            || is_relaxed && scalar.bytes() > wanted.bytes();
                        let is_bits = |ty: ScalarType| ty.name().starts_with('b');
                        let is_same_kind = is_float(scalar) == is_float(wanted)
                            || is_bits(scalar)
                            || is_bits(wanted);
                        is_pred(scalar) == is_pred(wanted) && is_same_size && is_same_kind
                    })
            }
        }
    }
}

/// The modifiers that the table has after those that are written, in its order.
fn following(written: &Written<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let name = written.name();
    let mut add = |word: String| {
        if !word.trim_start_matches(['.', ':']).is_empty() && !found.contains(&word) {
            found.push(word);
        }
    };
    // What distinguishes forms: `.async` of `cp`.
    for row in INSTRUCTIONS {
        let rest = row.opcode.strip_prefix(&name).filter(|rest| rest.starts_with(['.', ':']));
        if let Some(rest) = rest {
            let end = rest[1..].trim_start_matches(':').find(['.', ':']);
            let skipped = rest.len() - rest[1..].trim_start_matches(':').len();
            add(rest[..end.map_or(rest.len(), |end| end + skipped)].to_owned());
        }
    }
    let is_new = |word: &str| !written.has(word.trim_start_matches('.'));
    let Some(row) = written.row else { return found };
    for required in row.required.iter().filter(|it| is_new(it.modifier)) {
        add(format!(".{}", required.modifier));
    }
    for (key, sets) in row.spaces.iter().chain(row.types) {
        if !key.is_empty() && is_new(key) {
            add(format!(".{key}"));
        }
        if key.is_empty() || written.has(key) {
            let words = sets.iter().flat_map(|set| set.split(' '));
            words.filter(|word| is_new(word)).for_each(|word| add(format!(".{word}")));
        }
    }
    let keys = row.operands.iter().map(|it| it.0).chain(row.effects.iter().map(|it| it.0));
    for key in keys.chain(row.orders.iter().map(|it| it.0)).filter(|key| is_new(key)) {
        add(format!(".{key}"));
    }
    if row.has_lanes && ![".v2", ".v4", ".v8"].iter().any(|it| !is_new(it)) {
        add(".v2".to_owned());
        add(".v4".to_owned());
    }
    let is_of_row = |opcode: &str| {
        let rest = name.strip_prefix(opcode);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    for qualifier in QUALIFIERS.iter().filter(|it| is_of_row(it.opcode)) {
        // Those that are adjacent are one after the other.
        let first = |words: &'static str| words[1..].find('.').map_or(words, |end| &words[..=end]);
        for word in qualifier.words.iter().map(|words| first(words)).filter(|word| is_new(word)) {
            add(word.to_owned());
        }
    }
    found
}
