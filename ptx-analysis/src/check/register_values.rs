//! What is known of the values that a function's instructions write, for people who read it.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::ir;
use ptx_isa::ir::body::StatementKind;
use ptx_isa::rules::Environment;

use crate::check::module::{Known, locals, symbols};
use crate::check::resolve::resolve;
use crate::check::walk;
use crate::findings::report::BodyReport;
use crate::findings::unit::{Declared, Unit};
use crate::flow::node::Node;
use crate::flow::place::Place;
use crate::values::argument::Called;
use crate::values::constants::Constants;
use crate::values::coordinates::Coordinates;
use crate::values::fixpoint::{Setting, fixpoint};
use crate::values::launch::{Affine, Block, cluster};
use crate::values::number::Linear;
use crate::values::value::AbstractValue;

/// A register that an instruction writes.
#[derive(Clone, Debug)]
pub struct RegisterValue<'a> {
    /// The place of its name in the instruction.
    pub place: Place,
    /// What is known of its value after the instruction.
    pub value: KnownValue<'a>,
}

/// What is known of the value of a register in every execution.
#[derive(Clone, Debug)]
pub enum KnownValue<'a> {
    /// No execution gets there.
    Unreached,
    /// Nothing.
    Unknown,
    /// A number.
    Number(KnownNumber),
    /// An address.
    Address {
        /// The name of the variable or the parameter.
        of: &'a str,
        /// Whether it is an address in what the parameter points to.
        is_pointee: bool,
        /// The offset in bytes from its start.
        offset: KnownNumber,
    },
}

/// What is known of a number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KnownNumber {
    /// The special registers of which it is a sum, each with its factor; empty if it is not such a sum.
    pub terms: Vec<(&'static str, i128)>,
    /// What is added to them.
    pub plus: i128,
    /// The least and the greatest number. One in this range equals the register, which wraps.
    pub range: Option<(i128, i128)>,
    /// The greatest known number of which it is a multiple after `remainder` is subtracted; 1 if there is none.
    pub step: u64,
    /// What is left when it is divided by `step`.
    pub remainder: i128,
}

impl KnownNumber {
    fn of(number: &Linear) -> Self {
        if let Some(value) = number.value() {
            return Self { range: Some((value, value)), step: 1, ..Self::default() };
        }
        let (step, unknown) = number.step();
        let base = number.base.value().filter(|_| unknown.is_empty());
        let (step, remainder) = match base {
            Some(base) if step > 1 => (step, base.rem_euclid(i128::from(step))),
            Some(_) | None => (1, 0),
        };
        let launch = number.launch.as_deref();
        Self {
            terms: launch.map(|of| of.named().to_vec()).unwrap_or_default(),
            plus: launch.map_or(0, Affine::added),
            range: number.span(),
            step,
            remainder,
        }
    }

    /// Whether nothing is known of it.
    pub fn is_unknown(&self) -> bool {
        self.terms.is_empty() && self.range.is_none() && self.step <= 1
    }
}

/// The defaults: the IR says all.
struct Plain;

impl Known<'_> for Plain {}

/// Returns what is known of the values that the instructions of a function write, in order. It is what holds whatever the
/// function is called with, in launches as its directives have them. Names that a declaration which could not be read may
/// declare count as `assumed`.
pub fn register_values<'a>(
    module: &ir::Module<'a>,
    function: usize,
    assumed: &[&'a str],
) -> Vec<RegisterValue<'a>> {
    values(module, function, assumed).unwrap_or_default()
}

fn values<'a>(
    module: &ir::Module<'a>,
    index: usize,
    assumed: &[&'a str],
) -> Option<Vec<RegisterValue<'a>>> {
    let function = module.functions.get(index).copied()?;
    let body = function.body?;
    let locals = locals(function);
    let declared = locals.iter().map(|(_, variable)| Declared { variable, is_deferred: false });
    let declared: Vec<Declared<'_>> = declared.collect();
    let symbols = symbols(module, &Plain);
    let (called, constants) = (Called::default(), Constants { values: &[], same: &[] });
    let (block, cluster) = (Block::of(function.directives), cluster(function.directives));
    let unit = Unit {
        index,
        symbols: &symbols,
        function,
        body,
        declared: &declared,
        constants,
        environment: Environment::of(module),
        block,
        cluster,
        called: &called,
        is_ptx: module.source.is_some(),
        assumed,
        before: None,
        traced: None,
        defers: false,
        is_first: false,
    };
    let mut report = BodyReport::new(index, &[], 0);
    let mut resolution = resolve(unit, &mut report)?;
    let start = walk::start_with(&mut resolution, &[]);
    let coordinates = Coordinates::of(block).in_cluster(cluster);
    let storages = &resolution.memory.storages;
    let setting = Setting { storages, constants, coordinates: &coordinates };
    let nodes = &resolution.nodes;
    let before = fixpoint(nodes, setting, &start);
    let is_node = |kind| matches!(kind, StatementKind::Label | StatementKind::Instruction);
    let statements = body.statements().enumerate().filter(|(_, it)| is_node(it.kind()));
    let (mut found, mut state) = (Vec::new(), None);
    for ((node, before), (statement, _)) in nodes.iter().zip(before).zip(statements) {
        state = before.map(Rc::unwrap_or_clone).or(state);
        let Node::Instruction(resolved) = node else { continue };
        let is_reached = state.is_some();
        state = state.and_then(|state| setting.after(resolved, state));
        for name in &resolved.effects.writes {
            let register = resolved.register(name.text);
            let value = state.as_ref().zip(register).and_then(|(state, it)| state.get(it));
            let value = match value {
                _ if !is_reached => KnownValue::Unreached,
                Some(value) => match &**value {
                    AbstractValue::Number(number) => Some(KnownNumber::of(number))
                        .filter(|it| !it.is_unknown())
                        .map_or(KnownValue::Unknown, KnownValue::Number),
                    AbstractValue::Address(address) if address.rank.is_none() => storages
                        .get(address.storage)
                        .map_or(KnownValue::Unknown, |storage| KnownValue::Address {
                            of: storage.object().name(),
                            is_pointee: address.is_pointee,
                            offset: KnownNumber::of(&address.offset),
                        }),
                    AbstractValue::Address(_)
                    | AbstractValue::Descriptor(..)
                    | AbstractValue::Truth(_)
                    | AbstractValue::LowestBits(_)
                    | AbstractValue::Truncated(_)
                    | AbstractValue::Anything => KnownValue::Unknown,
                },
                None => KnownValue::Unknown,
            };
            found.push(RegisterValue { place: Place::new(statement, name.at()), value });
        }
    }
    Some(found)
}
