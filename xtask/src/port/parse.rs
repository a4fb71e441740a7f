//! The items of a PTX file.

use std::collections::BTreeSet;

use super::allowance::Allowances;
use super::names::Names;
use super::tokens::Tokens;

/// The header before the items.
#[derive(Default)]
pub(super) struct Header {
    pub(super) target: Option<String>,
    pub(super) version: Option<String>,
    /// Whether textures and samplers are independent.
    pub(super) is_independent: bool,
}

/// The linkage before the name of a function or variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Linkage {
    Internal,
    Visible,
    Extern,
    Weak,
    Common,
}

/// An item in Rust.
pub(super) struct Item {
    /// The PTX name of a function that is only declared.
    pub(super) declares: Option<String>,
    pub(super) text: String,
}

/// Reads the items of a file.
pub(super) struct Parser<'t> {
    pub(super) tokens: Tokens<'t>,
    pub(super) header: Header,
    pub(super) names: Names,
    allowed: &'t Allowances,
    pub(super) items: Vec<Item>,
    /// The functions with bodies, by PTX name.
    pub(super) defined: BTreeSet<String>,
    /// Descriptions of the parts without a form in Rust.
    pub(super) left_out: Vec<String>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str, allowed: &'t Allowances) -> Self {
        Self {
            tokens: Tokens::new(text),
            header: Header::default(),
            names: Names::of_file(text),
            allowed,
            items: Vec::new(),
            defined: BTreeSet::new(),
            left_out: Vec::new(),
        }
    }

    /// Reads the whole file.
    pub(super) fn parse_file(&mut self) -> Result<(), String> {
        while self.tokens.peek().is_some() {
            self.parse_item()?;
        }
        Ok(())
    }

    fn parse_item(&mut self) -> Result<(), String> {
        let mut linkage = Linkage::Internal;
        loop {
            let token = self.tokens.take()?;
            linkage = match token {
                ".visible" => Linkage::Visible,
                ".extern" => Linkage::Extern,
                ".weak" => Linkage::Weak,
                ".common" => Linkage::Common,
                ".entry" => return self.parse_function(true, linkage),
                ".func" => return self.parse_function(false, linkage),
                ".global" | ".const" | ".shared" => {
                    return self.parse_variables(token.trim_start_matches('.'), linkage);
                }
                other => return self.parse_directive(other),
            };
        }
    }

    fn parse_directive(&mut self, token: &str) -> Result<(), String> {
        match token {
            ".version" => self.header.version = Some(self.tokens.take()?.to_owned()),
            ".target" => self.parse_target()?,
            ".address_size" => {
                let bits = self.tokens.number()?;
                if bits != 64 {
                    return Err(format!(
                        "addresses have {bits} bits, and 64 in Rust; compile for 64"
                    ));
                }
            }
            ".section" => {
                self.tokens.take()?;
                self.tokens.braces()?;
            }
            ";" => {}
            other => {
                return Err(format!("`{other}` has no form in Rust; leave what it says out"));
            }
        }
        Ok(())
    }

    fn parse_target(&mut self) -> Result<(), String> {
        self.header.target = Some(self.tokens.take()?.to_owned());
        while self.tokens.accept(",") {
            match self.tokens.take()? {
                "texmode_independent" => self.header.is_independent = true,
                "texmode_unified" => {}
                "debug" => self.left_out.push("`debug` of `.target`".to_owned()),
                other => {
                    return Err(format!("`{other}` of `.target` has no form in Rust; remove it"));
                }
            }
        }
        Ok(())
    }

    /// `allow(A021, A036)` for an item with allowances.
    pub(super) fn allowance(&self, name: &str) -> Option<String> {
        let codes = self.allowed.of(name)?;
        Some(format!("allow({})", codes.collect::<Vec<_>>().join(", ")))
    }
}

/// `#[word(a, b)]`, or `#[word]`.
pub(super) fn attribute(word: &str, arguments: &[String]) -> String {
    if arguments.is_empty() {
        format!("    #[{word}]\n")
    } else {
        format!("    #[{word}({})]\n", arguments.join(", "))
    }
}
