//! Addresses of pages of the site, which is that of the manifest.

/// The site.
macro_rules! site {
    ($page:literal) => {
        concat!(env!("CARGO_PKG_HOMEPAGE"), "/", $page)
    };
}

/// The page about the tool.
pub(crate) const TOOL: &str = site!("tool.html");

/// The page of a mistake that ptxas accepts, by its name.
pub(crate) fn of_mistake(name: &str) -> String {
    format!("{}{name}.html", site!("mistakes/"))
}

/// The page of the rule with this code: what `ptx explain` prints.
pub(crate) fn of_rule(code: &str) -> String {
    format!("{}{code}.html", site!("rules/"))
}
