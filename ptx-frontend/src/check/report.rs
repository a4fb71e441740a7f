//! The tokens of the parts of a module, and the errors about them in the order in which they are reported.

use std::rc::Rc;

use ptx_isa::sorted::SortedSet;

use proc_macro2::TokenStream;
use ptx_analysis::{Finding, Problem, Report, Symbols};
use ptx_isa::Space;
use ptx_isa::ir::{self, Extent, Site};
use ptx_isa::rules::{Blame, Violation};
use ptx_text::codes::{is_allowed_on_declarations, is_of_declarations};
use ptx_text::message;
use quote::{ToTokens, quote};

use super::lower::Lowered;
use super::names::Names;
use super::place::tokens_over;
use crate::ast::{Function, Item, Module, Param};
use crate::attribute::is_conditional;
use crate::errors::Errors;
use crate::group::Peel;
use crate::instance::Instance;
use crate::integer::Integer;
use crate::name::ptx_name;
use crate::types::lower_extent;

/// When an error is reported: those about the parts of each item, in order, before those that need several items.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum When {
    /// With the names that are declared twice.
    Names,
    /// With this part of an item, by its index.
    Item(usize, Part),
    /// With the parameters that are named like functions.
    Parameters,
    /// With what functions use in all.
    Totals(usize),
    /// With the alignments that accesses need: those of functions, and then those of variables.
    Alignments(bool, usize),
    /// With the variables that point to each other.
    Cycles,
    /// With the size of all constants.
    Constants,
    /// With the module as a whole.
    Module,
}

impl When {
    /// The instance of a generic item that the errors are about.
    fn instance(self, module: &Module) -> Option<Rc<Instance>> {
        let item = match self {
            Self::Item(item, _) | Self::Totals(item) | Self::Alignments(_, item) => item,
            Self::Names | Self::Parameters | Self::Cycles | Self::Constants | Self::Module => {
                return None;
            }
        };
        module.items.get(item)?.instance().cloned()
    }
}

/// The part of an item that an error is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Its declaration.
    Own,
    /// The value of a variable.
    Value,
    /// An address in it.
    Address(usize),
    /// A directive.
    Directive(usize),
    /// All directives together.
    Directives,
    /// A parameter.
    Param(usize),
    /// A return value.
    Return(usize),
    /// A declaration of the body.
    Local(usize),
    /// The allowances.
    Allowances,
    /// The body.
    Body,
}

/// Reports findings at the tokens at fault, and marks the items.
pub(super) struct Reporter<'c, 'a> {
    pub(super) names: &'c Names,
    pub(super) symbols: &'c Symbols<'a>,
    lowered: &'c Lowered<'a>,
    errors: Vec<(When, Errors)>,
    /// The allowances that are needed.
    needed: &'c SortedSet<(Site, &'static str)>,
}

impl<'c, 'a> Reporter<'c, 'a> {
    pub(super) fn new(names: &'c Names, report: &'c Report<'a>, lowered: &'c Lowered<'a>) -> Self {
        let Report { symbols, needed, .. } = report;
        let errors = Vec::new();
        Self { names, symbols, lowered, errors, needed }
    }

    /// Adds errors, and returns whether there are any.
    pub(super) fn add(&mut self, when: When, report: impl FnOnce(&mut Errors)) -> bool {
        let mut errors = Errors::default();
        report(&mut errors);
        let is_any = !errors.is_empty();
        if is_any {
            self.errors.push((when, errors));
        }
        is_any
    }

    /// Reports a finding about a declaration.
    pub(super) fn report(&mut self, module: &mut Module, finding: &Finding<'_>) {
        let Problem::Rule(violation) = &finding.problem else { return };
        // A macro has no warnings; `Module::check()` reports them.
        if !violation.rule.kind.is_error() {
            return;
        }
        match finding.site {
            Site::Module => {
                let version = module.args.version.filter(|_| violation.blames == Blame::Version);
                let span = version.map_or_else(|| module.ident.span(), |(_, span)| span);
                let when = match violation.blames {
                    Blame::Version => When::Module,
                    _ => When::Constants,
                };
                self.add(when, |errors| errors.at(span, violation));
            }
            Site::Variable(n) | Site::Element { variable: n, .. } => {
                self.report_variable(module, n, violation);
            }
            Site::Address { variable, address } => {
                self.report_address(module, variable, address, violation);
            }
            Site::Function(n) => self.report_function(module, n, violation),
            Site::Directive { function, directive } => {
                let item = module.functions[function];
                let Some(function) = module.function_mut(function) else { return };
                let when = When::Item(item, Part::Directive(directive));
                let directive = &mut function.directives[directive];
                directive.refused = true;
                let values = &directive.values;
                self.add(when, |errors| match violation.blames {
                    Blame::DirectiveValue => errors.on(quote!(#(#values)*), violation),
                    _ => errors.at(directive.span, violation),
                });
            }
            Site::Param { function, param } => {
                let item = module.functions[function];
                let Some(function) = module.function_mut(function) else { return };
                self.report_param(item, Part::Param(param), &mut function.params[param], violation);
            }
            Site::Return { function, index } => {
                let item = module.functions[function];
                let Some(function) = module.function_mut(function) else { return };
                self.report_param(
                    item,
                    Part::Return(index),
                    &mut function.returns[index],
                    violation,
                );
            }
            Site::Local { function, local } => {
                self.report_local(module, function, (local, 0), violation);
            }
            Site::LocalElement { function, local, element } => {
                self.report_local(module, function, (local, element), violation);
            }
            Site::Tokens { .. } => {}
        }
    }

    /// Reports the values of directives that are literals of more than 32 bits.
    pub(super) fn report_wide_directives(&mut self, module: &mut Module) {
        for (item, of) in module.items.iter_mut().enumerate() {
            let Item::Function(function) = of else { continue };
            for (n, directive) in function.directives.iter_mut().enumerate() {
                directive.refused |= self.add(When::Item(item, Part::Directive(n)), |errors| {
                    let is_wide = |value: &&Integer| {
                        value.known().is_some_and(|known| u32::try_from(known).is_err())
                    };
                    for value in directive.values.iter().filter(is_wide) {
                        errors.on(
                            value,
                            "a directive takes a 32-bit number; write 4294967295 or less",
                        );
                    }
                });
            }
        }
    }

    fn report_variable(&mut self, module: &mut Module, n: usize, violation: &Violation<'_>) {
        let item = module.variables[n];
        let when = match violation.rule.subject {
            "duplicate" => When::Names,
            "alignment" => When::Alignments(true, item),
            "cycle" => {
                module.refused = true;
                When::Cycles
            }
            _ => When::Item(item, Part::Own),
        };
        let Some(variable) = module.variable_mut(n) else { return };
        let tokens = match violation.blames {
            Blame::Name
            | Blame::Space
            | Blame::Directive
            | Blame::DirectiveValue
            | Blame::Directives
            | Blame::Version
            | Blame::Offset => variable.ident.to_token_stream(),
            Blame::Linkage => match variable.linkage_span {
                Some(span) => quote::quote_spanned!(span=> _),
                None => variable.ident.to_token_stream(),
            },
            Blame::Align => aligned_tokens(variable.align.as_ref(), &variable.ident),
            part @ (Blame::Type | Blame::Element | Blame::Extent) => {
                blamed_type(part, &variable.ty)
            }
            Blame::Value | Blame::Number => variable.value.to_token_stream(),
        };
        // Accesses that ask more than a declaration promises leave it as it is.
        variable.refused |= violation.rule.subject != "alignment";
        self.add(when, |errors| errors.on(tokens, violation));
    }

    fn report_address(
        &mut self,
        module: &mut Module,
        n: usize,
        address: usize,
        violation: &Violation<'_>,
    ) {
        let item = module.variables[n];
        let Some(variable) = module.variable_mut(n) else { return };
        variable.refused = true;
        let number = address;
        let address = &mut variable.addresses[number];
        address.refused = true;
        let (names, symbols) = (self.names, self.symbols);
        self.add(When::Item(item, Part::Address(number)), |errors| {
            if violation.rule.code != "D033" {
                return errors.on(&address.tokens, violation);
            }
            let name = ptx_name(&address.symbol);
            let near = || {
                let near = ptx_isa::near::near(&name, message::names(symbols));
                let near = (!near.is_empty()).then(|| ptx_isa::near::list(near));
                near.map(|near| format!("nothing here is named `{name}`; did you mean {near}?"))
            };
            let words = |violation: &Violation<'_>| violation.words().as_str().to_owned();
            let hint = message::ambiguous(&name, symbols, words);
            let hint = hint.or_else(|| message::family_fault(&name, symbols));
            let hint = hint.or_else(|| names.rust_hint(&name)).or_else(near);
            match hint {
                Some(hint) => errors.on(&address.symbol, violation.in_words(&hint)),
                None => errors.on(&address.symbol, violation),
            }
        });
    }

    fn report_function(&mut self, module: &mut Module, n: usize, violation: &Violation<'_>) {
        let item = module.functions[n];
        let Some(function) = module.function_mut(n) else { return };
        let when = match (violation.rule.subject, violation.blames) {
            ("duplicate", _) => When::Names,
            ("function", Blame::Directives) => When::Item(item, Part::Directives),
            ("function", _) => When::Totals(item),
            (_, _) => When::Item(item, Part::Own),
        };
        function.refused |= violation.rule.subject == "function";
        let span = match (violation.blames, &function.unified, function.directives.last()) {
            (Blame::Directive, Some((.., span)), _) => *span,
            (Blame::Directives, _, Some(last)) => last.span,
            (_, _, _) => function.ident.span(),
        };
        self.add(when, |errors| errors.at(span, violation));
    }

    fn report_param(
        &mut self,
        item: usize,
        part: Part,
        param: &mut Param,
        violation: &Violation<'_>,
    ) {
        let when = match violation.rule.subject {
            "named" => When::Parameters,
            "alignment" => When::Alignments(false, item),
            _ => {
                param.refused = true;
                When::Item(item, part)
            }
        };
        let tokens = match violation.blames {
            Blame::Name => param.ident.to_token_stream(),
            Blame::Align => aligned_tokens(param.align.as_ref(), &param.ident),
            Blame::Linkage => {
                let span = param.readonly.unwrap_or_else(|| param.ident.span());
                quote::quote_spanned!(span=> _)
            }
            part => blamed_type(part, &param.ty),
        };
        self.add(when, |errors| errors.on(tokens, violation));
        if param.refused {
            make_sized(&mut param.ty);
        }
    }

    fn report_local(
        &mut self,
        module: &mut Module,
        function: usize,
        (local, element): (usize, usize),
        violation: &Violation<'_>,
    ) {
        let item = module.functions[function];
        let n = self.lowered.functions[function].locals[local];
        let Some(Function { body: Some(body), .. }) = module.function(function) else {
            return;
        };
        let Some(declaration) = body.source.declarations.get(n) else { return };
        let when = match violation.rule.subject {
            "named" => When::Parameters,
            "alignment" => When::Alignments(false, item),
            _ => When::Item(item, Part::Local(n)),
        };
        let tokens = match violation.blames {
            Blame::Align if violation.rule.subject == "alignment" => {
                tokens_over(declaration.aligned_at())
            }
            Blame::Name
            | Blame::Space
            | Blame::Linkage
            | Blame::Directive
            | Blame::DirectiveValue
            | Blame::Directives
            | Blame::Version
            | Blame::Offset => tokens_over(declaration.name.at),
            Blame::Align => {
                let span =
                    declaration.align.as_ref().map_or(declaration.type_at, |(_, span)| *span);
                tokens_over((span, span))
            }
            Blame::Type | Blame::Element | Blame::Extent => {
                tokens_over((declaration.type_at, declaration.type_at))
            }
            Blame::Value | Blame::Number => {
                let element = if violation.blames == Blame::Number { element } else { 0 };
                let elements = declaration.elements();
                let span = elements.get(element).map_or(declaration.type_at, |(_, span)| *span);
                tokens_over((span, span))
            }
        };
        self.add(when, |errors| {
            if violation.rule.is_fixed_in_ptx_in_bodies() {
                let words = violation.in_ptx().text();
                errors.on(tokens, violation.in_words(words.as_str()));
            } else {
                errors.on(tokens, violation);
            }
        });
    }

    /// Reports the allowances on a function and on its declarations that these do not need.
    pub(super) fn report_unneeded(&mut self, function: usize, item: usize, of: &Function) {
        let Some(body) = &of.body else { return };
        let locals = &self.lowered.functions[function].locals;
        let mut places = vec![0; locals.len()];
        locals.iter().enumerate().for_each(|(local, n)| places[*n] = local);
        let is_needed = |(n, code): (usize, &'static str)| {
            self.needed.contains(&(Site::Local { function, local: places[n] }, code))
        };
        let of_any = |code| (0..locals.len()).any(|n| is_needed((n, code)));
        let mut is_open = false;
        for (n, declaration) in body.source.declarations.iter().enumerate() {
            is_open |= declaration.has_constant();
            self.add(When::Item(item, Part::Local(n)), |errors| {
                for (code, span) in &declaration.allow {
                    // rustc checks values that depend on a Rust constant; accesses are checked with the body.
                    let is_own = is_of_declarations(code);
                    let is_needed = declaration.has_constant() || is_needed((n, *code));
                    if !(is_own && is_needed) && (is_own || !is_allowed_on_declarations(code)) {
                        errors.unneeded(*span, code);
                    }
                }
            });
        }
        self.add(When::Item(item, Part::Allowances), |errors| {
            for (code, span) in &of.allow {
                if is_of_declarations(code) && !is_open && !of_any(*code) {
                    errors.unneeded(*span, code);
                }
            }
        });
    }

    /// Passes on the errors in order, without those that depend on what was refused.
    pub(super) fn finish(mut self, module: &mut Module, errors: &mut Errors) {
        self.errors.sort_by_key(|(when, _)| *when);
        for (when, found) in self.errors {
            // The totals of a function depend on its parameters.
            if let When::Totals(item) = when
                && let Some(Item::Function(function)) = module.items.get(item)
                && function.params.iter().any(|param| param.refused)
            {
                continue;
            }
            // So does the size of all constants on each of them, and on those that are there.
            if when == When::Constants && is_size_of_constants_open(module, &self.lowered.ir) {
                continue;
            }
            module.refused |= matches!(when, When::Constants | When::Module);
            let around = errors.enter(when.instance(module));
            errors.append(found);
            errors.leave(around);
        }
        for item in &mut module.items {
            if let Item::Function(function) = item {
                function.refused |= function.params.iter().any(|param| param.refused);
            }
        }
    }
}

/// Whether a constant was refused, or a condition decides if it is there, or if a function is that declares or uses some.
fn is_size_of_constants_open(module: &Module, ir: &ir::Module<'_>) -> bool {
    let is_constant = |variable: &&ir::Variable<'_>| variable.space == Space::Const;
    let mut functions = module.each_function().zip(ir.functions);
    module.each_variable().any(|variable| {
        let may_differ = variable.refused || is_conditional(&variable.attrs);
        variable.space == Space::Const && may_differ
    }) || functions.any(|(function, ir)| {
        is_conditional(&function.attrs) && ir.locals.iter().chain(ir.uses).any(is_constant)
    })
}

/// The tokens to report: the declared alignment, or else the name.
fn aligned_tokens(align: Option<&Integer>, ident: &syn::Ident) -> TokenStream {
    align.map_or_else(|| ident.to_token_stream(), ToTokens::to_token_stream)
}

/// The part of a type that a finding is reported at: the zero extent, the element, or the whole type.
fn blamed_type(part: Blame, ty: &syn::Type) -> TokenStream {
    match (part, ty.peel()) {
        (Blame::Extent, syn::Type::Array(array))
            if lower_extent(&array.len) == Extent::Known(0) =>
        {
            array.len.to_token_stream()
        }
        (Blame::Element | Blame::Extent, syn::Type::Array(array)) => blamed_type(part, &array.elem),
        (_, ty) => ty.to_token_stream(),
    }
}

/// Gives a rejected type a size, so that rustc does not report it as unsized.
fn make_sized(ty: &mut syn::Type) {
    let sized = match ty {
        syn::Type::Group(group) => return make_sized(&mut group.elem),
        syn::Type::Paren(paren) => return make_sized(&mut paren.elem),
        syn::Type::Slice(slice) => &slice.elem,
        syn::Type::Array(array) if matches!(array.len, syn::Expr::Infer(_)) => &array.elem,
        _ => return,
    };
    *ty = (**sized).clone();
}
