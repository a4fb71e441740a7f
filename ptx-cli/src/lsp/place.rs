//! Places of bodies in Rust, `SMEM.full[1]`: paths to fields and elements of what the file declares.

use std::collections::HashMap;
use std::ops::Range;

use ptx_frontend::Arena;
use ptx_frontend::structs::{Structs, pointee};
use ptx_isa::count::Count;
use ptx_isa::ir::{Struct, StructKind, Type};
use ptx_text::PieceKind;
use ptx_text::body::token::Delimiter;

use super::document::Document;
use super::outline::{Definition, DefinitionKind, Name};
use super::storage;

/// The places of a document.
pub(super) struct Places<'d, 'a> {
    document: &'d Document,
    structs: &'d Structs,
    arena: &'a Arena,
    /// The types of the declarations that were asked for.
    types: HashMap<usize, Option<Base<'a>>>,
}

/// The size of a variable or a parameter that Rust declares: "128 bytes, aligned to 4".
pub(super) fn size(document: &Document, definition: &Definition) -> Option<String> {
    let arena = Arena::new();
    let ty = Places::of(document, &arena)?.declared(definition)?;
    let size = ty.size().map(|size| Count(size, "byte").to_string());
    let size = size.unwrap_or_else(|| "the launch decides its size".to_owned());
    // An attribute may ask for more than the type.
    let has_own = storage::declaration(document, definition).contains("align");
    let align = ty.align().filter(|_| !has_own);
    Some(size + &align.map_or(String::new(), |align| format!(", aligned to {align}")))
}

/// What a path starts from.
#[derive(Clone, Copy)]
struct Base<'a> {
    ty: &'a Type<'a>,
    /// Whether it is what a register points to.
    is_pointee: bool,
}

/// A path, as far as it could be followed.
pub(super) struct Path<'a> {
    /// The type at its end; `None` if that is not known.
    pub(super) ty: Option<&'a Type<'a>>,
    /// The offset in bytes from its start; `None` if an index is not a number.
    pub(super) offset: Option<i128>,
    /// The name that it starts with, in the text.
    pub(super) name: Range<usize>,
    /// The offset in the text after its last byte.
    pub(super) end: usize,
    /// The number of its fields and indices.
    pub(super) steps: usize,
}

impl<'d, 'a> Places<'d, 'a> {
    /// Those of a Rust file; `None` for a PTX file, and for one that is not Rust outside of bodies.
    pub(super) fn of(document: &'d Document, arena: &'a Arena) -> Option<Self> {
        let structs = document.structs()?;
        Some(Self { document, structs, arena, types: HashMap::new() })
    }

    /// The type of a variable or a parameter that Rust declares.
    fn declared(&mut self, definition: &Definition) -> Option<&'a Type<'a>> {
        self.base(definition.canonical).filter(|base| !base.is_pointee).map(|base| base.ty)
    }

    /// The path that starts with a name, up to a token or to its end.
    pub(super) fn path(&mut self, name: &Name, until: usize) -> Option<Path<'a>> {
        let Document { text, outline, .. } = self.document;
        let definition = outline.definitions.get(name.definition?)?.canonical;
        let first = outline.token_at(name.at.start)?;
        let base = self.base(definition)?;
        let (name, end) = (name.at.clone(), name.at.end);
        let mut path = Path { ty: Some(base.ty), offset: Some(0), name, end, steps: 0 };
        let mut at = first + 1;
        while let Some(token) = outline.tokens.get(at).filter(|_| at < until) {
            match token.kind {
                PieceKind::Open(Delimiter::Bracket) => {
                    let close = closing(self.document, at)?;
                    let index = outline.tokens.get(at + 1..close)?;
                    let index: String = index.iter().map(|token| token.text(text)).collect();
                    let is_pointee = base.is_pointee && path.steps == 0;
                    path.index(index.parse().ok(), is_pointee);
                    path.end = outline.tokens.get(close)?.end;
                    at = close + 1;
                }
                PieceKind::Dotted | PieceKind::Number if token.text(text).starts_with('.') => {
                    path.field(&token.text(text)[1..]);
                    path.end = token.end;
                    at += 1;
                }
                _ => break,
            }
            path.steps += 1;
        }
        Some(path)
    }

    /// The path before a dot at a token: that of `SMEM.full[1]` in `SMEM.full[1].`.
    pub(super) fn before(&mut self, dot: usize) -> Option<Path<'a>> {
        let Document { text, outline, .. } = self.document;
        let mut at = dot.checked_sub(1)?;
        loop {
            let token = outline.tokens.get(at)?;
            match token.kind {
                PieceKind::Close(Delimiter::Bracket) => at = opening(self.document, at)?,
                PieceKind::Dotted | PieceKind::Number if token.text(text).starts_with('.') => {}
                PieceKind::Word => break,
                _ => return None,
            }
            at = at.checked_sub(1)?;
        }
        let name = outline.name_at(outline.tokens.get(at)?.start)?;
        self.path(name, dot)
    }

    fn base(&mut self, definition: usize) -> Option<Base<'a>> {
        if let Some(found) = self.types.get(&definition) {
            return *found;
        }
        let found = self.lay_out(definition);
        self.types.insert(definition, found);
        found
    }

    fn lay_out(&self, definition: usize) -> Option<Base<'a>> {
        let definition = self.document.outline.definitions.get(definition)?;
        let is_register = match definition.kind {
            DefinitionKind::Register => true,
            DefinitionKind::Variable(_) | DefinitionKind::Param => false,
            _ => return None,
        };
        let ty = storage::ty(self.document, definition);
        let ty: syn::Type = syn::parse_str(&ty).ok()?;
        let ty = if is_register { pointee(&ty)? } else { &ty };
        let ty = self.structs.layout(ty, self.arena).ok()?;
        Some(Base { ty, is_pointee: is_register })
    }
}

impl Path<'_> {
    /// Goes on to an element; of what a register points to, there may be any number.
    fn index(&mut self, index: Option<i128>, is_pointee: bool) {
        let element = match self.ty.map(plain) {
            Some(ty) if is_pointee => Some(ty),
            Some(Type::Array(_, element)) => Some(*element),
            _ => None,
        };
        let size = element.and_then(Type::size).and_then(|size| i128::try_from(size).ok());
        self.offset = self
            .offset
            .zip(index)
            .zip(size)
            .and_then(|((offset, index), size)| offset.checked_add(index.checked_mul(size)?));
        self.ty = element;
    }

    /// Goes on to a field, or to an element of a vector.
    fn field(&mut self, name: &str) {
        let fields = self.ty.map(fields).unwrap_or_default();
        let field = fields.into_iter().find(|field| field.name == name);
        let at = field.as_ref().and_then(|field| i128::try_from(field.offset).ok());
        self.offset = self.offset.zip(at).and_then(|(offset, at)| offset.checked_add(at));
        self.ty = field.map(|field| field.ty);
    }
}

/// A field of a struct, or an element of a vector.
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) offset: usize,
    pub(super) ty: &'a Type<'a>,
}

/// What may stand after a dot.
pub(super) fn fields<'a>(ty: &Type<'a>) -> Vec<Field<'a>> {
    match plain(ty) {
        Type::Struct(Struct { kind: StructKind::Fields, fields, .. }) => {
            let field = |field: &ptx_isa::ir::Field<'a>| Field {
                name: field.name,
                offset: field.offset,
                ty: field.ty,
            };
            fields.iter().map(field).collect()
        }
        Type::Vector(lanes, scalar) => {
            let lanes = Type::LANES.iter().take(usize::from(*lanes)).enumerate();
            let lane = |(n, name): (usize, &&'static str)| Field {
                name,
                offset: n * scalar.bytes(),
                ty: Type::of_scalar(*scalar),
            };
            lanes.map(lane).collect()
        }
        _ => Vec::new(),
    }
}

/// A type without an alignment of its own.
fn plain<'t, 'a>(mut ty: &'t Type<'a>) -> &'t Type<'a> {
    while let Type::Aligned(_, inner) = ty {
        ty = inner;
    }
    ty
}

/// The index of the bracket that closes the one at a token.
fn closing(document: &Document, open: usize) -> Option<usize> {
    let tokens = &document.outline.tokens;
    let mut depth = 0_isize;
    (open..tokens.len()).find(|n| {
        depth += tokens[*n].depth();
        depth == 0
    })
}

/// The index of the bracket that opens the one at a token.
fn opening(document: &Document, close: usize) -> Option<usize> {
    let tokens = &document.outline.tokens;
    let mut depth = 0_isize;
    (0..=close).rev().find(|n| {
        depth += tokens[*n].depth();
        depth == 0
    })
}
