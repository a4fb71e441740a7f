//! The changes to a file.

use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Expr, Item, Lit, Pat, Stmt, Token, UnOp};

/// One change of the source.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The file, relative to the workspace.
    pub file: String,
    /// The function, with its type.
    pub function: String,
    /// The line, with the change in braces.
    pub line: String,
    /// The index among several with the same text, from 1.
    pub nth: usize,
    /// The expression or statement that gets two versions.
    pub(super) site: Range<usize>,
    /// The replaced part of it, and the replacement.
    pub(super) token: Range<usize>,
    pub(super) replacement: String,
}

impl std::fmt::Display for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { file, function, line, nth, .. } = self;
        write!(f, "{file} {function}: {line}")?;
        if *nth > 1 { write!(f, " #{nth}") } else { Ok(()) }
    }
}

/// All mutants of a file.
///
/// # Errors
/// If it is not valid Rust.
pub fn mutants(file: &str, text: &str) -> Result<Vec<Mutant>, String> {
    let parsed = syn::parse_file(text).map_err(|error| format!("{file}: {error}"))?;
    let mut finder = Finder { file, text, around: Vec::new(), found: Vec::new() };
    if !is_for_tests(&parsed.attrs) {
        finder.visit_file(&parsed);
    }
    finder.found.retain(|mutant| !bounds_effort(mutant, text));
    let mut seen = std::collections::HashMap::new();
    for mutant in &mut finder.found {
        let before = seen.entry((mutant.function.clone(), mutant.line.clone())).or_insert(0);
        *before += 1;
        mutant.nth = *before;
    }
    Ok(finder.found)
}

struct Finder<'a> {
    file: &'a str,
    text: &'a str,
    /// The enclosing modules, types and functions.
    around: Vec<String>,
    found: Vec<Mutant>,
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Ident>().is_ok_and(|flag| flag == "test")
    })
}

/// The limits that have a meaning; all other constants named `MOST_..` bound the analysis's effort.
const NO_EFFORT: [&str; 4] = ["MOST_BLOCKS", "MOST_OF_BLOCK", "MOST_OF_CLUSTER", "MOST_THREADS"];

/// Whether a text names a bound on the analysis's effort.
fn names_bound(text: &str) -> bool {
    text.contains("MOST") && !NO_EFFORT.iter().any(|meant| text.contains(meant))
}

/// Whether a number is the start of a range that ends at such a bound.
fn counts_to_bound(behind: &str) -> bool {
    let line = behind.lines().next().unwrap_or_default();
    line.starts_with("..MOST") && names_bound(line)
}

/// Whether a change only makes the analysis give up sooner or later. That point is not guaranteed, and tests with
/// hostile inputs check that its time and memory are bounded. Nothing has as many parts as the greatest integer of
/// the host, so a value one less or one more is no bound either.
fn bounds_effort(mutant: &Mutant, text: &str) -> bool {
    let Mutant { file, line, site, token, replacement, .. } = mutant;
    if !file.starts_with("ptx-analysis/") {
        return false;
    }
    let is_order = ["<", "<=", ">", ">="].contains(&replacement.as_str());
    let is_computed = ["+", "-", "*"].contains(&replacement.as_str());
    let is_spent = ["effort.", ".spend(", "Effort::"].iter().any(|call| line.contains(call));
    is_spent
        || file.ends_with("/effort.rs")
        || ["usize::MAX", "i128::MAX", "i128::MIN"].contains(&&text[token.clone()])
        || names_bound(&text[token.clone()])
        || (is_order || is_computed) && names_bound(&text[site.clone()])
        || counts_to_bound(&text[token.end..])
}

/// Whether an item is output for readers, which no rule compares.
fn is_text_for_readers(item: &syn::ItemImpl) -> bool {
    let name = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    name.is_some_and(|name| name.ident == "Debug" || name.ident == "Display")
}

/// Whether a condition binds names, or is a chain of conditions that does.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
            has_let(&both.left) || has_let(&both.right)
        }
        _ => false,
    }
}

/// The replacements of an operator.
fn other_operator(operator: &BinOp) -> Option<&'static str> {
    Some(match operator {
        BinOp::Lt(_) => "<=",
        BinOp::Le(_) => "<",
        BinOp::Gt(_) => ">=",
        BinOp::Ge(_) => ">",
        BinOp::Eq(_) => "!=",
        BinOp::Ne(_) => "==",
        BinOp::And(_) => "||",
        BinOp::Or(_) => "&&",
        BinOp::Add(_) => "-",
        BinOp::Sub(_) | BinOp::Mul(_) => "+",
        BinOp::Div(_) => "*",
        BinOp::Rem(_) => "/",
        BinOp::Shl(_) => ">>",
        BinOp::Shr(_) => "<<",
        BinOp::BitAnd(_) | BinOp::BitXor(_) => "|",
        BinOp::BitOr(_) => "&",
        BinOp::AddAssign(_) => "-=",
        BinOp::SubAssign(_) | BinOp::MulAssign(_) => "+=",
        BinOp::DivAssign(_) => "*=",
        BinOp::RemAssign(_) => "/=",
        BinOp::ShlAssign(_) => ">>=",
        BinOp::ShrAssign(_) => "<<=",
        BinOp::BitAndAssign(_) | BinOp::BitXorAssign(_) => "|=",
        BinOp::BitOrAssign(_) => "&=",
        _ => return None,
    })
}

/// The replacement of a method.
fn other_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "all" => "any",
        "any" => "all",
        "is_some" => "is_none",
        "is_none" => "is_some",
        "is_ok" => "is_err",
        "is_err" => "is_ok",
        "is_some_and" => "is_none_or",
        "is_none_or" => "is_some_and",
        "min" => "max",
        "max" => "min",
        _ => return None,
    })
}

/// Whether a function reserves capacity, which changes nothing else.
fn reserves(name: &syn::Ident) -> bool {
    ["reserve", "reserve_exact", "with_capacity"].iter().any(|reserves| name == reserves)
}

/// Whether a called function reserves capacity.
fn is_reserving(function: &Expr) -> bool {
    match function {
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| reserves(&last.ident)),
        _ => false,
    }
}

/// Whether a name is that of a constant.
fn is_constant(path: &syn::ExprPath) -> bool {
    path.path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        name.chars().any(|c| c.is_ascii_uppercase())
            && name.len() > 1
            && !name.chars().any(|c| c.is_ascii_lowercase())
    })
}

impl Finder<'_> {
    /// Adds a version of `site` with `replacement` in place of `token`.
    fn add(&mut self, site: Range<usize>, token: Range<usize>, replacement: impl Into<String>) {
        if self.around.is_empty() {
            return;
        }
        let replacement = replacement.into();
        let start = self.text[..token.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let (was, rest) = if token.end <= end {
            (self.text[token.clone()].to_owned(), &self.text[token.end..end])
        } else {
            (format!("{} ..", &self.text[token.start..end]), "")
        };
        let before = self.text[start..token.start].trim_start();
        let rest = rest.split(" //").next().unwrap_or_default().trim_end();
        let line = format!("{before}{{{was} -> {replacement}}}{rest}");
        self.found.push(Mutant {
            file: self.file.to_owned(),
            function: self.around.join("::"),
            line,
            nth: 1,
            site,
            token,
            replacement,
        });
    }

    fn replace(&mut self, site: Range<usize>, replacement: impl Into<String>) {
        self.add(site.clone(), site, replacement);
    }

    fn within(&mut self, name: String, visit: impl FnOnce(&mut Self)) {
        self.around.push(name);
        visit(self);
        self.around.pop();
    }

    /// Replaces the conditions next to a pattern in a chain by `true`.
    fn conjuncts(&mut self, condition: &Expr) {
        if let Expr::Binary(both) = condition
            && has_let(condition)
        {
            for side in [&both.left, &both.right] {
                if !has_let(side) {
                    self.replace(side.span().byte_range(), "true");
                }
            }
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let at = literal.span().byte_range();
        match &literal.lit {
            Lit::Bool(value) => self.replace(at, if value.value { "false" } else { "true" }),
            Lit::Int(number) => {
                let Ok(value) = number.base10_parse::<u128>() else { return };
                let suffix = number.suffix();
                let written = |value: u128| format!("{value}{suffix}");
                if let Some(more) = value.checked_add(1) {
                    self.replace(at.clone(), written(more));
                }
                if value > 0 {
                    self.replace(at, written(value - 1));
                }
            }
            Lit::Float(number) => {
                let replacement = format!("{} + 1.0", self.text[number.span().byte_range()].trim());
                self.replace(at, replacement);
            }
            _ => {}
        }
    }

    /// Whether a statement leaves a function or an iteration of a loop early.
    fn leaves(&mut self, statement: &Stmt) {
        if let Stmt::Expr(Expr::Return(_) | Expr::Continue(_), _) = statement {
            let site = statement.span().byte_range();
            self.replace(site, "");
        }
    }

    fn matches(&mut self, call: &syn::Macro, site: Range<usize>) {
        let parse = |input: syn::parse::ParseStream<'_>| {
            let value: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let _ = Pat::parse_multi_with_leading_vert(input)?;
            let guard = if input.peek(Token![if]) {
                input.parse::<Token![if]>()?;
                Some(input.parse::<Expr>()?)
            } else {
                None
            };
            input.parse::<Option<Token![,]>>()?;
            Ok((value, guard))
        };
        let Ok((value, guard)) = call.parse_body_with(parse) else { return };
        self.add(site.clone(), site.start..site.start, "!");
        self.visit_expr(&value);
        if let Some(guard) = guard {
            self.guard(&guard);
        }
    }

    fn guard(&mut self, guard: &Expr) {
        if !has_let(guard) {
            self.replace(guard.span().byte_range(), "true");
            self.replace(guard.span().byte_range(), "false");
        }
        self.visit_expr(guard);
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(function) if !is_for_tests(&function.attrs) => {
                let name = function.sig.ident.to_string();
                self.within(name, |finder| finder.visit_block(&function.block));
            }
            Item::Impl(implementation)
                if !is_for_tests(&implementation.attrs) && !is_text_for_readers(implementation) =>
            {
                let name = match &*implementation.self_ty {
                    syn::Type::Path(path) => path.path.segments.last(),
                    _ => None,
                };
                let name = name.map_or_else(|| "impl".to_owned(), |name| name.ident.to_string());
                self.within(name, |finder| {
                    for item in &implementation.items {
                        finder.visit_impl_item(item);
                    }
                });
            }
            Item::Trait(declared) if !is_for_tests(&declared.attrs) => {
                self.within(declared.ident.to_string(), |finder| {
                    for item in &declared.items {
                        finder.visit_trait_item(item);
                    }
                });
            }
            Item::Mod(module) if !is_for_tests(&module.attrs) => {
                if let Some((_, items)) = &module.content {
                    for item in items {
                        self.visit_item(item);
                    }
                }
            }
            // rustc evaluates constants, always with the original code.
            _ => {}
        }
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        if let syn::ImplItem::Fn(function) = item
            && !is_for_tests(&function.attrs)
        {
            let name = function.sig.ident.to_string();
            self.within(name, |finder| finder.visit_block(&function.block));
        }
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        if let syn::TraitItem::Fn(function) = item
            && let Some(block) = &function.default
        {
            let name = function.sig.ident.to_string();
            self.within(name, |finder| finder.visit_block(block));
        }
    }

    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_path_arguments(&mut self, _: &'ast syn::PathArguments) {}

    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'ast syn::AngleBracketedGenericArguments,
    ) {
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Guard(guarded) = pattern {
            self.guard(&guarded.guard);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        self.leaves(statement);
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_repeat(&mut self, repeated: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeated.expr);
    }

    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let site = expression.span().byte_range();
        match expression {
            Expr::Binary(both) => {
                if has_let(expression) {
                    self.conjuncts(expression);
                } else if let Some(other) = other_operator(&both.op) {
                    self.add(site, both.op.span().byte_range(), other);
                }
                // A counter that does not advance only makes the loop infinite.
                if matches!(both.op, BinOp::AddAssign(_) | BinOp::SubAssign(_))
                    && matches!(&*both.right, Expr::Lit(one) if matches!(&one.lit, Lit::Int(one) if one.base10_digits() == "1"))
                {
                    self.visit_expr(&both.left);
                    return;
                }
            }
            Expr::Unary(not) if matches!(not.op, UnOp::Not(_)) => {
                self.add(site, not.op.span().byte_range(), "");
            }
            // The reserved capacity is not observable.
            Expr::MethodCall(call) if reserves(&call.method) => {
                self.visit_expr(&call.receiver);
                return;
            }
            Expr::MethodCall(call) => {
                if let Some(other) = other_method(&call.method.to_string()) {
                    self.add(site, call.method.span().byte_range(), other);
                }
            }
            Expr::Lit(literal) => self.literal(literal),
            Expr::Path(path) if is_constant(path) => {
                for change in ["+", "-"] {
                    let replacement = format!("{} {change} 1", &self.text[site.clone()]);
                    self.replace(site.clone(), replacement);
                }
            }
            // The name of a function is not a value to change.
            Expr::Call(call) if is_reserving(&call.func) => return,
            Expr::Call(call) if matches!(&*call.func, Expr::Path(_)) => {
                call.args.iter().for_each(|argument| self.visit_expr(argument));
                return;
            }
            Expr::Macro(call) => {
                if call.mac.path.is_ident("matches") {
                    self.matches(&call.mac, site);
                }
                return;
            }
            _ => {}
        }
        visit::visit_expr(self, expression);
    }
}
