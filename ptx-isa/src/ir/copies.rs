//! What a module has of other modules: the functions that its own call there, with all that these need. PTX has no
//! syntax for it: the module has copies of them.

use super::function::Function;
use super::ty::Type;
use super::variable::{Linkage, Variable};
use crate::const_str::same;
use crate::scalar::ScalarType;
use crate::space::Space;

/// The most functions, and the most variables, that a module can have of others.
const MOST: usize = 512;

/// The functions and variables that are reached from some functions of other modules.
#[derive(Clone, Copy)]
pub struct Outside<'a> {
    functions: [Option<&'a Function<'a>>; MOST],
    function_count: usize,
    /// Each with the module of the function that names it, which declares it.
    variables: [Option<(&'a Variable<'a>, &'a str)>; MOST],
    variable_count: usize,
}

impl<'a> Outside<'a> {
    /// What is reached from the functions that a module calls in others. What the module declares itself is left out.
    pub const fn of(called: &[&'a Function<'a>], own: &[&Function<'_>]) -> Self {
        let mut found = Self {
            functions: [None; MOST],
            function_count: 0,
            variables: [None; MOST],
            variable_count: 0,
        };
        found.add_functions(called, own);
        let mut next = 0;
        while next < found.function_count {
            if let Some(function) = found.functions[next] {
                if let Some(sharing) = function.sharing {
                    found.add_functions(sharing.callees, own);
                }
                found.add_variables(function.uses, home_of(function));
            }
            next += 1;
        }
        found
    }

    const fn add_functions(&mut self, all: &[&'a Function<'a>], own: &[&Function<'_>]) {
        let mut n = 0;
        while n < all.len() {
            let is_own = position_of_function(own, all[n]) < own.len();
            if !is_own && !self.has_function(all[n]) {
                assert!(
                    self.function_count < MOST,
                    "a module can have at most 512 functions of others"
                );
                self.functions[self.function_count] = Some(all[n]);
                self.function_count += 1;
            }
            n += 1;
        }
    }

    const fn add_variables(&mut self, all: &[&'a Variable<'a>], home: &'a str) {
        let mut n = 0;
        while n < all.len() {
            if !self.has_variable((all[n], home)) {
                assert!(
                    self.variable_count < MOST,
                    "a module can have at most 512 variables of others"
                );
                self.variables[self.variable_count] = Some((all[n], home));
                self.variable_count += 1;
            }
            n += 1;
        }
    }

    const fn has_function(&self, sought: &Function<'_>) -> bool {
        let mut n = 0;
        while n < self.function_count {
            if let Some(function) = self.functions[n]
                && is_same_function(function, sought)
            {
                return true;
            }
            n += 1;
        }
        false
    }

    const fn has_variable(&self, sought: (&Variable<'_>, &str)) -> bool {
        let mut n = 0;
        while n < self.variable_count {
            if let Some(variable) = self.variables[n]
                && is_same_variable(variable, sought)
            {
                return true;
            }
            n += 1;
        }
        false
    }

    /// The number of functions.
    pub const fn function_count(&self) -> usize {
        self.function_count
    }

    /// The number of variables.
    pub const fn variable_count(&self) -> usize {
        self.variable_count
    }

    /// A function.
    pub const fn function(&self, n: usize) -> Option<&'a Function<'a>> {
        self.functions[n]
    }

    /// A variable, and the path of the module that declares it.
    pub const fn variable(&self, n: usize) -> Option<(&'a Variable<'a>, &'a str)> {
        self.variables[n]
    }

    /// The same without the variables that have one of these names.
    pub const fn without(&self, known: &[&Variable<'_>]) -> Self {
        let mut found = *self;
        found.variable_count = 0;
        let mut n = 0;
        while n < self.variable_count {
            if let Some((variable, _)) = self.variables[n]
                && !has_name(known, variable.name)
            {
                found.variables[found.variable_count] = self.variables[n];
                found.variable_count += 1;
            }
            n += 1;
        }
        found
    }

    /// The copies of the functions. What is visible is weak, so that modules with copies of one function can be linked.
    pub const fn functions<const N: usize>(&self) -> [Function<'a>; N] {
        let mut copies = [NO_FUNCTION; N];
        let mut n = 0;
        while n < N {
            if let Some(function) = self.functions[n] {
                copies[n] = Function { linkage: of_copy(function.linkage), ..*function };
            }
            n += 1;
        }
        copies
    }

    /// The copies of the variables.
    pub const fn variables<const N: usize>(&self) -> [Variable<'a>; N] {
        let mut copies = [NO_VARIABLE; N];
        let mut n = 0;
        while n < N {
            if let Some((variable, _)) = self.variables[n] {
                let linkage = match variable.space {
                    Space::Const | Space::Global => of_copy(variable.linkage),
                    _ => variable.linkage,
                };
                copies[n] = Variable { linkage, ..*variable };
            }
            n += 1;
        }
        copies
    }

    /// The number of shared variables that the bodies of the functions declare.
    pub const fn shared_count(&self) -> usize {
        let (mut count, mut n) = (0, 0);
        while n < self.function_count {
            if let Some(function) = self.functions[n] {
                count += shared_in(function.locals) + shared_in(function.idle_shared);
            }
            n += 1;
        }
        count
    }

    /// These variables, each as visible as its function.
    pub const fn shared<const N: usize>(&self) -> [Variable<'a>; N] {
        let mut found = [NO_VARIABLE; N];
        let (mut count, mut n) = (0, 0);
        while n < self.function_count {
            if let Some(function) = self.functions[n] {
                let mut list = 0;
                while list < 2 {
                    let all = if list == 0 { function.locals } else { function.idle_shared };
                    let mut i = 0;
                    while i < all.len() {
                        if matches!(all[i].space, Space::Shared) {
                            found[count] = all[i].declared_by(function.linkage);
                            count += 1;
                        }
                        i += 1;
                    }
                    list += 1;
                }
            }
            n += 1;
        }
        found
    }
}

/// References to a module's own functions, and to its copies of others.
pub const fn with_functions<'a, const N: usize>(
    own: &[&'a Function<'a>],
    copies: &'a [Function<'a>],
) -> [&'a Function<'a>; N] {
    both([&NO_FUNCTION; N], own, copies)
}

/// References to some variables, and to copies of others.
pub const fn with_variables<'a, const N: usize>(
    own: &[&'a Variable<'a>],
    copies: &'a [Variable<'a>],
) -> [&'a Variable<'a>; N] {
    both([&NO_VARIABLE; N], own, copies)
}

/// One list after the other.
const fn both<'a, T, const N: usize>(
    mut all: [&'a T; N],
    first: &[&'a T],
    second: &'a [T],
) -> [&'a T; N] {
    let mut n = 0;
    while n < N {
        all[n] = if n < first.len() { first[n] } else { &second[n - first.len()] };
        n += 1;
    }
    all
}

const NO_FUNCTION: Function<'static> = Function::new(super::FunctionKind::Device, "");
const NO_VARIABLE: Variable<'static> =
    Variable::new(Space::Global, "", &Type::Scalar(ScalarType::U8));

/// Whether one of these variables has this name.
pub(crate) const fn has_name(variables: &[&Variable<'_>], name: &str) -> bool {
    let mut n = 0;
    while n < variables.len() {
        if same(variables[n].name, name) {
            return true;
        }
        n += 1;
    }
    false
}

/// The linkage of a copy.
const fn of_copy(linkage: Linkage) -> Linkage {
    match linkage {
        Linkage::Visible => Linkage::Weak,
        Linkage::Internal
        | Linkage::Extern
        | Linkage::Dynamic
        | Linkage::Weak
        | Linkage::Common => linkage,
    }
}

const fn shared_in(variables: &[&Variable<'_>]) -> usize {
    let (mut count, mut n) = (0, 0);
    while n < variables.len() {
        if matches!(variables[n].space, Space::Shared) {
            count += 1;
        }
        n += 1;
    }
    count
}

const fn position_of_function(all: &[&Function<'_>], sought: &Function<'_>) -> usize {
    let mut n = 0;
    while n < all.len() && !is_same_function(all[n], sought) {
        n += 1;
    }
    n
}

/// The path of the module that declares a function.
const fn home_of<'a>(function: &Function<'a>) -> &'a str {
    match function.sharing {
        Some(sharing) => sharing.home,
        None => "",
    }
}

/// Whether two functions are one: constant code cannot compare addresses. What a `macro_rules!` writes twice has one place, and
/// is in two modules; and what is defined elsewhere is one, whoever declares it.
pub(crate) const fn is_same_function(one: &Function<'_>, other: &Function<'_>) -> bool {
    let are_elsewhere = one.linkage.is_elsewhere() && other.linkage.is_elsewhere();
    same(one.name, other.name)
        && (are_elsewhere
            || same(home_of(one), home_of(other))
                && super::location::is_one_place(one.place, other.place))
}

/// Whether two variables of these modules are one.
pub(crate) const fn is_same_variable(
    (one, home): (&Variable<'_>, &str),
    (other, others): (&Variable<'_>, &str),
) -> bool {
    same(one.name, other.name)
        && same(home, others)
        && super::location::is_one_place(one.place, other.place)
}
