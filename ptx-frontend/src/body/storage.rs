//! What the operands of a body go to.

use ptx_types::Space;
use ptx_types::ir::{FunctionKind, Param};
use ptx_types::rules::access::Object;

use super::VariableUse;
use super::flow::Referent;
use super::names::{Resolver, Thing};

/// Storage that a body names, or what a parameter of it points to.
#[derive(Clone, Debug)]
pub(super) struct Storage<'a> {
    /// What it can be: several where `cfg` chooses.
    pub(super) choices: Vec<Choice<'a>>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) struct Choice<'a> {
    pub(super) object: Object<'a>,
    /// The parameter that it is.
    pub(super) param: Option<&'a Param<'a>>,
    pub(super) late: DeferredObject,
    /// Whether a Rust constant decides a part of it.
    pub(super) is_late: bool,
    /// Whether tokens tell its alignment.
    pub(super) is_aligned: bool,
}

/// What rustc finds for a name in an operand.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum DeferredObject {
    /// A variable of the module.
    Variable(VariableUse),
    /// A parameter.
    Param(usize),
    /// What is returned.
    Return(usize),
    /// One of the body's declarations.
    Declaration(usize),
    /// What a parameter points to.
    Pointee(usize),
}

impl<'a> Storage<'a> {
    /// What it is, or the first that it can be.
    pub(super) fn object(&self) -> Object<'a> {
        self.choices[0].object
    }

    /// The state space that it is in; `None` where `cfg` decides.
    pub(super) fn space(&self) -> Option<Space> {
        let space = self.object().space();
        self.choices.iter().all(|choice| choice.object.space() == space).then_some(space)?
    }

    /// Whether it is a parameter that is a pointer, or that rustc may find to be one.
    pub(super) fn points_perhaps(&self) -> bool {
        self.choices[0].param.is_some_and(points_perhaps)
    }

    /// The state space that it points into; `None` where that is generic, or rustc knows it.
    pub(super) fn points_to(&self) -> Option<Space> {
        self.choices[0].param?.pointer?.space
    }
}

pub(super) fn points_perhaps(param: &Param<'_>) -> bool {
    param.pointer.is_some() || !param.variable.ty.is_known()
}

impl<'a: 'b, 'b> Resolver<'_, 'a, 'b> {
    /// What a name in an operand stands for.
    pub(super) fn referent(&mut self, name: &str) -> Referent {
        let function = self.context.function;
        let thing = self.lookup(name);
        let choices = match thing {
            Some(Thing::Param(i)) if function.params[i].variable.space == Space::Reg => {
                return self.register(usize::MAX - i, name);
            }
            Some(Thing::Return(i)) if function.returns[i].variable.space == Space::Reg => {
                return self.register(usize::MAX / 2 - i, name);
            }
            Some(Thing::Declared(declaration, n)) if declaration.space == Space::Reg => {
                return self.register(n, name);
            }
            Some(Thing::Param(i)) => {
                let param = &function.params[i];
                let object = match function.kind {
                    FunctionKind::Kernel => Object::EntryParam(param),
                    FunctionKind::Device => Object::Input(&param.variable),
                };
                vec![of_param(object, Some(param), DeferredObject::Param(i))]
            }
            Some(Thing::Return(i)) => {
                let object = Object::Return(&function.returns[i].variable);
                vec![of_param(object, None, DeferredObject::Return(i))]
            }
            Some(Thing::Declared(declaration, n)) => {
                let ir = self.lower(declaration);
                let is_param = declaration.space == Space::Param;
                let object = if is_param { Object::LocalParam(ir) } else { Object::Variable(ir) };
                vec![Choice {
                    object,
                    param: None,
                    late: DeferredObject::Declaration(n),
                    is_late: declaration.has_splice(),
                    is_aligned: true,
                }]
            }
            Some(Thing::Other) => return Referent::Other,
            None => {
                let Some((found, ptx_name)) = self.context.symbols.variables(name) else {
                    return Referent::Other;
                };
                let choice = |symbol: &super::Symbol<&'a ptx_types::ir::Variable<'a>>| {
                    let member = symbol.ir.ty.family().map(|_| ptx_name.clone());
                    let arena = &self.context.lowering.arena;
                    let ir = arena.alloc(symbol.ir.member(arena.alloc_str(&ptx_name)));
                    Choice {
                        object: Object::Variable(ir),
                        param: None,
                        late: DeferredObject::Variable(VariableUse { index: symbol.index, member }),
                        is_late: found.len() > 1,
                        is_aligned: !symbol.is_aligned_late,
                    }
                };
                found.iter().map(choice).collect()
            }
        };
        let (next, late) = (self.storages.len(), choices[0].late.clone());
        let index = *self.storage_numbers.entry(late).or_insert(next);
        if index == next {
            self.storages.push(Storage { choices });
        }
        Referent::Storage(index)
    }

    /// The storage that a parameter in a register points to.
    pub(super) fn pointing_register(&mut self, i: usize, param: &'a Param<'a>) -> usize {
        let choice =
            of_param(Object::Input(&param.variable), Some(param), DeferredObject::Param(i));
        self.storages.push(Storage { choices: vec![choice] });
        self.storages.len() - 1
    }

    /// The number of a register: its declaration, and its name for one of a family.
    fn register(&mut self, declaration: usize, name: &str) -> Referent {
        let next = self.registers.len();
        let key = (declaration, name.to_owned());
        Referent::Register(*self.registers.entry(key).or_insert(next))
    }
}

fn of_param<'a>(
    object: Object<'a>,
    param: Option<&'a Param<'a>>,
    late: DeferredObject,
) -> Choice<'a> {
    // Where the alignment of a parameter is a Rust constant, rustc knows it.
    let is_aligned = object.variable().align.is_some();
    Choice { object, param, late, is_late: false, is_aligned }
}
