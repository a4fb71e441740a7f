//! `assembles!(saxpy, softmax => [sm_90a] where registers <= 168, spills = 0)`

use proc_macro2::{Span, TokenStream};
use ptx_isa::rules::Comparison;
use ptx_isa::{Resource, Target};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Lit, Path, Token, bracketed, token};

use crate::args::target;
use crate::depth::refuse_deep;
use crate::errors::Errors;
use crate::name::ptx_name;
use ptx_isa::near::alternatives;

/// The input of `assembles!`.
pub struct Assembles {
    /// The modules to assemble.
    pub modules: Vec<Path>,
    /// The targets to assemble for, in addition to each module's own.
    pub targets: Vec<Target>,
    /// The resource limits that the assembled modules must meet.
    pub demands: Vec<(Resource, Comparison, Expr)>,
}

/// Parses the macro's input. Parts that cannot be parsed are reported and left out.
pub fn parse(input: TokenStream, errors: &mut Errors) -> Option<Assembles> {
    if refuse_deep(&input, errors) {
        return None;
    }
    let (mut targets, mut demands) = (Vec::new(), Vec::new());
    let read = |input: ParseStream<'_>| {
        let mut modules = Vec::new();
        while !is_end_of_modules(input) {
            if input.peek(Lit) {
                return Err(input.error("a module is named by its path, as in `saxpy`"));
            }
            modules.push(Path::parse_mod_style(input)?);
            if is_end_of_modules(input) {
                break;
            }
            comma(
                input,
                "write `,` and another module, `=> [sm_90a, ..]`, or `where registers <= 40`",
            )?;
        }
        if input.parse::<Option<Token![=>]>>()?.is_some() {
            let list;
            if !input.peek(token::Bracket) {
                return Err(input.error("write a list of targets in brackets: `[sm_90a]`"));
            }
            bracketed!(list in input);
            let list = Punctuated::<Expr, Token![,]>::parse_terminated(&list)?;
            targets.extend(list.iter().filter_map(|expr| target(expr, errors)));
        }
        if input.parse::<Option<Token![where]>>()?.is_some() {
            while !input.is_empty() {
                demands.extend(parse_demand(input, errors)?);
                if !input.is_empty() {
                    comma(input, "write `,` before another condition; targets go before `where`")?;
                }
            }
        }
        if !input.is_empty() {
            return Err(input.error("write `where` and a condition: `where registers <= 40`"));
        }
        Ok(modules)
    };
    let modules = match Parser::parse2(read, input) {
        Ok(modules) => modules,
        Err(error) => {
            errors.push(error);
            return None;
        }
    };
    if modules.is_empty() && errors.is_empty() {
        errors.at(Span::call_site(), "name a module to assemble: `ptx::assembles!(saxpy)`");
    }
    Some(Assembles { modules, targets, demands })
}

fn is_end_of_modules(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![=>]) || input.peek(Token![where])
}

/// Parses a comma, or fails with `message`.
fn comma(input: ParseStream<'_>, message: &str) -> syn::Result<()> {
    if input.parse::<Option<Token![,]>>()?.is_some() {
        return Ok(());
    }
    Err(syn::Error::new(input.span(), message))
}

/// Parses a limit such as `registers <= 168`. Returns `None` if the resource was reported as unknown.
fn parse_demand(
    input: ParseStream<'_>,
    errors: &mut Errors,
) -> syn::Result<Option<(Resource, Comparison, Expr)>> {
    let word: Ident = input.parse()?;
    let Some(comparison) = parse_comparison(input)? else {
        let message =
            format!("write how many `{word}` are allowed: `registers <= 168`, `spills = 0`");
        return Err(syn::Error::new(word.span(), message));
    };
    let amount = input.parse()?;
    let name = word.to_string();
    let found = Resource::from_name(&name);
    if found.is_none() {
        let advice = alternatives(&name, Resource::ALL.iter().map(|resource| resource.name()));
        errors.at(word.span(), format_args!("ptxas does not count `{name}`; {advice}"));
    }
    Ok(found.map(|resource| (resource, comparison, amount)))
}

fn parse_comparison(input: ParseStream<'_>) -> syn::Result<Option<Comparison>> {
    Ok(Some(if input.parse::<Option<Token![<=]>>()?.is_some() {
        Comparison::LessOrEqual
    } else if input.parse::<Option<Token![>=]>>()?.is_some() {
        Comparison::GreaterOrEqual
    } else if input.parse::<Option<Token![==]>>()?.is_some()
        || input.parse::<Option<Token![=]>>()?.is_some()
    {
        Comparison::Equal
    } else if input.parse::<Option<Token![<]>>()?.is_some() {
        Comparison::Less
    } else if input.parse::<Option<Token![>]>>()?.is_some() {
        Comparison::Greater
    } else {
        return Ok(None);
    }))
}

/// The name of a module's test: `kernels_saxpy_assembles` for `crate::kernels::saxpy`.
pub fn test_name(module: &Path) -> Ident {
    let segments = module.segments.iter().map(|segment| &segment.ident);
    let named = segments.clone().map(ptx_name);
    let named = named.filter(|name| !["crate", "self", "super"].contains(&name.as_str()));
    let mut name: String = named.map(|name| name + "_").collect();
    name.push_str("assembles");
    let span = segments.last().map_or_else(Span::call_site, Ident::span);
    Ident::new(&name, span)
}
