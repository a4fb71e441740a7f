//! Aliases of functions (PTX ISA 11.6.5).

use core::fmt;

use ptx_isa::Version;
use ptx_isa::ir::{Function, FunctionKind, Linkage};
use ptx_isa::rules::check_redeclared;

use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::header::Header;
use crate::body::token::{Token, join};

/// The PTX version that has aliases.
const SINCE: Version = Version::new(6, 3);

/// `.alias name, function;`
pub(super) struct Alias<'a> {
    name: (&'a str, Extent),
    function: (&'a str, Extent),
}

impl<'a> Alias<'a> {
    /// Parses what follows `.alias`.
    pub(super) fn read(
        tokens: &[Token<'_, Extent>],
        keep: impl Fn(&str) -> &'a str,
    ) -> Option<Self> {
        let (name, rest) = join(tokens)?;
        let [Token::Sign(',', _), rest @ ..] = rest else { return None };
        let (function, []) = join(rest)? else { return None };
        Some(Self {
            name: (keep(&name.text), Extent::over(name.at)),
            function: (keep(&function.text), Extent::over(function.at)),
        })
    }

    /// Reports an alias that `functions`, those declared before it, do not allow.
    pub(super) fn check(
        &self,
        functions: &[&mut Function<'a>],
        earlier: &[Self],
        header: &Header,
        errors: &mut SyntaxErrors,
    ) {
        let Self { name: (name, at), function: (function, function_at) } = *self;
        header.needs("alias", SINCE, at, errors);
        let mut refuse = |at: Extent, why: fmt::Arguments<'_>| {
            errors.at(at, format_args!("{why} (PTX ISA 11.6.5)"));
        };
        let declared = |name: &str| functions.iter().find(|function| function.name == name);
        let Some(alias) = declared(name) else {
            return refuse(
                at,
                format_args!(
                    "no function is called `{name}` here; declare it before this, as in `.func {name}();`"
                ),
            );
        };
        let Some(aliased) = declared(function) else {
            return refuse(
                function_at,
                format_args!("no function is called `{function}` here; define it before this"),
            );
        };
        for (each, at) in [(alias, at), (aliased, function_at)] {
            if each.kind == FunctionKind::Kernel {
                return refuse(
                    at,
                    format_args!("`{}` is a kernel, and kernels have no aliases", each.name),
                );
            }
        }
        let has_body = |it: &&&mut Function<'_>| it.name == name && it.body.is_some();
        let is_given = |it: &&Self| it.name.0 == name;
        if functions.iter().any(|it| has_body(&it)) {
            refuse(
                at,
                format_args!("`{name}` has a body, and an alias has none; remove one of them"),
            );
        } else if earlier.iter().any(|it| is_given(&it)) {
            refuse(at, format_args!("`{name}` is an alias already; remove one of them"));
        } else if matches!(aliased.linkage, Linkage::Weak | Linkage::Extern | Linkage::Dynamic) {
            let linkage = aliased.linkage.directive().unwrap_or_default();
            refuse(
                function_at,
                format_args!("`{function}` is `{linkage}`, and such a function has no aliases"),
            );
        } else {
            // The IR has no aliases, and the two have different names there.
            let signature = Function { linkage: aliased.linkage, body: None, ..**alias };
            if !check_redeclared(&signature, aliased).is_empty() {
                refuse(
                    at,
                    format_args!(
                        "the signatures of `{name}` and `{function}` differ; declare `{name}` like `{function}`"
                    ),
                );
            }
        }
    }
}
