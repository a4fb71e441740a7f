//! Checks the form of instructions, and their calls.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use ptx_isa::instruction::{
    COMPLETE, Computes, Control, Direction, Group, Misfit, Named, Needs, OperandForm, Order, Role,
    Row, WordKind, named_spaces, named_types, needs, spaces,
};
use ptx_isa::ir::body::{Instruction, Name, Operand, OperandKind, TokenRange};
use ptx_isa::rules::access::{Object, SubSpace};
use ptx_isa::rules::form::{Coordinates, Form, Unsupported};
use ptx_isa::rules::instruction::Used;
use ptx_isa::rules::{self, TensorMode};
use ptx_isa::{ScalarType, Space, Version, special};

use crate::calls::call;
use crate::findings::finding::Problem;
use crate::flow::effects::Effects;
use crate::flow::memory::sub_space;
use crate::flow::node::Referent;
use crate::flow::place::Place;
use crate::flow::tensor::{coordinates, coordinates_of, inside, offsets, tensor};
use crate::names::resolver::Resolver;
use crate::names::scope::Meaning;

impl<'a> Resolver<'_, 'a, '_> {
    /// Reports the violations by the form of an instruction.
    pub(crate) fn check_form(&mut self, form: Form<'a>, place: Place) {
        for violation in rules::check_form(form, self.unit.environment) {
            self.report.refuse(&violation, place);
        }
    }

    /// Reports that a construct violates a rule by its requirements, once for each part; returns whether it is
    /// allowed.
    pub(crate) fn check_used(&mut self, used: Used<'a>, name: &'a str, place: Place) -> bool {
        let mut is_allowed = false;
        let allowed = self.report.allowances_with(&self.allowed);
        for violation in rules::check_instruction(used, self.unit.environment) {
            let code = violation.rule.code;
            if self.report.is_allowed(code, &allowed) {
                is_allowed = true;
                continue;
            }
            if matches!(used, Used::Misspelt { .. }) || self.reported.insert((code, name)) {
                let violation = Box::new(violation);
                let problem = match used {
                    Used::Unknown { .. } => Problem::UnknownInstruction(violation),
                    Used::Version { .. } | Used::Target { .. } | Used::Misspelt { .. } => {
                        Problem::Rule(violation)
                    }
                };
                self.report.find(place, problem);
            }
        }
        is_allowed
    }
}

/// Applies the rules for the form of an instruction and, if it is a call, those for calls.
pub(crate) fn check_instruction<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
    is_misspelt: bool,
) {
    let place = Place::new(statement, instruction.opcode_at);
    let pairs = instruction.pairs();
    let row = instruction.row;
    let form = |n: usize| instruction.operands.get(n).map(|operand| form(resolver, operand));
    let needed = needs(row, instruction.opcode, &pairs, form);
    // If the instruction itself has this requirement, one error is enough.
    if let Some(sub_space) = sub_space(&pairs) {
        let target = resolver.unit.environment.target;
        let covers = |needs: &Needs| {
            needs.since_on(target) >= sub_space.since() && needs.min_arch >= sub_space.min_arch()
        };
        // ptxas takes `.shared::cta` of `cp.async` in every version.
        let order = row.and_then(|row| row.order(|word| instruction.has(word)));
        let is_older = sub_space == SubSpace::Cta && order == Some(Order::Copy(Group::Copies));
        if !is_older && !needed.iter().any(|(_, needs)| covers(needs)) {
            resolver.needs(sub_space.since());
            let at = sub_space_at(instruction).map_or(place, |at| Place::new(statement, at));
            resolver.check_form(Form::SubSpace(sub_space), at);
        }
    }
    let is_cvta =
        row.is_some_and(|row| matches!(row.computes, Computes::ToGeneric | Computes::FromGeneric));
    if is_cvta
        && spaces(&pairs).any(|space| space == Space::Const)
        && let Some(param) = resolver.unit.symbols.constant_pointer
    {
        resolver.check_form(Form::CvtaConst(param), place);
    }
    let takes_bytes = row.is_none_or(|row| row.takes_bytes);
    if let Some(ty) = sub_word_type(instruction) {
        let at = instruction.modifier_at(instruction.modifiers.len() - 1);
        resolver.check_form(Form::SubWord(ty), Place::new(statement, at));
    }
    if !takes_bytes || row.is_some_and(|row| row.has_result) {
        check_result(resolver, statement, instruction);
    }
    check_support(resolver, statement, instruction);
    check_texture(resolver, statement, instruction);
    check_needs(resolver, &needed, place);
    let note_memory =
        instruction.operands.iter().any(|operand| matches!(operand.kind, OperandKind::Address(_)));
    if note_memory && !is_misspelt && row.is_none_or(|row| !row.is_of_memory) {
        let used = Used::Unknown { name: instruction.opcode, near: "" };
        resolver.check_used(used, instruction.opcode, place);
    }
    check_coordinates(resolver, statement, instruction);
    if row.is_some_and(|row| row.control == Control::Call) {
        call::check_call(resolver, statement, instruction);
    } else {
        check_address_taken(resolver, statement, instruction);
    }
}

/// Returns the tokens of a state space with a sub-qualifier: `.shared::cluster`.
fn sub_space_at(instruction: &Instruction<'_>) -> Option<TokenRange> {
    let is_sub_space = |pair: &[(&str, &str)]| sub_space(pair).is_some();
    let first = instruction.pairs().windows(2).position(is_sub_space)?;
    let [first, last] = [first, first + 1].map(|at| instruction.modifier_at(at).first);
    Some(TokenRange { first, last })
}

/// Returns the form of an operand, as far as it has requirements of its own.
fn form<'a>(resolver: &Resolver<'_, 'a, '_>, operand: &Operand<'a>) -> OperandForm {
    let is_predicate = |name: Name<'a>| {
        resolver
            .declared_register(name)
            .is_some_and(|it| it.ty.element().scalar() == Some(ScalarType::Pred))
    };
    match &operand.kind {
        OperandKind::Pair(..) => OperandForm::WithPredicate,
        // After a vector.
        OperandKind::Other(names) if names.last().is_some_and(|last| is_predicate(*last)) => {
            OperandForm::WithPredicate
        }
        OperandKind::Name(name) if name.text == "_" => OperandForm::Discarded,
        OperandKind::Name(name) if is_predicate(*name) => OperandForm::Predicate,
        OperandKind::Not(inner) => form(resolver, inner),
        OperandKind::Name(_)
        | OperandKind::Other(_)
        | OperandKind::Offset(..)
        | OperandKind::Element(..)
        | OperandKind::Immediate(_)
        | OperandKind::Address(_)
        | OperandKind::Vector(_)
        | OperandKind::Arguments(_) => OperandForm::Any,
    }
}

/// Checks for a state space, a type, or an operand that an instruction does not have.
fn check_support<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    let Some(row) = instruction.row else { return };
    let place = Place::new(statement, instruction.opcode_at);
    if let Some(required) = row.required.iter().find(|it| !instruction.has(it.modifier)) {
        resolver.check_form(Form::Unsupported(row.opcode, Unsupported::Older(required)), place);
    }
    if let (Control::Returns | Control::Ends, Some(operand)) =
        (row.control, instruction.operands.first())
    {
        let place = operand.at.map_or(place, |at| Place::new(statement, at));
        resolver.check_form(Form::Unsupported(row.opcode, Unsupported::Operand), place);
    }
    // What an unknown modifier means for the others is unknown, too.
    if !knows_modifiers(instruction) {
        return;
    }
    if sub_word_type(instruction).is_some() {
        // It has a rule of its own.
    } else if let Some((named, misfit)) = wrong_type(resolver, instruction) {
        let place = named.map_or(place, |ty| Place::new(statement, instruction.modifier_at(ty.at)));
        resolver.check_form(Form::Unsupported(row.opcode, Unsupported::Type(named, misfit)), place);
    } else if let Some((given, count)) = wrong_count(resolver, instruction) {
        let surplus = instruction.operands.get(count.1).and_then(|operand| operand.at);
        let place = surplus.map_or(place, |at| Place::new(statement, at));
        resolver.check_form(Form::Unsupported(row.opcode, Unsupported::Count(given, count)), place);
    }
    let pairs = instruction.pairs();
    let spaces = named_spaces(&pairs);
    let version = resolver.unit.environment.version;
    let are_known = spaces.iter().all(|named| WordKind::Modifier.knows(named.word));
    if let Some(misfit) = Misfit::of(row.spaces, |word| instruction.has(word), &spaces, version)
        && are_known
        && is_of_no_operand(resolver, instruction, &spaces, misfit)
    {
        let named = misfit.at.map(|at| spaces[at]);
        let place = named.map_or(place, |it| Place::new(statement, instruction.modifier_at(it.at)));
        resolver
            .check_form(Form::Unsupported(row.opcode, Unsupported::Space(named, misfit)), place);
    }
}

/// Whether a state space that an instruction does not have is one about which the rules of operands have nothing to say:
/// they compare one space with that of the storage that an address names.
fn is_of_no_operand<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    instruction: &Instruction<'a>,
    spaces: &[Named<'_>],
    misfit: Misfit,
) -> bool {
    // The storage that each address names; `None` of one that names none.
    let mut storages = Vec::new();
    for operand in &instruction.operands {
        let OperandKind::Address(inner) = &operand.kind else { continue };
        let name = inner.first().and_then(Operand::name);
        storages.push(match name.map(|name| resolver.referent(name.text)) {
            Some(Referent::Storage(storage)) => Some(storage),
            _ => None,
        });
    }
    if storages.iter().all(Option::is_none) {
        return true;
    }
    let Some(at) = misfit.at else { return false };
    if at > 0 && misfit.instead[0].is_none() {
        return true;
    }
    // Stores to constants and to parameters of kernels have rules of their own (A017, A010).
    let stores = instruction
        .row
        .is_some_and(|row| row.addresses.iter().any(|it| it.direction == Direction::Write));
    let own = storages.get(at).copied().flatten();
    let own = own.and_then(|storage| resolver.memory.storages[storage].object().space());
    own.is_some_and(|own| {
        own.name() == spaces[at].word && !(stores && matches!(own, Space::Const | Space::Param))
    })
}

/// Returns the number of operands if the instruction has fewer or more: the least and the most.
pub(crate) fn wrong_count(
    resolver: &Resolver<'_, '_, '_>,
    instruction: &Instruction<'_>,
) -> Option<(usize, (usize, usize))> {
    let row = instruction.row?;
    let (least, most) = row.count?;
    // The operands of jumps and calls have rules of their own (A104).
    if matches!(row.control, Control::Jump | Control::JumpAnywhere | Control::Call) {
        return None;
    }
    if resolver.unit.environment.version.is_some_and(|version| COMPLETE.is_below(version)) {
        return None;
    }
    // Where a comma is missing, that is reported.
    let is_unclear = |operand: &Operand<'_>| {
        matches!(operand.kind, OperandKind::Element(..) | OperandKind::Other(_))
    };
    let policies = usize::from(instruction.has("cache_hint"));
    // The mask of the threads of a warp comes with `.sync`.
    let has_mask = matches!(row.opcode, "shfl" | "vote") && instruction.has("sync");
    let least = if has_mask { most } else { least };
    let (least, most) = (least + policies, most + policies);
    let given = instruction.operands.len();
    let is_wrong = !(least..=most).contains(&given);
    let is_clear = !instruction.operands.iter().any(is_unclear);
    (is_wrong && is_clear).then_some((given, (least, most)))
}

/// Returns the number of elements among the modifiers: 4 for `.v4`.
pub(crate) fn lanes(instruction: &Instruction<'_>) -> Option<usize> {
    let all = [("v2", 2), ("v4", 4), ("v8", 8)];
    all.into_iter().find(|(word, _)| instruction.has(word)).map(|(_, lanes)| lanes)
}

/// Whether all modifiers of an instruction are known.
pub(crate) fn knows_modifiers(instruction: &Instruction<'_>) -> bool {
    let mut modifiers = instruction.modifiers.iter().filter(|modifier| !modifier.is_sub);
    modifiers.all(|modifier| {
        WordKind::Modifier.understands(modifier.word) || Space::from_name(modifier.word).is_some()
    })
}

/// Returns the type that an instruction does not have, or that it lacks.
pub(crate) fn wrong_type<'a>(
    resolver: &Resolver<'_, 'a, '_>,
    instruction: &Instruction<'a>,
) -> Option<(Option<Named<'a>>, Misfit)> {
    let types = named_types(&instruction.pairs());
    let version = resolver.unit.environment.version;
    let lists = instruction.row?.types;
    let misfit = Misfit::of(lists, |word| instruction.has(word), &types, version)?;
    Some((misfit.at.map(|at| types[at]), misfit))
}

/// Returns the 8-bit type of an instruction that has no such types.
pub(crate) fn sub_word_type<'a>(instruction: &Instruction<'a>) -> Option<&'a str> {
    let last = instruction.modifiers.last().filter(|last| !last.is_sub)?;
    let takes_bytes = instruction.row.is_none_or(|row| row.takes_bytes);
    let is_byte = |ty: ScalarType| ty.bytes() == 1 && ty.is_fundamental();
    (!takes_bytes && ScalarType::from_name(last.word).is_some_and(is_byte)).then_some(last.word)
}

/// Checks that the result is not written to a special register.
fn check_result<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    if let Some(name) = instruction.operands.first().and_then(Operand::name)
        && special::is_special(name.text)
        && resolver.scopes.find(name.text).is_none()
    {
        resolver.check_form(Form::SpecialWritten(name.text), Place::new(statement, name.at()));
    }
}

/// Checks that a texture is named, not accessed through a register.
fn check_texture<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    let is_texture = |row: &Row| row.addresses.iter().any(|it| it.role == Role::Texture);
    if !instruction.row.is_some_and(is_texture) {
        return;
    }
    let texture = instruction.operands.iter().find_map(|operand| match &operand.kind {
        OperandKind::Address(inner) => inner.first()?.name(),
        _ => None,
    });
    if let Some(name) = texture
        && let Some(Meaning::Declared(variable, _)) = resolver.scopes.find(name.text)
        && variable.space == Space::Reg
    {
        resolver.check_form(Form::IndirectTexture, Place::new(statement, name.at()));
    }
}

/// Checks the requirements of the parts of an instruction; for each rule, the most demanding part counts.
fn check_needs(
    resolver: &mut Resolver<'_, '_, '_>,
    needed: &[(&'static str, Needs)],
    place: Place,
) {
    let target = resolver.unit.environment.target;
    for (_, needs) in needed {
        resolver.needs(needs.since_on(target));
    }
    if let Some((name, needs)) = needed.iter().max_by_key(|(_, needs)| needs.since_on(target)) {
        resolver.check_used(Used::Version { name, needs: *needs }, name, place);
    }
    let narrowest = needed.iter().max_by_key(|(_, needs)| {
        (!needs.only.is_empty(), Reverse(needs.only.len()), needs.min_arch)
    });
    if let Some((name, needs)) = narrowest {
        resolver.check_used(Used::Target { name, needs: *needs }, name, place);
    }
}

/// Checks the number of coordinates of a tensor copy.
fn check_coordinates<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    let copies = |row: &Row| row.addresses.iter().any(|it| it.tensor.is_some());
    if !instruction.row.is_some_and(copies) {
        return;
    }
    let Some((rank, mode)) = tensor(&instruction.pairs()) else { return };
    let counted =
        |group: &Operand<'_>| Some((inside(group).len(), Place::new(statement, group.at?)));
    let Some((given, place)) = coordinates(instruction).and_then(counted) else { return };
    let after = offsets(instruction).and_then(counted);
    // Stores in these modes have no offsets: `.im2col_no_offs`.
    let has_offsets = !instruction.has("im2col_no_offs");
    let wanted = coordinates_of(rank, mode);
    let rank = usize::try_from(rank).unwrap_or_default();
    let wanted_offsets = match mode {
        TensorMode::Tile | TensorMode::Gather4 | TensorMode::Scatter4 => 0,
        TensorMode::Im2col => rank.saturating_sub(2),
        TensorMode::Im2colW | TensorMode::Im2colW128 => 2,
    };
    let mut check = |what, wanted, given, place| {
        let form = Form::Coordinates(Coordinates { what, rank, mode, wanted, given });
        resolver.check_form(form, place);
    };
    check("# coordinates", wanted, given, place);
    if has_offsets {
        let (given, place) = after.unwrap_or((0, place));
        check("# offsets after the coordinates", wanted_offsets, given, place);
    }
}

/// Checks the functions and return values whose address is taken.
fn check_address_taken<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    let Some(row) = instruction.row else { return };
    let takes =
        matches!(row.computes, Computes::Copy | Computes::ToGeneric | Computes::FromGeneric);
    let in_brackets = row.addresses.iter().zip(instruction.operands.iter().filter_map(|operand| {
        match &operand.kind {
            OperandKind::Address(inner) => inner.first()?.name(),
            OperandKind::Element(name, _) => Some(*name),
            _ => None,
        }
    }));
    let mut all: Vec<(Name<'a>, bool)> = in_brackets.map(|(_, name)| (name, false)).collect();
    let taken = instruction.operands.get(1).and_then(Operand::name);
    all.extend(taken.filter(|_| takes).map(|name| (name, true)));
    for (name, is_taken) in all {
        match resolver.referent(name.text) {
            Referent::Storage(storage) => {
                let object = resolver.memory.storages[storage].object();
                if is_taken && matches!(object, Object::Return(_)) {
                    let place = Place::new(statement, name.at());
                    resolver.needs(Version::new(6, 0));
                    resolver.check_form(Form::ReturnAddress(name.text), place);
                }
            }
            Referent::Other | Referent::Register(_) => {}
        }
    }
}

/// Checks for registers that are too narrow for the address that an instruction needs.
pub(crate) fn check_widths<'a>(resolver: &mut Resolver<'_, 'a, '_>, effects: &Effects<'a>) {
    for operand in effects.memory.iter().filter(|operand| operand.bracket.is_some()) {
        let is_generic = match (operand.form.space, operand.form.names_space) {
            (None, _) => true,
            (Some(Space::Global), true) => false,
            (Some(_), _) => continue,
        };
        let Some(Meaning::Declared(declared, _)) = resolver.scopes.find(operand.name.text) else {
            continue;
        };
        let (Some(scalar), Some(bytes @ ..8)) = (declared.ty.scalar(), register_bytes(declared.ty))
        else {
            continue;
        };
        if declared.space != Space::Reg || bytes != scalar.bytes() {
            continue;
        }
        let form = Form::NarrowAddress(operand.name.text, bytes, is_generic);
        for violation in rules::check_form(form, resolver.unit.environment) {
            resolver.report.report(&violation, operand.place, &resolver.allowed);
        }
    }
}

/// Returns the size of a register in bytes, or of each one in a family.
fn register_bytes(ty: &ptx_isa::ir::Type<'_>) -> Option<usize> {
    ty.family().map_or(ty, |(_, member)| member).size()
}

/// Checks that only arrays are indexed.
pub(crate) fn check_index<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    name: Name<'a>,
) {
    match resolver.referent(name.text) {
        Referent::Storage(storage) => {
            let object = resolver.memory.storages[storage].object();
            if object.indexed_bytes() == Some(0) {
                resolver.check_form(Form::Index(name.text), Place::new(statement, name.at()));
            }
        }
        // This means that a comma is missing.
        Referent::Register(_) | Referent::Other => {
            let bracket = TokenRange::one(name.token + 1);
            resolver.report.find(Place::new(statement, bracket), Problem::SideBySide);
        }
    }
}
