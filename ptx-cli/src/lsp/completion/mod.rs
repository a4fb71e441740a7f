//! What may stand at the cursor, also in a statement that is half written.

mod context;
mod following;
mod wanted;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemLabelDetails, CompletionTextEdit,
    Documentation, TextEdit,
};
use ptx_frontend::Arena;
use ptx_isa::count::Count;
use ptx_isa::directive::{self, DIRECTIVES};
use ptx_isa::instruction::{Control, InstructionTypes, OperandType, Row, WordKind, spaces};
use ptx_isa::special::SPECIAL_REGISTERS;
use ptx_isa::{ScalarType, Space};
use ptx_text::PieceKind;
use ptx_text::body::token::Delimiter;

use self::context::{Context, Place};
use self::following::following;
use self::wanted::Wanted;
use super::document::Document;
use super::instruction::Written;
use super::outline::{Definition, DefinitionKind, FORMS};
use super::place::{self, Places};
use super::storage;

/// The most members of a family that are listed.
const MOST_MEMBERS: usize = 64;

/// What may stand at an offset; without the names of a file that another server completes.
pub(super) fn complete(document: &Document, offset: usize, has_names: bool) -> Vec<CompletionItem> {
    let context = Context::of(document, offset);
    let mut items = Items { document, context: &context, has_names, found: Vec::new() };
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
        Place::Operand if items.is_field() => items.fields(),
        Place::Operand => items.operands(),
    }
    items.found
}

struct Items<'c, 'd> {
    document: &'d Document,
    context: &'c Context<'d>,
    has_names: bool,
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

    /// Whether the field of a place stands at the cursor: a dot right after a name or a bracket.
    fn is_field(&self) -> bool {
        let Document { text, outline, .. } = self.document;
        let before = outline.tokens.partition_point(|token| token.start < self.context.start);
        let before = before.checked_sub(1).and_then(|n| outline.tokens.get(n));
        outline.rust.is_some()
            && text.get(self.context.start..).is_some_and(|rest| rest.starts_with('.'))
            && before.is_some_and(|token| {
                let is_path = matches!(token.kind, PieceKind::Word | PieceKind::Dotted)
                    || token.kind == PieceKind::Close(Delimiter::Bracket);
                is_path && token.end == self.context.start
            })
    }

    /// The fields of the struct before a dot, or the elements of the vector.
    fn fields(&mut self) {
        let outline = &self.document.outline;
        let arena = Arena::new();
        let dot = outline.tokens.partition_point(|token| token.start < self.context.start);
        let path = Places::of(self.document, &arena).and_then(|mut it| it.before(dot));
        let Some(ty) = path.and_then(|path| path.ty).filter(|_| self.has_names) else { return };
        for field in place::fields(ty) {
            let size = field.ty.size().map(|size| Count(size, "byte").to_string());
            let detail = size.map(|size| format!("{size} at {}", field.offset));
            let kind = CompletionItemKind::FIELD;
            self.add(format!(".{}", field.name), kind, Rank::Fits, detail, None);
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
            // Labels and the members of a family, another server may not know.
            let is_own = definition.kind == DefinitionKind::Label
                || definition.family.is_some() && !definition.is_array;
            if !self.has_names && !is_own {
                continue;
            }
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
