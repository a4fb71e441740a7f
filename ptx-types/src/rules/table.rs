//! The table. A new rule is one row here, its test beside the others of its subject, and a file
//! in `ui-tests/`.

use super::function::{
    directive_out_of_range, directive_too_new, directive_wrong_target, directive_zero,
    directives_conflict, minnctapersm_alone, params_over_limit, shared_over_limit, special_too_new,
    special_wrong_target,
};
use super::layout::{
    aligned_pads, host_layout_differs, pointer_below_natural, pointer_not_power_of_two, struct_pads,
};
use super::module::{const_over_limit, no_such_version, version_below_target};
use super::value::{
    float_becomes_infinite, inexact_kind, initialiser_of_extern, initialiser_space,
    inner_list_incomplete, integer_out_of_range, value_shape,
};
use super::variable::{
    align_below_natural, align_not_power_of_two, align_too_large, common_outside_global,
    const_variable_over_limit, extent_missing, extent_zero, illegal_name, linkage_too_new,
    managed_outside_global, managed_too_new, predicate_stored, predicate_vector, same_name,
    space_not_here, type_too_new, type_wrong_target, vector_lanes, vector_too_wide,
};
use super::{Environment, Kind, Padding, Part, Rule, Scope, Violation};
use crate::ir::{Function, Module, Param, Variable};

macro_rules! rules {
    ($(
        $(#[$doc:meta])*
        fn $subject:ident($($param:ident: $Param:ty),*) tests $args:tt of $name:expr;
        $($code:ident $test:ident $section:literal $kind:ident $blames:ident: $message:literal, $fix:literal;)*
    )*) => {
        $($(
            const $code: Rule = Rule {
                code: stringify!($code),
                name: stringify!($test),
                subject: stringify!($subject),
                section: $section,
                kind: Kind::$kind,
                blames: Part::$blames,
                message: $message,
                fix: $fix,
            };
        )*)*

        /// Every rule, by subject.
        pub const RULES: &[Rule] = &[$($($code,)*)*];

        $(
            $(#[$doc])*
            /// The first rule broken at or after row `from`, of those that blame `part` if given.
            pub(super) const fn $subject<'a>(
                $($param: $Param,)* from: usize, part: Option<Part>,
            ) -> Option<(usize, Violation<'a>)> {
                let mut row = 0;
                $(
                    if row >= from
                        && match part {
                            Some(part) => part.covers(Part::$blames),
                            None => true,
                        }
                        && let Some(args) = $test $args
                    {
                        return Some((row, Violation { rule: &$code, subject: $name, args }));
                    }
                    row += 1;
                )*
                let _ = row;
                None
            }
        )*
    };
}

rules! {
    /// Rules of one variable or parameter.
    fn variable(variable: &Variable<'a>, scope: Scope, env: Environment) tests (variable, scope, env) of variable.name;
    D001 illegal_name "4.4" Refused Name:
        "`{0}` is no name in PTX: {1}", "{2}";
    D003 predicate_stored "5.4.1" Refused Element:
        "`{0}` is a predicate, and predicates live in registers only", "store a `u8`, or declare `.reg .pred` in the body";
    D004 vector_too_wide "5.4.2" Refused Element:
        "`{0}` is {1} bytes, and a PTX vector holds at most 16", "use {2}";
    D005 align_not_power_of_two "5.4.5" Refused Align:
        "the alignment {0} is not a power of two", "write {1} or {2}";
    D030 align_too_large "5.4.5" Refused Align:
        "the alignment {0} is more than PTX can say", "write 2147483648 or less";
    D031 predicate_vector "5.4.2" Refused Type:
        "`{0}` is no PTX type: there are no vectors and no arrays of predicates", "declare several predicates, as in `.reg .pred %p<4>`";
    D006 align_below_natural "5.4.5" Hazard Align:
        "the alignment {0} is below the {1} that `{2}` needs, and an access to it would fault", "write {1} or more, or leave it out";
    D007 initialiser_space "5.4.4" Refused Value:
        "`{0}` is in `{1}`, which takes no initial value: only `.const` and `.global` do", "remove the value and store it when the kernel starts";
    D008 extent_zero "5.4.3" Refused Extent:
        "`{0}` has an extent of zero: `{1}`", "give every dimension at least 1 element";
    D009 const_variable_over_limit "5.1.3" Refused Type:
        "`{0}` takes {1} bytes, and constant memory holds {2}", "put it into `#[global]`, or pass a `Ptr<Const, T>` parameter";
    D010 extent_missing "5.4.3" Refused Type:
        "`{0}` has no length: `{1}`", "write the number of elements, or use `#[shared(dynamic)]` for memory that the launch sizes";
    D011 type_too_new "5.2.1" Refused Element:
        "`{0}` needs PTX {1} or newer, and the module says {2}", "write `version = {1}` or leave the version out";
    D012 type_wrong_target "5.2.1" Refused Element:
        "`{0}` needs sm_{1} or newer, and the target is {2}", "choose a newer target";
    D013 initialiser_of_extern "5.4.4" Refused Value:
        "`{0}` is {1} and takes no initial value", "remove the value";
    D014 integer_out_of_range "5.4.4" Unenforced Value:
        "`{0}` does not fit into `{1}`, which holds {2} to {3}", "write a value in that range or choose a wider type";
    D015 vector_lanes "5.4.2" Refused Element:
        "`{0}` has {1} elements, and a PTX vector has 2 or 4", "use `.v2` or `.v4`, with an element of padding for three";
    D016 aligned_pads "5.4.5" Unenforced Element:
        "`{0}` is {1} bytes, no multiple of its alignment {2}: Rust would pad it and PTX would not", "fill it to a multiple, or align the variable with `align = {2}`";
    D017 space_not_here "5.1" Refused Space:
        "`{0}` cannot be declared {1}", "{2}";
    D018 value_shape "5.4.4" Refused Value:
        "the initial value of `{0}` does not have the shape of `{1}`: {2}", "nest one list of values in each dimension";
    D025 common_outside_global "11.6" Refused Linkage:
        "`{0}` is in `{1}`, and only `.global` variables can be `.common`", "leave `common` out";
    D026 managed_outside_global "5.4.8" Refused Linkage:
        "`{0}` is in `{1}`, and only `.global` variables can be `.managed`", "leave `managed` out, or use `#[global(managed)]`";
    D027 linkage_too_new "11.6" Refused Linkage:
        "`{0}` needs PTX {1} or newer, and the module says {2}", "write `version = {1}` or leave the version out";
    D028 managed_too_new "5.4.8" Refused Linkage:
        "`.managed`, which `{0}` is, needs PTX {1} or newer, and the module says {2}", "write `version = {1}` or leave the version out";
    D024 inner_list_incomplete "5.4.4" Hazard Value:
        "an inner list of `{0}` is incomplete, and ptxas moves what follows it into the gap", "write all its values, zeros too, unless nothing follows";
    D029 float_becomes_infinite "5.4.4" Unenforced Value:
        "a number in the initial value of `{0}` is beyond what `.{1}` holds, and would become infinite", "write one in its range, or infinity itself";
    D019 inexact_kind "5.4.4" Refused Value:
        "the initial value of `{0}` is {1}, and `{2}` takes {3}", "write it as the type needs it";

    /// Rules of a parameter beyond its variable's.
    fn param(param: &Param<'a>) tests (param) of param.variable.name;
    D020 pointer_not_power_of_two "5.1.6.3" Refused Type:
        "the alignment {0} of what `{1}` points to is not a power of two", "write {2} or {3}";
    D021 pointer_below_natural "5.1.6.3" Hazard Type:
        "`{1}` points to `{2}`, which needs an alignment of {3}, and promises only {0}", "leave the alignment out, or promise at least {3}";

    /// The rule of names.
    fn duplicate(name: &'a str, earlier: &'a str) tests (name, earlier) of name;
    D002 same_name "4.4" Refused Name:
        "`{0}` is declared twice in this scope", "give one of them another name";

    /// Rules of a Rust type's layout.
    fn layout(ty: &'a crate::ir::Type<'a>, size: usize, align: usize, name: &'a str) tests (ty, size, align, name) of name;
    D022 host_layout_differs "5.4.5" Unenforced Type:
        "Rust lays `{0}` out in {1} bytes aligned to {2}, and PTX does not", "report this: a type of the library is wrong";

    /// Rules of a derived struct's fields.
    fn padding(padding: &Padding<'a>) tests (padding) of padding.name;
    D023 struct_pads "5.1.6.4" Unenforced Type:
        "`{0}` has {1} bytes of padding before {2}: their bytes would be undefined", "reorder the fields, or fill the gap with a field `[u8; {1}]`";

    /// Rules of a function's signature.
    fn function(function: &Function<'a>, env: Environment) tests (function, env) of function.name;
    F001 params_over_limit "5.1.6.1" Refused Name:
        "the parameters of `{0}` take {1} bytes, and {3} takes at most {2}", "pass a pointer to global memory instead";
    F002 shared_over_limit "5.1.7" Refused Name:
        "`{0}` uses {1} bytes of static shared memory, and ptxas takes at most {2} here", "move some into `#[shared(dynamic)]`, which the launch sizes{3}";
    F003 directive_too_new "11.4" Refused Directive:
        "`.{0}` needs PTX {1} or newer, and the module says {2}", "write `version = {1}` or leave the version out";
    F004 directive_wrong_target "11.4" Refused Directive:
        "`.{0}` needs sm_{1} or newer, and the target is {2}", "remove it or choose a newer target";
    F005 directive_zero "11.4" Refused DirectiveValue:
        "`.{0}` is zero here", "write at least 1";
    F006 directive_out_of_range "11.4" Unenforced DirectiveValue:
        "`.{0}` is {1} here, and hardware has 1 to {2}", "choose a value in that range";
    F007 directives_conflict "11.4" Refused Directives:
        "`.{0}` and `.{1}` say the same in two ways", "leave one of them out";
    F008 minnctapersm_alone "11.4" Unenforced Directives:
        "`.minnctapersm` is ignored where the size of a block is not given", "write `maxntid` or `reqntid` too";

    /// Rules of a special register in a body.
    fn special(name: &'a str, env: Environment) tests (name, env) of name;
    S001 special_too_new "5.1.2" Refused Name:
        "`{0}` needs PTX {1} or newer, and the module says {2}", "write `version = {1}` or leave the version out";
    S002 special_wrong_target "5.1.2" Refused Name:
        "`{0}` needs sm_{1} or newer, and the target is {2}", "choose a newer target";

    /// Rules of a module as a whole.
    fn module(module: &Module<'a>) tests (module) of module.name;
    T001 version_below_target "11.1" Refused Version:
        "{0} needs PTX {1} or newer, and the module says {2}", "write `version = {1}` or leave the version out";
    T002 no_such_version "11.1" Refused Version:
        "there is no PTX {0}", "write {1} or {2}";
    T003 const_over_limit "5.1.3" Refused Name:
        "the constants of `{0}` take {1} bytes with their padding, and constant memory holds {2}; the largest is `{3}`", "put some into `#[global]`";
}

const _: () = {
    let mut i = 0;
    while i < RULES.len() {
        let mut j = i + 1;
        while j < RULES.len() {
            assert!(!crate::ir::same(RULES[i].code, RULES[j].code), "a rule's code stands twice");
            j += 1;
        }
        i += 1;
    }
};
