//! The directives (PTX ISA 11), each with what it says in a line.

/// Where a directive may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
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
}

/// A directive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Directive {
    /// Its name with its dot.
    pub(super) name: &'static str,
    /// Where it may stand.
    pub(super) place: Where,
    /// What it says.
    pub(super) about: &'static str,
}

const fn row(name: &'static str, place: Where, about: &'static str) -> Directive {
    Directive { name, place, about }
}

/// Every directive.
pub(super) const DIRECTIVES: &[Directive] = &[
    row(".version", Where::Module, "The version of PTX of this text, the first directive."),
    row(".target", Where::Module, "The architecture that this text is for, and options."),
    row(".address_size", Where::Module, "The bits of an address: 64."),
    row(".visible", Where::Module, "Other modules may use what follows."),
    row(".extern", Where::Both, "Another module declares what follows, or the launch its size."),
    row(".weak", Where::Module, "Other modules may use what follows, and may declare it as well."),
    row(".common", Where::Module, "A variable that several modules declare, and that is one."),
    row(".entry", Where::Module, "A kernel, which the host launches."),
    row(".func", Where::Module, "A device function, which kernels call."),
    row(".alias", Where::Module, "A second name of a function."),
    row(".section", Where::Module, "A section of debug information (DWARF)."),
    row(".file", Where::Module, "A source file that `.loc` names by its number."),
    row(".loc", Where::Body, "The line of a source file that the next instructions are from."),
    row(".pragma", Where::Both, "A hint to ptxas in quotes, such as `\"nounroll\"`."),
    row(".reg", Where::Body, "Registers of the thread."),
    row(".local", Where::Body, "Memory of the thread."),
    row(".shared", Where::Both, "Memory that the threads of a block share."),
    row(".global", Where::Both, "Memory that all threads and the host share."),
    row(".const", Where::Both, "Memory that kernels only read, and that the host may set."),
    row(".param", Where::Body, "Parameters of a function, or of the next call."),
    row(".branchtargets", Where::Body, "The labels to which `brx.idx` may jump."),
    row(".calltargets", Where::Body, "The functions that an indirect call may enter."),
    row(".callprototype", Where::Body, "The signature of what an indirect call enters."),
    row(".maxntid", Where::Signature, "The most threads of a block in each dimension."),
    row(".reqntid", Where::Signature, "The threads of a block in each dimension."),
    row(".minnctapersm", Where::Signature, "The blocks that fit on a multiprocessor at least."),
    row(".maxnreg", Where::Signature, "The most registers of a thread."),
    row(".reqnctapercluster", Where::Signature, "The blocks of a cluster in each dimension."),
    row(".maxclusterrank", Where::Signature, "The most blocks of a cluster."),
    row(".explicitcluster", Where::Signature, "The launch says how many blocks a cluster has."),
    row(".noreturn", Where::Signature, "The function does not return to its caller."),
    row(".align", Where::Declaration, "The alignment in bytes."),
    row(".ptr", Where::Declaration, "The parameter is an address, of a space and an alignment."),
    row(".attribute", Where::Declaration, "`.managed` or `.unified(..)`."),
];

/// What a directive says.
pub(super) fn about(name: &str) -> Option<&'static str> {
    DIRECTIVES.iter().find(|directive| directive.name == name).map(|directive| directive.about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_isa::Space;
    use ptx_isa::ir::DirectiveKind;

    #[test]
    fn the_directives_of_functions_and_spaces_are_there() {
        for kind in DirectiveKind::ALL {
            assert!(about(&format!(".{}", kind.name())).is_some(), "{}", kind.name());
        }
        for space in Space::ALL.iter().filter(|it| it.is_module_scope() || it.is_body_scope()) {
            assert!(about(space.directive()).is_some(), "{}", space.name());
        }
    }
}
