//! `ptx::import!("kernels.ptx")`: a PTX file as a Rust module.

mod arguments;
mod around;
mod cpp;
mod declared;
mod file;
mod given;
mod identifiers;
mod initial;
mod path;
mod places;
mod promised;
mod renamed;
mod signature;
mod word;

use std::path::{Path, PathBuf};

use bumpalo::Bump;
use proc_macro2::{Span, TokenStream};
use ptx_isa::ir::{self, Location};
use ptx_isa::rules;
use ptx_isa::sorted::{SortedMap, SortedSet};
use ptx_text::{Diagnostic, Kind, Parsed, Position};
use quote::ToTokens;
use syn::Ident;
use syn::spanned::Spanned;

use self::file::File;
use self::promised::{Broken, with_promises};
use crate::depth::refuse_deep;
use crate::errors::Errors;

pub use arguments::{Arguments, KEYS, Rename, TypeOf};
pub use declared::{Declared, Function, Given, Param, Variable};
pub use identifiers::is_keyword;
pub use initial::{Initial, initial};
pub use signature::{Signature, SignatureParam};
pub use word::Word;

/// An imported file: the macro's arguments, and the file's contents.
pub struct Import {
    /// The arguments of the macro.
    pub arguments: Arguments,
    /// The name of the module.
    pub ident: Ident,
    /// The path of the file as written.
    pub written: String,
    /// The contents of the file, if it could be read.
    text: Option<Text>,
}

/// The contents of a file.
struct Text {
    /// Its absolute path.
    path: PathBuf,
    parsed: Parsed,
    /// The location of each symbol's declaration.
    places: SortedMap<String, Location<String>>,
}

/// The origin of a file's text.
pub enum Source<'i> {
    /// The file at this absolute path.
    File(&'i str),
    /// This string: the path or the file is not UTF-8.
    Here(&'i str),
}

/// Parses the arguments of `import!` and the file that they name, and checks every rule.
///
/// Returns `None` only if the module has no name.
pub fn import(input: TokenStream, errors: &mut Errors) -> Option<Import> {
    if refuse_deep(&input, errors) {
        return None;
    }
    let arguments = arguments::parse(input, errors)?;
    let written = path::written(&arguments.path, errors);
    let Some(ident) = ident(&arguments, written.as_deref()) else {
        if let Some(written) = written {
            let message = format!("`{written}` is not the name of a file; name one of PTX");
            errors.on(&arguments.path, message);
        }
        return None;
    };
    let file = written.as_deref().and_then(|written| {
        let folders = file::folders(first(&arguments.path));
        match file::read(written, &folders) {
            Ok(file) => Some(file),
            Err(message) => {
                errors.on(&arguments.path, message);
                None
            }
        }
    });
    let written = written.unwrap_or_default();
    let text = file.map(|File { path, shown, bytes }| {
        let parsed = Parsed::from_bytes(bytes);
        let place = |at| {
            let Position { line, column } = parsed.position(at);
            Location { file: shown.clone(), line, column }
        };
        let places = places::places(&parsed);
        for variable in parsed.module().variables {
            let (message, at) = (initial::too_large(variable), places.get(variable.name));
            if let (Some(message), Some(at)) = (message, at) {
                let place = parsed.position(*at);
                errors.on(&arguments.path, format_args!("{written}:{place}: {message}"));
            }
        }
        let places = places.into_iter().map(|(name, at)| (name.to_owned(), place(at))).collect();
        Text { path, parsed, places }
    });
    Some(Import { arguments, ident, written, text })
}

/// The name of the module: the given one, or the one that follows from the file name.
fn ident(arguments: &Arguments, written: Option<&str>) -> Option<Ident> {
    if let Some(ident) = &arguments.ident {
        return Some(ident.clone());
    }
    let stem = Path::new(written?).file_stem()?.to_str()?;
    let at = Span::call_site().located_at(first(&arguments.path));
    Some(Ident::new(&identifiers::module(stem), at))
}

/// The span of the first token.
fn first(tokens: &impl ToTokens) -> Span {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or_else(Span::call_site, |token| token.span())
}

/// Reports the errors in a file, except for the allowed ones. The types that the user gives count as promises.
fn report(
    text: &Text,
    declared: &Declared<'_>,
    arguments: &Arguments,
    written: &str,
    errors: &mut Errors,
) {
    let parsed = &text.parsed;
    let (mut all, arena) = (parsed.check(), Bump::new());
    let mut promised = Vec::new();
    if let Some(module) = with_promises(parsed.module(), declared, &arena) {
        let key = |found: &Diagnostic| (found.code, found.kind, found.range.start);
        let mut known: SortedSet<_> = all.iter().map(key).collect();
        let found = parsed.check_as(&module);
        let keys: SortedSet<_> = found.iter().map(|(found, _)| key(found)).collect();
        // An allowance may be needed only because of a type.
        all.retain(|it| it.kind != Kind::Unneeded || keys.contains(&key(it)));
        promised.extend(found.into_iter().filter_map(Broken::of));
        promised.retain(|broken| known.insert(key(&broken.diagnostic)));
    }
    let of_file = all.iter().map(|found| (found, first(&arguments.path)));
    let blamed = |broken| text.blamed(broken, declared, arguments);
    let of_types = promised.iter().map(|broken| (&broken.diagnostic, blamed(broken)));
    let mut needed: Vec<&str> = Vec::new();
    for (found, at) in of_file.chain(of_types) {
        let is_allowed = |code| arguments.allow.iter().any(|(allowed, _)| *allowed == code);
        if let Some(code) = found.code
            && matches!(found.kind, Kind::Hazard | Kind::Warned)
            && is_allowed(code)
        {
            needed.push(code);
            continue;
        }
        // A macro has no warnings; `Module::check()` reports them.
        if found.kind == Kind::Warned {
            continue;
        }
        let place = parsed.position(found.range.start);
        errors.at(at, format_args!("{written}:{place}: {found}"));
    }
    for (code, at) in &arguments.allow {
        if !needed.contains(code) {
            errors.at(*at, rules::unneeded(code));
        }
    }
}

impl Text {
    /// The type that a finding is about: that of the parameter that it names, or `#[readonly]`; the path if it names
    /// none.
    fn blamed(&self, broken: &Broken<'_>, declared: &Declared<'_>, arguments: &Arguments) -> Span {
        let found = &broken.diagnostic;
        let Position { line, column } = self.parsed.position(found.range.start);
        let start = |function: &&Function<'_>| {
            let place = self.places.get(function.ir.name)?;
            Some((place.line, place.column)).filter(|start| *start <= (line, column))
        };
        let function = declared.functions.iter().max_by_key(start);
        let mut params = function.into_iter().flat_map(|function| &function.params);
        let given =
            params.find(|param| broken.is_about(param.ir)).and_then(|param| param.given.as_ref());
        let Some(given) = given else { return first(&arguments.path) };
        given.readonly.filter(|_| found.code == Some("A035")).unwrap_or_else(|| given.ty.span())
    }
}

impl Import {
    /// The IR of the file, if it could be parsed.
    pub fn module(&self) -> Option<&ir::Module<'_>> {
        self.text.as_ref().map(|text| text.parsed.module())
    }

    /// The declarations of the file, with Rust names and types.
    pub fn declared(&self, errors: &mut Errors) -> Declared<'_> {
        match &self.text {
            Some(text) => {
                let module = text.parsed.module();
                let at = first(&self.arguments.path);
                let renames = &self.arguments.renames;
                let mut found = declared::declared(module, renames, (&self.written, at), errors);
                given::give(&mut found, &self.arguments, &self.written, errors);
                report(text, &found, &self.arguments, &self.written, errors);
                found
            }
            None => Declared::default(),
        }
    }

    /// The text of the file, or `None` if it could not be read.
    pub fn source(&self) -> Option<Source<'_>> {
        let Text { path, parsed, .. } = self.text.as_ref()?;
        let is_text = core::str::from_utf8(parsed.bytes()).is_ok();
        Some(match path.to_str() {
            Some(path) if is_text => Source::File(path),
            Some(_) | None => Source::Here(parsed.text()),
        })
    }

    /// The location of this symbol's declaration in the file.
    pub fn location(&self, symbol: &str) -> Option<Location<String>> {
        self.text.as_ref()?.places.get(symbol).cloned()
    }
}
