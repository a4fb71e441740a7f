//! The directives of PTX (PTX ISA 11), and those that only ptxas has.
//!
//! What each of them means is code elsewhere. Here is what readers of a text need who do not understand all of it: an
//! editor, a formatter, a comparison.

use crate::ir::DirectiveKind;

/// A directive.
#[derive(Clone, Copy, Debug)]
pub struct Directive {
    /// Its name with its dot.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Where it may stand.
    pub place: Place,
    /// What it says, in a line.
    pub about: &'static str,
}

/// What a directive is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It starts a text: `.version`.
    Header,
    /// It says who may use what is declared: `.visible`.
    Linkage,
    /// It declares a function: `.entry`.
    Function,
    /// It declares variables in a state space: `.shared`.
    Space,
    /// It declares another name: `.alias`.
    Alias,
    /// It has data for debuggers: `.section`.
    Section,
    /// It names lines of a source file: `.loc`.
    Line,
    /// It is a hint to ptxas: `.pragma`.
    Pragma,
    /// It declares what indirect branches and calls may reach: `.branchtargets`.
    Targets,
    /// It is about the function before it: `.maxntid`.
    OfFunction,
    /// It is part of a declaration: `.align`.
    OfDeclaration,
}

/// Where a directive may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Outside of functions.
    Module,
    /// In a body.
    Body,
    /// In both.
    Both,
    /// Between the parameters and the body of a function.
    Signature,
    /// In declarations.
    Declaration,
    /// In the parentheses of `.attribute`.
    Attribute,
    /// In texts of older versions alone.
    Older,
}

impl Directive {
    /// The directive with this name, which includes its dot.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        DIRECTIVES.iter().find(|directive| directive.name == name)
    }

    /// Whether it ends where nothing continues it, without a semicolon: `.version 8.0`, `.loc 1 2 3`.
    pub const fn is_open(&self) -> bool {
        matches!(self.kind, Kind::Header | Kind::Line)
    }

    /// Whether a declaration outside of functions starts with it, which is not that of a variable without linkage.
    pub const fn starts_item(&self) -> bool {
        matches!(self.kind, Kind::Linkage | Kind::Function | Kind::Alias | Kind::Section)
    }

    /// Whether the IR has no place for what it says, although it means something to ptxas.
    pub fn is_of_text(&self) -> bool {
        match self.kind {
            Kind::Alias | Kind::Pragma => true,
            Kind::OfFunction => !DirectiveKind::ALL.iter().any(|it| it.name() == &self.name[1..]),
            Kind::Header
            | Kind::Linkage
            | Kind::Function
            | Kind::Space
            | Kind::Section
            | Kind::Line
            | Kind::Targets
            | Kind::OfDeclaration => false,
        }
    }
}

const fn row(name: &'static str, kind: Kind, place: Place, about: &'static str) -> Directive {
    Directive { name, kind, place, about }
}

/// Every directive.
pub const DIRECTIVES: &[Directive] = {
    use Kind::{
        Alias, Function, Header, Line, Linkage, OfDeclaration, OfFunction, Pragma, Section, Space,
        Targets,
    };
    use Place::{Attribute, Body, Both, Declaration, Module, Older, Signature};
    &[
        row(".version", Header, Module, "The version of PTX of this text, the first directive."),
        row(".target", Header, Module, "The architecture that this text is for, and options."),
        row(".address_size", Header, Module, "The bits of an address: 64."),
        row(".visible", Linkage, Module, "Other modules may use what follows."),
        row(
            ".extern",
            Linkage,
            Both,
            "Another module declares what follows, or the launch its size.",
        ),
        row(
            ".weak",
            Linkage,
            Module,
            "Other modules may use what follows, and may declare it as well.",
        ),
        row(
            ".common",
            Linkage,
            Module,
            "A variable that several modules declare, and that is one.",
        ),
        row(".entry", Function, Module, "A kernel, which the host launches."),
        row(".func", Function, Module, "A device function, which kernels call."),
        row(".alias", Alias, Module, "A second name of a function."),
        row(".section", Section, Module, "A section of debug information (DWARF)."),
        row(".file", Line, Module, "A source file that `.loc` names by its number."),
        row(".loc", Line, Body, "The line of a source file that the next instructions are from."),
        row(".pragma", Pragma, Both, "A hint to ptxas in quotes, such as `\"nounroll\"`."),
        row(".reg", Space, Body, "Registers of the thread."),
        row(".local", Space, Body, "Memory of the thread."),
        row(".shared", Space, Both, "Memory that the threads of a block share."),
        row(".global", Space, Both, "Memory that all threads and the host share."),
        row(".const", Space, Both, "Memory that kernels only read, and that the host may set."),
        row(".param", Space, Body, "Parameters of a function, or of the next call."),
        row(".tex", Space, Older, "A texture; write `.global .texref` instead."),
        row(".branchtargets", Targets, Body, "The labels to which `brx.idx` may jump."),
        row(".calltargets", Targets, Body, "The functions that an indirect call may enter."),
        row(".callprototype", Targets, Body, "The signature of what an indirect call enters."),
        row(".maxntid", OfFunction, Signature, "The most threads of a block in each dimension."),
        row(".reqntid", OfFunction, Signature, "The threads of a block in each dimension."),
        row(
            ".minnctapersm",
            OfFunction,
            Signature,
            "The blocks that fit on a multiprocessor at least.",
        ),
        row(
            ".maxnctapersm",
            OfFunction,
            Older,
            "The most blocks on a multiprocessor; write `.minnctapersm` instead.",
        ),
        row(".maxnreg", OfFunction, Signature, "The most registers of a thread."),
        row(
            ".local_maxnreg",
            OfFunction,
            Signature,
            "The most registers of a thread in this function.",
        ),
        row(
            ".reqnctapercluster",
            OfFunction,
            Signature,
            "The blocks of a cluster in each dimension.",
        ),
        row(".maxclusterrank", OfFunction, Signature, "The most blocks of a cluster."),
        row(
            ".explicitcluster",
            OfFunction,
            Signature,
            "The launch says how many blocks a cluster has.",
        ),
        row(
            ".blocksareclusters",
            OfFunction,
            Signature,
            "The extents of a launch count clusters instead of blocks.",
        ),
        row(".noreturn", OfFunction, Signature, "The function does not return to its caller."),
        row(
            ".abi_preserve",
            OfFunction,
            Signature,
            "The number of registers of data that a call keeps.",
        ),
        row(
            ".abi_preserve_control",
            OfFunction,
            Signature,
            "The number of registers of control that a call keeps.",
        ),
        row(".align", OfDeclaration, Declaration, "The alignment in bytes."),
        row(
            ".ptr",
            OfDeclaration,
            Declaration,
            "The parameter is an address, of a space and an alignment.",
        ),
        row(".attribute", OfDeclaration, Declaration, "`.managed` or `.unified(..)`."),
        row(
            ".managed",
            OfDeclaration,
            Attribute,
            "The host may access the variable by its address, too.",
        ),
        row(
            ".unified",
            OfDeclaration,
            Attribute,
            "The variable or function has this identifier in all modules.",
        ),
    ]
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directives_of_functions_and_spaces_are_there() {
        let kind = |name: &str| Directive::from_name(name).map(|it| it.kind);
        for directive in DirectiveKind::ALL {
            let name = alloc::format!(".{}", directive.name());
            assert_eq!(kind(&name), Some(Kind::OfFunction), "{name}");
        }
        for space in
            crate::Space::ALL.iter().filter(|it| it.is_module_scope() || it.is_body_scope())
        {
            assert_eq!(kind(space.directive()), Some(Kind::Space), "{}", space.name());
        }
    }

    #[test]
    fn no_directive_is_there_twice() {
        for (n, directive) in DIRECTIVES.iter().enumerate() {
            assert!(directive.name.starts_with('.') && directive.about.ends_with('.'));
            let first = DIRECTIVES.iter().position(|it| it.name == directive.name);
            assert_eq!(first, Some(n), "{}", directive.name);
        }
    }
}
