//! The macro in which tables of rules are written.

/// Defines a table of rules, and for each subject a function that evaluates them.
///
/// `$Table` is the [`Table`](super::Table), and `$columns` a macro that interprets its columns: `source`, `kind` and
/// `part` give the values of a row, and `asked` states whether a row is among those that the arguments after
/// `asks` select.
///
/// The head of a subject has the parameters and arguments of its tests, the name of the declaration, the sites where
/// its rules can be allowed if their kind can be allowed at all, and after `by` the lists of allowed codes: each
/// list applies to the rows that can be allowed at its site. A row may add sites with `also on`. If the head has
/// `each i in x`, a row is evaluated for each index of the part that it blames and that `x` has; there is then a
/// second function, `at once`, which returns only whether any row is broken. It evaluates every index, and so needs
/// an `x` in which nothing is wrong at the indices that it does not have. If the head has `placed by` other
/// arguments, the tests of rows with an `if` take those, and are evaluated only if the function after `if` returns
/// that they apply, which does not depend on the place. `facts` evaluates that for all rows, and `at once` then
/// evaluates the remaining tests.
///
/// The fix is stated in Rust, for storage that is declared there. A row whose fix names anything that PTX does not
/// have gives the fix for readers of PTX after `ptx`.
///
/// The head ends with the cases in which its rules are [silent](super::Silence) although something may be wrong:
/// `never`, or a literal in parentheses that continues "silent ..". A row may add further cases; after `each`, every
/// row must.
macro_rules! rules {
    (
        @subject $Table:ty, $columns:ident, $question:tt ($($asked:ident: $Asked:ty),*);
        $(#[$doc:meta])*
        fn $subject:ident($($param:ident: $Param:ty),*) tests $args:tt () of $name:expr, allowed $allowed:tt;
        $($code:ident $test:ident $part:tt ();)*
    ) => {
        $(#[$doc])*
        /// Returns the first selected rule at or after row `from` that is broken, and its row.
        pub(super) const fn $subject<'a>(
            $($param: $Param,)* from: usize, $($asked: $Asked),*
        ) -> Option<(usize, $crate::rule::Violation<'a, $Table>)> {
            let mut row = 0;
            $(
                if row >= from
                    && $columns!(asked $code $part $question)
                    && let Some(args) = $test $args
                {
                    let rule: &'static $crate::rule::Rule<$Table> = &$code;
                    let is_allowed = $crate::rule::rules!(@allowed rule $allowed);
                    return Some((row, rule.violation($name, args, is_allowed)));
                }
                row += 1;
            )*
            let _ = row;
            None
        }
    };

    (
        @subject $Table:ty, $columns:ident, $question:tt ($($asked:ident: $Asked:ty),*);
        $(#[$doc:meta])*
        fn $subject:ident($($param:ident: $Param:ty),*) tests $args:tt
            (($i:ident in $whole:ident, at once $at_once:ident)) of $name:expr, allowed $allowed:tt;
        $($code:ident $test:ident $part:tt ();)*
    ) => {
        $(#[$doc])*
        /// Returns the first selected rule at or after the position `from` that is broken, and its position.
        pub(super) const fn $subject<'a>(
            $($param: $Param,)* from: usize, $($asked: $Asked),*
        ) -> Option<(usize, $crate::rule::Violation<'a, $Table>)> {
            let mut position = 0;
            $(
                let end = position + const { $code.blames.count() };
                if from < end && $columns!(asked $code $part $question) {
                    let mut $i = from.saturating_sub(position);
                    while $i < $code.blames.count_in($whole) {
                        if let Some(args) = $test $args {
                            let rule: &'static $crate::rule::Rule<$Table> = &$code;
                            let is_allowed = $crate::rule::rules!(@allowed rule $allowed);
                            let mut violation = rule.violation($name, args, is_allowed);
                            violation.blames = rule.blames.at($i, $whole);
                            return Some((position + $i, violation));
                        }
                        $i += 1;
                    }
                }
                position = end;
            )*
            let _ = position;
            None
        }

        $(#[$doc])*
        /// Whether any of the selected rules is broken. All are evaluated together, without a branch for
        /// each, which costs less than finding the first; the other function finds it.
        #[inline(always)]
        #[allow(clippy::inline_always)] // The selection is a constant at each call.
        pub(super) const fn $at_once($($param: $Param,)* $($asked: $Asked),*) -> bool {
            let mut is_broken = false;
            $(
                if $columns!(asked $code $part $question) {
                    const COUNT: usize = $code.blames.count();
                    $crate::rule::rules!(@indices $i COUNT $part { is_broken |= $test $args.is_some() });
                }
            )*
            is_broken
        }
    };

    (
        @subject $Table:ty, $columns:ident, $question:tt ($($asked:ident: $Asked:ty),*);
        $(#[$doc:meta])*
        fn $subject:ident($($param:ident: $Param:ty),*) tests $args:tt
            ((by $placed:tt, facts $Facts:ident by $facts:ident, at once $at_once:ident)) of $name:expr, allowed $allowed:tt;
        $($code:ident $test:ident $part:tt ($($applies:ident)?);)*
    ) => {
        $(#[$doc])*
        /// Returns the first selected rule at or after row `from` that is broken, and its row.
        pub(super) const fn $subject<'a>(
            $($param: $Param,)* from: usize, $($asked: $Asked),*
        ) -> Option<(usize, $crate::rule::Violation<'a, $Table>)> {
            let mut row = 0;
            $(
                if row >= from
                    && $columns!(asked $code $part $question)
                    && let Some(args) =
                        $crate::rule::rules!(@test $test $args $placed ($($applies)?))
                {
                    let rule: &'static $crate::rule::Rule<$Table> = &$code;
                    let is_allowed = $crate::rule::rules!(@allowed rule $allowed);
                    return Some((row, rule.violation($name, args, is_allowed)));
                }
                row += 1;
            )*
            let _ = row;
            None
        }

        $(#[$doc])*
        /// The part that does not depend on the place: whether a rule without a place is broken, and whether each
        /// of the others applies. It has a field for each, since evaluating a mask costs more.
        #[allow(non_snake_case, dead_code)] // The fields of rules without a place are not read.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $Facts {
            is_broken: bool,
            $($code: bool,)*
        }

        /// Evaluates the facts.
        pub(super) const fn $facts<'a>($($param: $Param),*) -> $Facts {
            let mut facts = $Facts { is_broken: false, $($code: false,)* };
            $($crate::rule::rules!(@fact facts $code $test $args ($($applies)?));)*
            facts
        }

        $(#[$doc])*
        /// Whether any rule is broken, given these facts and the place, which costs less than finding the
        /// first; the other function finds it.
        pub(super) const fn $at_once<'a>(facts: &$Facts, $($param: $Param),*) -> bool {
            $($crate::rule::rules!(@placed facts $code $test $placed ($($applies)?));)*
            facts.is_broken
        }
    };

    (@test $test:ident $args:tt $placed:tt ()) => {
        $test $args
    };

    (@test $test:ident $args:tt $placed:tt ($applies:ident)) => {
        if $applies $args { $test $placed } else { None }
    };

    (@fact $facts:ident $code:ident $test:ident $args:tt ()) => {
        if $test $args.is_some() {
            $facts.is_broken = true;
        }
    };

    (@fact $facts:ident $code:ident $test:ident $args:tt ($applies:ident)) => {
        $facts.$code = $applies $args;
    };

    (@placed $facts:ident $code:ident $test:ident $placed:tt ()) => {};

    (@placed $facts:ident $code:ident $test:ident $placed:tt ($applies:ident)) => {
        if $facts.$code && let Some(_) = $test $placed {
            return true;
        }
    };

    (@indices $i:ident $count:ident (each $part:ident) $body:block) => {
        $crate::rule::rules!(@indices $i $count 0 1 2 3 4 $body);
        const { assert!($count <= 5, "every index is asked") };
    };

    (@indices $i:ident $count:ident $part:ident $body:block) => {
        let $i: usize = 0;
        $body
        const { assert!($count == 1, "every index is asked") };
    };

    (@indices $i:ident $count:ident $($index:literal)* $body:block) => {
        $(
            let $i: usize = $index;
            if $i < $count $body
        )*
    };

    (@sites nowhere) => {
        $crate::rule::AllowanceSites::NOWHERE
    };

    (@sites (on $($site:ident)|+ $(, by $($at:ident: $list:expr),+)?) $(($($more:ident)|+))?) => {
        $crate::rule::AllowanceSites::NOWHERE
            $(.and($crate::rule::AllowanceSite::$site))+
            $($(.and($crate::rule::AllowanceSite::$more))+)?
    };

    (@allowed $rule:ident nowhere) => {
        false
    };

    (@allowed $rule:ident (on $($site:ident)|+)) => {
        false
    };

    (@allowed $rule:ident (on $($site:ident)|+, by $($at:ident: $list:expr),+)) => {
        false $(|| $rule.is_allowed_by($crate::rule::AllowanceSite::$at, $list))+
    };

    (@silence $code:ident never ($($rule:literal)?)) => {
        $crate::rule::Silence { subject: "", rule: concat!($($rule)?) }
    };

    (@silence $code:ident ($subject:literal) ($($rule:literal)?)) => {
        $crate::rule::Silence { subject: $subject, rule: concat!($($rule)?) }
    };

    (@silence $code:ident (each) ($rule:literal)) => {
        $crate::rule::Silence { subject: "", rule: $rule }
    };

    (@silence $code:ident (each $subject:literal) ($rule:literal)) => {
        $crate::rule::Silence { subject: $subject, rule: $rule }
    };

    (@silence $code:ident $subject:tt ()) => {
        compile_error!(concat!(
            stringify!($code),
            " does not say when it is silent: write `silent \"where ..\"` after its fix"
        ))
    };

    (
        $Table:ty, $columns:ident, asks $asked:tt;
        $(
            $(#[$doc:meta])*
            fn $subject:ident($($param:ident: $Param:ty),*) tests $args:tt $(each $each:tt)?
                $(placed $placed:tt)? of $name:expr, allowed $allowed:tt, silent $silent:tt;
            $($code:ident $test:ident $source:tt $kind:tt $part:tt $(also on $more:tt)? $(if $applies:ident)?:
                $message:literal, $fix:literal $(, ptx $ptx:literal)? $(, silent $quiet:literal)?;)*
        )*
    ) => {
        // A duplicate code is a constant that is defined twice.
        $($(
            pub(super) const $code: $crate::rule::Rule<$Table> = $crate::rule::Rule {
                code: stringify!($code),
                name: stringify!($test),
                subject: stringify!($subject),
                source: $columns!(source $source),
                kind: $columns!(kind $kind),
                blames: $columns!(part $part),
                allowed: if $columns!(kind $kind).can_be_allowed() {
                    $crate::rule::rules!(@sites $allowed $($more)?)
                } else {
                    $crate::rule::AllowanceSites::NOWHERE
                },
                message: $message,
                fix: $fix,
                fix_in_ptx: concat!($($ptx)?),
                silence: $crate::rule::rules!(@silence $code $silent ($($quiet)?)),
            };
        )*)*

        /// Every rule, by subject.
        pub const RULES: &[$crate::rule::Rule<$Table>] = &[$($($code,)*)*];

        $($crate::rule::rules! {
            @subject $Table, $columns, $asked $asked;
            $(#[$doc])*
            fn $subject($($param: $Param),*) tests $args ($($each)? $($placed)?) of $name, allowed $allowed;
            $($code $test $part ($($applies)?);)*
        })*
    };
}

pub(crate) use rules;
