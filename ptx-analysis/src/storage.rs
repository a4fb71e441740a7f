//! What the operands of a body go to.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::Space;
use ptx_types::ir::Param;
use ptx_types::rules::access::Object;

use crate::name_table::NameTable;
use crate::node::Referent;
use crate::object::DeferredObject;

/// Storage that a body names, or what a parameter of it points to.
#[derive(Clone, Debug)]
pub(crate) struct Storage<'a> {
    /// What it can be: several where a condition chooses.
    pub(crate) choices: Vec<Choice<'a>>,
    /// The number of what stands for a register with what it holds, if it is a parameter of a function or
    /// what a body passes for one: nothing else goes there.
    pub(crate) content: Option<usize>,
    /// The pointers in it, if it is a parameter that is a struct: how far from its start each is, in bytes,
    /// and the number of what it points to.
    pointers: Vec<(usize, usize)>,
    /// The number of the parameter in which the pointer to it is, if that is one in a struct.
    pub(crate) holder: Option<usize>,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) object: Object<'a>,
    /// The parameter that it is.
    pub(crate) param: Option<&'a Param<'a>>,
    /// What the caller finds it by.
    pub(crate) id: DeferredObject,
    /// Whether a constant that is not known decides a part of it.
    pub(crate) is_deferred: bool,
    /// Whether its alignment is known.
    pub(crate) is_aligned: bool,
    /// Whether it is of the body or the signature of a function that calls this one: nothing is put off
    /// that is about it.
    pub(crate) is_foreign: bool,
}

impl<'a> Choice<'a> {
    /// A parameter, or what is returned.
    pub(crate) fn of_param(
        object: Object<'a>,
        param: Option<&'a Param<'a>>,
        id: DeferredObject,
    ) -> Self {
        // Where the alignment of a parameter is a constant, its type or the caller knows it.
        let is_aligned = object.variable().align.is_some();
        Self { object, param, id, is_deferred: false, is_aligned, is_foreign: false }
    }

    /// Whether both are the same storage, of whichever functions.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.is_foreign == other.is_foreign
            && self.id == other.id
            && core::ptr::eq(self.object.variable(), other.object.variable())
    }

    /// The object, or what it points to.
    pub(crate) fn at(&self, is_pointee: bool) -> (Object<'a>, DeferredObject) {
        match (is_pointee, self.param, &self.id) {
            (true, Some(param), DeferredObject::Param(i)) => {
                (Object::Pointee(param), DeferredObject::Pointee(*i))
            }
            (_, _, id) => (self.object, id.clone()),
        }
    }
}

impl<'a> Storage<'a> {
    /// What it is, or the first that it can be.
    pub(crate) fn object(&self) -> Object<'a> {
        self.choices[0].object
    }

    /// The state space that it is in; `None` where a condition decides.
    pub(crate) fn space(&self) -> Option<Space> {
        let space = self.object().space();
        self.choices.iter().all(|choice| choice.object.space() == space).then_some(space)?
    }

    /// Whether it is a parameter that is a pointer, or may be one.
    pub(crate) fn points_perhaps(&self) -> bool {
        self.choices[0].param.is_some_and(points_perhaps)
    }

    /// The state space that it points into; `None` where that is generic, or not known.
    pub(crate) fn points_to(&self) -> Option<Space> {
        self.choices[0].at(true).0.pointer()?.space
    }

    /// The number of what a pointer in it points to, that many bytes from its start.
    pub(crate) fn pointer_at(&self, offset: Option<i128>) -> Option<usize> {
        let offset = usize::try_from(offset?).ok()?;
        let found = self.pointers.iter().find(|(at, _)| *at == offset);
        found.map(|(_, storage)| *storage)
    }

    /// What can be one of these.
    pub(crate) fn of(choices: Vec<Choice<'a>>) -> Self {
        Self { choices, content: None, pointers: Vec::new(), holder: None }
    }
}

/// Whether a parameter is a pointer, or may be one.
pub(crate) fn points_perhaps(param: &Param<'_>) -> bool {
    param.pointer.is_some() || !param.variable.ty.is_known()
}

/// The storage and the registers that a body names, numbered.
#[derive(Debug, Default)]
pub(crate) struct Memory<'a> {
    pub(crate) storages: Vec<Storage<'a>>,
    numbers: BTreeMap<DeferredObject, usize>,
    /// The storage of calling functions, by what those find it by and where it is declared.
    foreign: BTreeMap<(DeferredObject, usize), usize>,
    registers: NameTable<'a, Vec<(Declarer, usize)>>,
    /// How many registers there are.
    count: usize,
}

/// What declares a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Declarer {
    /// A parameter.
    Param(usize),
    /// What is returned.
    Return(usize),
    /// A declaration of the body.
    Declaration(usize),
}

impl<'a> Memory<'a> {
    /// The number of storage that can be these.
    pub(crate) fn storage(&mut self, choices: Vec<Choice<'a>>) -> Referent {
        let next = self.storages.len();
        let index = *self.numbers.entry(choices[0].id.clone()).or_insert(next);
        if index == next {
            let has_content = matches!(choices[0].object, Object::Input(_) | Object::LocalParam(_));
            let content = has_content.then_some(self.count);
            self.count += usize::from(has_content);
            let param = match (choices[0].param, &choices[0].id) {
                (Some(param), DeferredObject::Param(i)) => Some((*i, param)),
                (_, _) => None,
            };
            self.storages.push(Storage { content, ..Storage::of(choices) });
            if let Some((i, param)) = param {
                self.storages[index].pointers = self.pointers_in(index, i, param);
            }
        }
        Referent::Storage(index)
    }

    /// What the pointers in a parameter point to.
    fn pointers_in(
        &mut self,
        holder: usize,
        i: usize,
        param: &'a Param<'a>,
    ) -> Vec<(usize, usize)> {
        let mut pointers = Vec::new();
        param.variable.ty.for_each_pointer(&mut |at, pointer| {
            let object = Object::FieldPointee(param, at, pointer);
            let id = DeferredObject::FieldPointee(i, at);
            pointers.push((at, self.storages.len()));
            let choices = vec![Choice::of_param(object, None, id)];
            self.storages.push(Storage { holder: Some(holder), ..Storage::of(choices) });
        });
        pointers
    }

    /// The storage that a parameter in a register points to.
    pub(crate) fn pointed(&mut self, i: usize, param: &'a Param<'a>) -> usize {
        let object = Object::Input(&param.variable);
        let choice = Choice::of_param(object, Some(param), DeferredObject::Param(i));
        self.storages.push(Storage::of(vec![choice]));
        self.storages.len() - 1
    }

    /// What stands for a register with what a parameter of the function holds, if the body names that.
    pub(crate) fn content_of(&self, param: usize) -> Option<usize> {
        let storage = self.numbers.get(&DeferredObject::Param(param))?;
        self.storages[*storage].content
    }

    /// The number of storage of a calling function.
    pub(crate) fn foreign(&mut self, choice: &Choice<'a>) -> usize {
        let next = self.storages.len();
        let variable = core::ptr::from_ref(choice.object.variable()).addr();
        let index = if choice.is_foreign {
            *self.foreign.entry((choice.id.clone(), variable)).or_insert(next)
        } else {
            next
        };
        if index == next {
            self.storages.push(Storage::of(vec![choice.clone()]));
        }
        index
    }

    /// The number of a register: of its declaration and its name, which differs in a family.
    pub(crate) fn register(&mut self, declarer: Declarer, name: &'a str) -> Referent {
        let numbers = self.registers.of(name);
        match numbers.binary_search_by_key(&declarer, |(other, _)| *other) {
            Ok(known) => Referent::Register(numbers[known].1),
            Err(place) => {
                numbers.reserve_exact(usize::from(numbers.is_empty()));
                numbers.insert(place, (declarer, self.count));
                self.count += 1;
                Referent::Register(self.count - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests;
