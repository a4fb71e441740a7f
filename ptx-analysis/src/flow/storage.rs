//! The storage that the operands of a body access.

use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::ir::Param;
use ptx_isa::rules::access::Object;
use ptx_isa::sorted::SortedMap;

use crate::flow::name_table::NameTable;
use crate::flow::node::Referent;
use crate::flow::object::DeferredObject;

/// Storage that a body names, or the pointee of one of its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Storage<'a> {
    /// The possible objects: several if a condition chooses between them.
    pub(crate) choices: Vec<Choice<'a>>,
    /// The index of the pseudo-register that holds its contents, if it is a function parameter or
    /// an argument variable: nothing else can access those.
    pub(crate) content: Option<usize>,
    /// The pointers in it, if it is a struct parameter: the byte offset of each
    /// and the index of its pointee.
    pointers: Vec<(usize, usize)>,
    /// The index of the parameter that holds the pointer to it, if that is in a struct.
    pub(crate) holder: Option<usize>,
}

/// An object that a name may refer to.
#[derive(Clone, Debug)]
pub(crate) struct Choice<'a> {
    pub(crate) object: Object<'a>,
    /// The parameter, if it is one.
    pub(crate) param: Option<&'a Param<'a>>,
    /// The caller's identifier for it.
    pub(crate) id: DeferredObject,
    /// Whether it depends on an unknown constant.
    pub(crate) is_deferred: bool,
    /// Whether its alignment is known.
    pub(crate) is_aligned: bool,
    /// Whether it belongs to the body or the signature of a calling function: checks about it are
    /// not deferred.
    pub(crate) is_foreign: bool,
}

impl<'a> Choice<'a> {
    /// Creates the choice for a parameter or a return value.
    pub(crate) fn of_param(
        object: Object<'a>,
        param: Option<&'a Param<'a>>,
        id: DeferredObject,
    ) -> Self {
        // If the alignment of a parameter is a constant, its type or the caller determines it.
        let is_aligned = object.variable().align.is_some();
        Self { object, param, id, is_deferred: false, is_aligned, is_foreign: false }
    }

    /// Whether both are the same storage, possibly seen from different functions.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.is_foreign == other.is_foreign
            && self.id == other.id
            && core::ptr::eq(self.object.variable(), other.object.variable())
    }

    /// Returns the object or its pointee.
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
    /// Returns the object, or the first possible one.
    pub(crate) fn object(&self) -> Object<'a> {
        self.choices[0].object
    }

    /// Returns its state space; `None` if a condition decides it.
    pub(crate) fn space(&self) -> Option<Space> {
        let space = self.object().space();
        self.choices.iter().all(|choice| choice.object.space() == space).then_some(space)?
    }

    /// Whether it is a parameter that is, or may be, a pointer.
    pub(crate) fn may_point(&self) -> bool {
        self.choices[0].param.is_some_and(may_point)
    }

    /// Returns the state space that it points into; `None` if that is generic or not known.
    pub(crate) fn points_to(&self) -> Option<Space> {
        self.choices[0].at(true).0.pointer()?.space
    }

    /// Returns the index of the pointee of the pointer at this byte offset.
    pub(crate) fn pointer_at(&self, offset: Option<i128>) -> Option<usize> {
        let offset = usize::try_from(offset?).ok()?;
        let found = self.pointers.iter().find(|(at, _)| *at == offset);
        found.map(|(_, storage)| *storage)
    }

    /// Creates storage that is one of these objects.
    pub(crate) fn of(choices: Vec<Choice<'a>>) -> Self {
        Self { choices, content: None, pointers: Vec::new(), holder: None }
    }
}

/// Whether a parameter is, or may be, a pointer.
pub(crate) fn may_point(param: &Param<'_>) -> bool {
    param.pointer.is_some() || !param.variable.ty.is_known()
}

/// The storage and the registers that a body names, with their indices.
#[derive(Debug, Default)]
pub(crate) struct Memory<'a> {
    pub(crate) storages: Vec<Storage<'a>>,
    numbers: SortedMap<DeferredObject, usize>,
    /// The storage of calling functions, by the callers' identifiers and the place of declaration.
    foreign: SortedMap<(DeferredObject, usize), usize>,
    registers: NameTable<'a, Vec<(Declarer, usize)>>,
    /// The number of registers.
    count: usize,
}

/// The declaration of a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Declarer {
    /// A parameter.
    Param(usize),
    /// A return value.
    Return(usize),
    /// A declaration of the body.
    Declaration(usize),
}

impl<'a> Memory<'a> {
    /// Returns the index of storage with these possible objects.
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

    /// Returns the pointees of the pointers in a parameter.
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

    /// Returns the storage that a parameter in a register points to.
    pub(crate) fn pointed(&mut self, i: usize, param: &'a Param<'a>) -> usize {
        let object = Object::Input(&param.variable);
        let choice = Choice::of_param(object, Some(param), DeferredObject::Param(i));
        self.storages.push(Storage::of(vec![choice]));
        self.storages.len() - 1
    }

    /// Returns the pseudo-register with the contents of a parameter, if the body names the parameter.
    pub(crate) fn content_of(&self, param: usize) -> Option<usize> {
        let storage = self.numbers.get(&DeferredObject::Param(param))?;
        self.storages[*storage].content
    }

    /// Returns the number of registers.
    pub(crate) const fn registers(&self) -> usize {
        self.count
    }

    /// Returns the index of storage of a calling function.
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

    /// Returns the index of a register by its declaration and its name, as a family declares several.
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
