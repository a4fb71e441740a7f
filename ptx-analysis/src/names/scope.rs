//! The names in scope (PTX ISA 4.4).

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use ptx_isa::ir;
use ptx_isa::ir::family::is_member;
use ptx_isa::sorted::SortedSet;

use crate::flow::name_table::NameTable;
use crate::names::families::Families;

/// The referent of a name that the function itself declares.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning<'a> {
    /// A declaration in the body, with its index.
    Declared(&'a ir::Variable<'a>, usize),
    /// A parameter, by its index.
    Param(usize),
    /// A return value, by its index.
    Return(usize),
    /// A label, or a name that a declaration which could not be parsed may declare.
    Other,
}

/// The meanings of one name in the open blocks, with the nesting depth: the innermost last.
#[derive(Debug, Default)]
struct Named<'a> {
    meanings: Vec<(usize, Meaning<'a>)>,
    labels: Vec<usize>,
}

/// A family with more members than all earlier families of its name in the block.
#[derive(Clone, Copy, Debug)]
struct Family<'a> {
    count: Option<usize>,
    /// The number of declarations before it.
    order: usize,
    meaning: Meaning<'a>,
}

impl Family<'_> {
    fn has(&self, member: usize) -> bool {
        self.count.is_none_or(|count| member < count)
    }
}

/// The families of one name in the open blocks, by nesting depth.
type OfBlocks<'a> = Vec<(usize, Vec<Family<'a>>)>;

/// The declarations in the open blocks.
#[derive(Debug, Default)]
pub(crate) struct Scopes<'a> {
    /// The declarations by name.
    named: NameTable<'a, Named<'a>>,
    families: Families<'a, OfBlocks<'a>>,
    /// The names in each open block, by nesting depth, and whether they are labels.
    names: SortedSet<(usize, bool, &'a str)>,
    /// The families in each open block, with their numbers of members.
    open: Vec<Vec<(&'a str, Option<usize>)>>,
    /// Counts the changes that may affect the meaning of a name.
    generation: usize,
}

impl<'a> Scopes<'a> {
    /// Creates the scope of the whole body, in which the function's parameters are declared.
    pub(crate) fn of(function: &'a ir::Function<'a>) -> Self {
        let mut scopes = Self { open: vec![Vec::new()], ..Self::default() };
        let inputs = (0..).zip(function.params).map(|(i, param)| (param, Meaning::Param(i)));
        let outputs = (0..).zip(function.returns).map(|(i, param)| (param, Meaning::Return(i)));
        // Where an operand is `_`, it is not a name, although ptxas lets a parameter have it.
        for (param, meaning) in inputs.chain(outputs).filter(|(it, _)| it.variable.name != "_") {
            scopes.name(param.variable.name, meaning);
        }
        scopes
    }

    /// Returns a number that changes whenever a name may have changed its meaning.
    pub(crate) fn generation(&self) -> usize {
        self.generation
    }

    /// Returns the nesting depth of the innermost block.
    fn depth(&self) -> usize {
        self.open.len() - 1
    }

    /// Opens a block.
    pub(crate) fn open(&mut self) {
        self.open.push(Vec::new());
    }

    /// Closes a block.
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

    /// Returns the meaning of a name.
    pub(crate) fn find(&self, name: &str) -> Option<Meaning<'a>> {
        let (_, meaning) = self.innermost(name).or_else(|| self.family(name, true))?;
        Some(meaning)
    }

    /// Whether a name is surely that of a label.
    pub(crate) fn is_label(&self, name: &str) -> bool {
        let has_label = |named: &Named<'_>| !named.labels.is_empty() && named.meanings.is_empty();
        matches!(self.find(name), Some(Meaning::Other))
            && self.named.get(name).is_some_and(has_label)
    }

    /// Returns the meaning of a name, and the nesting depth of its declaration.
    fn innermost(&self, name: &str) -> Option<(usize, Meaning<'a>)> {
        let named = self.named.get(name);
        let meaning = named.and_then(|named| named.meanings.last().copied());
        let label = named.and_then(|named| named.labels.last()).map(|of| (*of, Meaning::Other));
        let all = [meaning, self.family(name, false), label].into_iter().flatten();
        all.reduce(|one, other| if one.0 >= other.0 { one } else { other })
    }

    /// Returns the meaning of a member of a family, and the nesting depth of the family's declaration. ptxas finds no
    /// members of a family whose name `ends_in_digit`: a rule reports the family, and not each of their uses.
    fn family(&self, name: &str, ends_in_digit: bool) -> Option<(usize, Meaning<'a>)> {
        let families = self.families.with_member(name).filter(|(family, ..)| {
            family.ends_with(|last: char| last.is_ascii_digit()) == ends_in_digit
        });
        let families = families.filter_map(|(_, of_blocks, member)| {
            of_blocks.iter().rev().find_map(|(depth, families)| {
                // Each family has more members than those before it.
                let family = families.partition_point(|family| !family.has(member));
                Some((*depth, *families.get(family)?))
            })
        });
        // Within a block, the first declaration counts.
        let family = families.min_by_key(|(depth, family)| (Reverse(*depth), family.order));
        family.map(|(depth, family)| (depth, family.meaning))
    }

    /// Declares a name in the innermost block.
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

    /// Declares a family in the innermost block.
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

    /// Declares a label in the innermost block, and returns whether its name was free.
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

    /// Assumes that a name is declared, as a single name or as a family.
    pub(crate) fn assume(&mut self, name: &'a str) {
        self.generation += 1;
        self.name(name, Meaning::Other);
        self.name_family(name, None, Meaning::Other);
    }

    /// Declares a variable with this name, and returns whether the name was free.
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
        let is_found = !name.ends_with(|last: char| last.is_ascii_digit());
        let overlaps = is_known || is_found && self.has_member((name, count));
        self.name_family(name, count, meaning);
        !overlaps
    }

    /// Whether the innermost block declares a name that a member of this family also has.
    fn has_member(&self, (family, count): (&'a str, Option<usize>)) -> bool {
        let others = self.names.range((self.depth(), false, family)..);
        let mut others = others
            .take_while(|(of, is_label, other)| {
                *of == self.depth() && !is_label && other.starts_with(family)
            })
            .map(|(_, _, other)| *other);
        others.any(|other| is_member(other, family, count))
    }

    /// Returns the visible names, and the visible families with their numbers of members.
    pub(crate) fn visible(&self) -> (Vec<&'a str>, Vec<(&'a str, Option<usize>)>) {
        let names = self.names.iter().map(|(_, _, name)| *name);
        (names.collect(), self.open.iter().flatten().copied().collect())
    }
}

#[cfg(test)]
mod tests;
