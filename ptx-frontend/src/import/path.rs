//! The path of the imported file.

use std::env;

use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Macro, Token};

use crate::errors::Errors;
use crate::group::Peel;

/// Evaluates the path: a literal, or `concat!` and `env!` of literals, as for a build script's
/// `concat!(env!("OUT_DIR"), "/kernels.ptx")`.
pub(super) fn written(path: &Expr, errors: &mut Errors) -> Option<String> {
    match text(path) {
        Ok(text) if text.trim().is_empty() => {
            errors.on(path, "the path is empty; name a file of PTX: `\"kernels.ptx\"`");
            None
        }
        Ok(text) => Some(text),
        Err(Wrong(part, message)) => {
            errors.on(part, message);
            None
        }
    }
}

/// An expression that is not a path, and the message about it.
struct Wrong(Box<Expr>, String);

fn text(expr: &Expr) -> Result<String, Wrong> {
    let wrong = |message: &str| Err(Wrong(Box::new(expr.clone()), message.to_owned()));
    match expr.peel() {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Ok(text.value()),
            _ => wrong("a path is a string: `\"kernels.ptx\"`"),
        },
        Expr::Macro(call) if call.mac.path.is_ident("concat") => {
            arguments(&call.mac, expr)?.iter().map(text).collect()
        }
        Expr::Macro(call) if call.mac.path.is_ident("env") => {
            let arguments = arguments(&call.mac, expr)?;
            let Some(name) = arguments.first() else {
                return wrong("`env!` takes the name of a variable");
            };
            let name = text(name)?;
            env::var(&name).map_err(|_| {
                let message = format!("the environment variable `{name}` is not set, or is not Unicode; set it for the build");
                Wrong(Box::new(expr.clone()), message)
            })
        }
        Expr::Cast(_) => wrong("a module is named before its file: `mod name = \"kernels.ptx\"`"),
        _ => wrong(
            "a macro sees the file while it expands, so its path is a literal, or `concat!` and `env!` of literals",
        ),
    }
}

fn arguments(call: &Macro, whole: &Expr) -> Result<Vec<Expr>, Wrong> {
    let parsed = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
    let parsed = parsed.map_err(|error| Wrong(Box::new(whole.clone()), error.to_string()))?;
    Ok(parsed.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::written;
    use crate::errors::Errors;

    #[test]
    fn literals_and_macros_of_literals_are_paths() {
        let mut errors = Errors::default();
        let found = written(&parse_quote!("a.ptx"), &mut errors);
        assert_eq!(found.as_deref(), Some("a.ptx"));
        let folder = env!("CARGO_MANIFEST_DIR");
        let path = parse_quote!(concat!(env!("CARGO_MANIFEST_DIR"), "/", "a.ptx",));
        assert_eq!(written(&path, &mut errors), Some(format!("{folder}/a.ptx")));
        assert!(errors.is_empty());

        for path in [
            parse_quote!(PATH),
            parse_quote!(12),
            parse_quote!(""),
            parse_quote!(" "),
            parse_quote!(env!("NO_SUCH_VARIABLE_IS_SET")),
            parse_quote!(env!()),
            parse_quote!(format!("a.ptx")),
        ] {
            let before = errors.len();
            assert_eq!(written(&path, &mut errors), None);
            assert_eq!(errors.len(), before + 1);
        }
    }
}
