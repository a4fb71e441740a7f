//! Which names a body may use (PTX ISA 4.4).

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use ptx_types::ir;
use ptx_types::ir::family::is_member;

use crate::families::Families;
use crate::name_table::NameTable;

/// What a name stands for that the function itself declares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning<'a> {
    /// A declaration in the body, with its number among them.
    Declared(&'a ir::Variable<'a>, usize),
    /// A parameter, by its number.
    Param(usize),
    /// What is returned, by its number.
    Return(usize),
    /// A label, or what a declaration that could not be read may declare.
    Other,
}

/// What is declared under one name in the open blocks, by how many are around: the innermost last.
#[derive(Debug, Default)]
struct Named<'a> {
    meanings: Vec<(usize, Meaning<'a>)>,
    labels: Vec<usize>,
}

/// A family that has members which no other of its name in the block has that was declared before it.
#[derive(Clone, Copy, Debug)]
struct Family<'a> {
    count: Option<usize>,
    /// How many were declared before it.
    order: usize,
    meaning: Meaning<'a>,
}

impl Family<'_> {
    fn has(&self, member: usize) -> bool {
        self.count.is_none_or(|count| member < count)
    }
}

/// The families by one name in the open blocks, by how many are around.
type OfBlocks<'a> = Vec<(usize, Vec<Family<'a>>)>;

/// What the blocks declare that are open.
#[derive(Debug, Default)]
pub(crate) struct Scopes<'a> {
    /// What is declared, by the name.
    named: NameTable<'a, Named<'a>>,
    families: Families<'a, OfBlocks<'a>>,
    /// The names in each block that is open, by how many are around, and whether they are labels.
    names: BTreeSet<(usize, bool, &'a str)>,
    /// The families in each block that is open, with how many members each has.
    open: Vec<Vec<(&'a str, Option<usize>)>>,
    /// How often the meaning of a name may have changed.
    generation: usize,
}

impl<'a> Scopes<'a> {
    /// That of the whole body, in which the parameters of the function are declared.
    pub(crate) fn of(function: &'a ir::Function<'a>) -> Self {
        let mut scopes = Self { open: vec![Vec::new()], ..Self::default() };
        for (i, param) in function.params.iter().enumerate() {
            scopes.name(param.variable.name, Meaning::Param(i));
        }
        for (i, param) in function.returns.iter().enumerate() {
            scopes.name(param.variable.name, Meaning::Return(i));
        }
        scopes
    }

    /// A number that is another one whenever a name may have another meaning.
    pub(crate) fn generation(&self) -> usize {
        self.generation
    }

    /// How many blocks are around the innermost one.
    fn depth(&self) -> usize {
        self.open.len() - 1
    }

    /// Starts a block.
    pub(crate) fn open(&mut self) {
        self.open.push(Vec::new());
    }

    /// Ends a block.
    pub(crate) fn close(&mut self) {
        let depth = self.depth();
        if depth == 0 {
            return;
        }
        let families = self.open.pop().unwrap_or_default();
        let mut is_empty = families.is_empty();
        for (family, _) in families {
            self.families.of(family).pop_if(|(of, _)| *of == depth);
        }
        while let Some((_, is_label, name)) = self.names.last().copied().filter(|it| it.0 == depth)
        {
            self.names.pop_last();
            is_empty = false;
            let named = self.named.of(name);
            if is_label {
                named.labels.pop();
            } else {
                named.meanings.pop();
            }
        }
        self.generation += usize::from(!is_empty);
    }

    /// What a name stands for.
    pub(crate) fn find(&self, name: &str) -> Option<Meaning<'a>> {
        Some(self.innermost(name)?.1)
    }

    /// What a name stands for, and how many blocks are around the one that says so.
    fn innermost(&self, name: &str) -> Option<(usize, Meaning<'a>)> {
        let named = self.named.get(name);
        let meaning = named.and_then(|named| named.meanings.last().copied());
        let label = named.and_then(|named| named.labels.last()).map(|of| (*of, Meaning::Other));
        let families = self.families.with_member(name).filter_map(|(of_blocks, member)| {
            of_blocks.iter().rev().find_map(|(depth, families)| {
                // Each has more members than those before it.
                let family = families.partition_point(|family| !family.has(member));
                Some((*depth, *families.get(family)?))
            })
        });
        // Of several in a block it is the first.
        let family = families.min_by_key(|(depth, family)| (Reverse(*depth), family.order));
        let family = family.map(|(depth, family)| (depth, family.meaning));
        let all = [meaning, family, label].into_iter().flatten();
        all.reduce(|one, other| if one.0 >= other.0 { one } else { other })
    }

    /// Has a name stand for something in the innermost block.
    fn name(&mut self, name: &'a str, meaning: Meaning<'a>) {
        let depth = self.depth();
        let meanings = &mut self.named.of(name).meanings;
        if self.names.insert((depth, false, name)) {
            meanings.reserve_exact(usize::from(meanings.is_empty()));
            meanings.push((depth, meaning));
        } else if let Some(last) = meanings.last_mut() {
            last.1 = meaning;
        }
    }

    /// Has the members of a family stand for something in the innermost block.
    fn name_family(&mut self, name: &'a str, count: Option<usize>, meaning: Meaning<'a>) {
        let depth = self.depth();
        let Some(open) = self.open.last_mut() else { return };
        let family = Family { count, order: open.len(), meaning };
        open.push((name, count));
        let of_blocks = self.families.of(name);
        match of_blocks.last_mut().filter(|(of, _)| *of == depth) {
            Some((_, families)) => {
                let last = families.last().map(|last| last.count);
                let has_more = match (last, count) {
                    (Some(Some(last)), Some(count)) => count > last,
                    (Some(Some(_)) | None, _) => true,
                    (Some(None), _) => false,
                };
                if has_more {
                    families.push(family);
                }
            }
            None => of_blocks.push((depth, vec![family])),
        }
    }

    /// Declares a label of the innermost block; whether its name was free.
    pub(crate) fn declare_label(&mut self, name: &'a str) -> bool {
        self.generation += 1;
        let depth = self.depth();
        let is_new = self.names.insert((depth, true, name));
        if is_new {
            let labels = &mut self.named.of(name).labels;
            labels.reserve_exact(usize::from(labels.is_empty()));
            labels.push(depth);
        }
        is_new && !self.names.contains(&(depth, false, name))
    }

    /// Takes a name for declared, as one or as a family.
    pub(crate) fn assume(&mut self, name: &'a str) {
        self.generation += 1;
        self.name(name, Meaning::Other);
        self.name_family(name, None, Meaning::Other);
    }

    /// Declares a variable by this name; whether that was free.
    pub(crate) fn declare(
        &mut self,
        name: &'a str,
        variable: &'a ir::Variable<'a>,
        number: usize,
    ) -> bool {
        self.generation += 1;
        let depth = self.depth();
        let meaning = Meaning::Declared(variable, number);
        let Some((count, _)) = variable.ty.family() else {
            let is_free = self.innermost(name).is_none_or(|(of, _)| of < depth);
            self.name(name, meaning);
            return is_free;
        };
        let count = count.known();
        let is_known = self.families.of(name).last().is_some_and(|(of, _)| *of == depth);
        let overlaps = is_known || self.has_member((name, count));
        self.name_family(name, count, meaning);
        !overlaps
    }

    /// Whether the innermost block declares a name that a member of a family has, too.
    fn has_member(&self, (family, count): (&'a str, Option<usize>)) -> bool {
        let others = self.names.range((self.depth(), false, family)..);
        let mut others = others
            .take_while(|(of, is_label, other)| {
                *of == self.depth() && !is_label && other.starts_with(family)
            })
            .map(|(_, _, other)| *other);
        others.any(|other| is_member(other, family, count))
    }

    /// The names that can be seen from here, and the families with how many members each has.
    pub(crate) fn visible(&self) -> (Vec<&'a str>, Vec<(&'a str, Option<usize>)>) {
        let names = self.names.iter().map(|(_, _, name)| *name);
        (names.collect(), self.open.iter().flatten().copied().collect())
    }
}

#[cfg(test)]
mod tests;
