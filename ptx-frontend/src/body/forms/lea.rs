//! Computed addresses: `lea.shared.u32 %bar, SMEM.full[%stage];`.

use proc_macro2::{Ident, Span};
use ptx_isa::Space;
use quote::quote_spanned;

use super::super::token::{Delimiter, Name, join};
use super::super::tree::Tree;
use super::instruction::{code, named};
use super::place::{Base, Path, Step, Swizzled, inner};
use super::writing::Forms;

/// The advice about its form.
const FORM: &str = "an address is computed as in `lea.shared.u32 %address, SMEM.full[%stage];`: the state space, the type of the address, the register for it, and a place";

/// The state of an address computation.
struct Address<'t> {
    guard: &'t [Tree],
    at: Span,
    /// 32 or 64.
    bits: u32,
    is_signed: bool,
    /// The statements generated so far.
    out: Vec<Tree>,
}

/// The common slips in its form, each with its place and what to write.
fn form_fault(tokens: &[Tree]) -> Option<(Span, String)> {
    let mut rest = tokens;
    let mut words = 0;
    while let [dot, Tree::Word(..), after @ ..] = rest
        && dot.is_sign('.')
    {
        (rest, words) = (after, words + 1);
    }
    let first = rest.first()?;
    if words < 2 {
        let missing = if words == 0 {
            "the state space and the type of the address are missing; write them"
        } else {
            "the type of the address is missing; write it"
        };
        return Some((first.start(), format!("{missing} as in `lea.global.u64 %address, ..`")));
    }
    let (target, after) = join(rest)?;
    match after {
        [Tree::Group(Delimiter::Bracket, ..), ..] => Some((
            target.at.0,
            format!(
                "the register for the address comes first: write `lea.global.u64 %address, {}[..];`",
                target.text
            ),
        )),
        [comma, sign, ..] if comma.is_sign(',') && sign.is_sign('&') => {
            Some((sign.start(), "`lea` takes the address of a place; remove the `&`".to_owned()))
        }
        [comma, group @ Tree::Group(Delimiter::Bracket, ..), ..] if comma.is_sign(',') => Some((
            group.start(),
            "a place has no brackets around it; write it as in `src[%i]`".to_owned(),
        )),
        _ => None,
    }
}

impl Forms<'_> {
    /// Expands a `lea`, given the tokens after it, to instructions.
    pub(super) fn lea(&mut self, guard: &[Tree], at: Span, tokens: &[Tree]) -> Option<Vec<Tree>> {
        let tokens = self.with_registers(tokens);
        if let Some((at, fault)) = form_fault(&tokens) {
            self.refuse(at, fault);
            return None;
        }
        let [dot, Tree::Word(space, space_at), second, Tree::Word(ty, ty_at), rest @ ..] =
            tokens.as_slice()
        else {
            self.refuse(at, FORM);
            return None;
        };
        let (state, (bits, is_signed)) = match (Space::from_name(space), ty.as_str()) {
            (Some(state), _)
                if !dot.is_sign('.') || !second.is_sign('.') || state == Space::Reg =>
            {
                self.refuse(at, FORM);
                return None;
            }
            (Some(state), "u32" | "b32") => (state, (32, false)),
            (Some(state), "s32") => (state, (32, true)),
            (Some(state), "u64" | "b64") => (state, (64, false)),
            (Some(state), "s64") => (state, (64, true)),
            (Some(_), _) => {
                self.refuse(*ty_at, "an address has 32 or 64 bits: write `.u32` or `.u64`, or `.s32` or `.s64` where indices are signed");
                return None;
            }
            (None, _) if !dot.is_sign('.') => {
                self.refuse(at, FORM);
                return None;
            }
            (None, _) => {
                self.refuse(*space_at, format_args!("no state space is called `{space}`; write `shared`, `global`, `const`, `local` or `param`"));
                return None;
            }
        };
        let Some((target, [comma, place @ ..])) = join(rest) else {
            self.refuse(at, FORM);
            return None;
        };
        let Some((name, steps)) = join(place).filter(|_| comma.is_sign(',')) else {
            self.refuse(at, FORM);
            return None;
        };
        let (path, rest) = self.path(name, steps)?;
        if let [other, ..] = rest {
            self.refuse(
                other.start(),
                "nothing may follow a place; `add` an offset to the address afterwards",
            );
            return None;
        }
        if let Base::Object(_, is) = &path.base
            && *is != state
        {
            let (name, is) = (&path.name.text, is.directive());
            self.refuse(*space_at, format_args!("`{name}` is in `{is}`, and this is an address in another state space; write `lea{is}`"));
            return None;
        }
        let declared = self.registers.find(&target.text).and_then(|register| register.integer);
        // `ld` takes a wider register for a pointer.
        let is_loaded = matches!(path.base, Base::Pointer(_)) && path.steps.is_empty();
        let fits = |holds: u32| holds == bits || is_loaded && holds > bits;
        if let Some((holds, _)) = declared.filter(|(holds, _)| !fits(*holds)) {
            let name = &target.text;
            // Addresses of these spaces have either width.
            let is_narrow = holds == 32 && !matches!(state, Space::Global | Space::Const);
            let fix = if is_narrow {
                "write `.u32`".to_owned()
            } else {
                format!("declare it as `let {name}: u{bits};`")
            };
            self.refuse(
                *ty_at,
                format_args!(
                    "`{name}` has {holds} bits, and this computes an address of {bits}; {fix}"
                ),
            );
            return None;
        }
        let space = Ident::new(&format!("{state:?}"), *space_at);
        let address = Address { guard, at, bits, is_signed, out: Vec::new() };
        self.address_of(address, &target, &path, &space)
    }

    /// Replaces each use of a register in an array by the register's own name.
    pub(super) fn with_registers(&mut self, tokens: &[Tree]) -> Vec<Tree> {
        let (mut out, mut rest) = (Vec::new(), tokens);
        while let Some(token) = rest.first() {
            if let Some((register, after)) = self.register(rest) {
                out.extend(register);
                rest = after;
                continue;
            }
            out.push(match token {
                Tree::Group(delimiter, inner, open, close) => {
                    Tree::Group(*delimiter, self.with_registers(inner), *open, *close)
                }
                other => other.clone(),
            });
            rest = &rest[1..];
        }
        out
    }

    fn address_of(
        &mut self,
        mut address: Address<'_>,
        target: &Name<'_, Span>,
        path: &Path,
        space: &Ident,
    ) -> Option<Vec<Tree>> {
        let span = (path.name.at.0, path.end);
        let letter = |is_signed: bool| if is_signed { 's' } else { 'u' };
        let bits = address.bits;
        let indices: Vec<(usize, &Name<'_, Span>)> = path
            .steps
            .iter()
            .enumerate()
            .filter_map(|(n, step)| match step {
                Step::Register(index) => Some((n, index)),
                Step::Field(_) | Step::Index(..) => None,
            })
            .collect();
        // A register that is read after the computation has started must not be the one that it starts in.
        let first = usize::from(matches!(path.base, Base::Register(_)));
        let is_read = indices.iter().skip(first).any(|(_, index)| index.text == target.text);
        let scratch = is_read.then(|| Self::unused("%address", address.guard, target, path));
        let unfinished = scratch.as_deref().unwrap_or(&target.text).to_owned();
        let unfinished = named(&unfinished, target.at);
        let places = self.places(path, Some(space));
        let swizzled = path.swizzled();
        let counted = match swizzled {
            Swizzled::Computed { column_last: true } => path.steps.len() - 1,
            Swizzled::Not | Swizzled::Folded | Swizzled::ByRow | Swizzled::Computed { .. } => {
                path.steps.len()
            }
        };
        let has_offset =
            path.steps[..counted].iter().any(|step| !matches!(step, Step::Register(_)));
        let offset = has_offset.then(|| match swizzled {
            Swizzled::Folded => path.swizzled_offset(&places),
            Swizzled::Computed { column_last: true } => path.row_offset(&places),
            Swizzled::Not | Swizzled::ByRow | Swizzled::Computed { .. } => path.offset(&places),
        });
        let offset = offset.map(|offset| match path.tile {
            Some(_) => self.constant(offset, span),
            None => self.in_bytes((offset, path.bytes(None)), span),
        });
        // What is done to the address at the end.
        let is_changed = matches!(swizzled, Swizzled::ByRow | Swizzled::Computed { .. });
        let finished = named(&target.text, target.at);
        let place = named(&path.name.text, path.name.at);
        let after = |is_last: bool| if is_last { finished.clone() } else { unfinished.clone() };
        let mut left = indices.len();
        let (mut so_far, mut offset) = match (&path.base, offset) {
            (Base::Register(_), offset) => (place, offset),
            (Base::Pointer(_), offset) => {
                let to = after(left == 0 && offset.is_none() && !is_changed);
                let at = Tree::Group(Delimiter::Bracket, place, span.0, span.1);
                address.push(&format!("ld.param.u{bits}"), vec![to.clone(), vec![at]]);
                (to, offset)
            }
            (Base::Variable(_) | Base::Object(..), offset) => {
                let to = after(left == 0 && !is_changed);
                let mut from = place;
                if let Some(offset) = offset {
                    from.extend([Tree::Sign('+', span.0), offset]);
                }
                address.push(&format!("mov.u{bits}"), vec![to.clone(), from]);
                (to, None)
            }
        };
        for (step, index) in indices {
            left -= 1;
            let to = after(left == 0 && offset.is_none() && !is_changed);
            let Some((index_bits, is_index_signed)) =
                self.registers.find(&index.text).and_then(|register| register.integer)
            else {
                let name = &index.text;
                self.refuse(
                    index.at.0,
                    format_args!(
                        "`{name}` is not a register of 32 or 64 bits that is declared before this; declare it, as in `let {name}: u32;`"
                    ),
                );
                return None;
            };
            let sign = letter(is_index_signed || address.is_signed);
            let how = match (bits, index_bits) {
                (32, 32) => format!("mad.lo.{sign}32"),
                (64, 32) => format!("mad.wide.{sign}32"),
                (64, 64) => format!("mad.lo.{sign}64"),
                _ => {
                    let name = &index.text;
                    self.refuse(index.at.0, format_args!("`{name}` has {index_bits} bits, and the index of an address of {bits} bits has 32{}; convert it first with `cvt`", if bits == 64 { " or 64" } else { "" }));
                    return None;
                }
            };
            let stride = path.stride(step, &places);
            let stride = match path.tile {
                Some(_) => self.constant(stride, span),
                None => self.in_bytes((stride, path.bytes(Some(step))), span),
            };
            let index = named(&index.text, index.at);
            address.push(&how, vec![to.clone(), index, vec![stride], so_far]);
            so_far = to;
        }
        if let Some(offset) = offset.take() {
            let to = after(!is_changed);
            address.push(&format!("add.u{bits}"), vec![to.clone(), so_far, vec![offset]]);
            so_far = to;
        } else if address.out.is_empty() && !is_changed {
            address.push(&format!("mov.u{bits}"), vec![finished.clone(), so_far.clone()]);
        }
        let mut declared = Vec::from_iter(scratch.clone());
        match swizzled {
            Swizzled::Not | Swizzled::Folded => {}
            Swizzled::ByRow => {
                let row = path.row_offset(&places);
                let row = self.constant(quote_spanned!(inner(span.0)=> #places.row(#row)), span);
                address.push(&format!("xor.b{bits}"), vec![finished, so_far, vec![row]]);
            }
            Swizzled::Computed { column_last } => {
                let part = Self::unused("%swizzle", address.guard, target, path);
                let pattern = named(&part, target.at);
                declared.push(part);
                let at = inner(span.0);
                let shift = self.constant(quote_spanned!(at=> #places.shift()), span);
                let mask = self.constant(quote_spanned!(at=> #places.mask()), span);
                let to = after(!column_last);
                address.push(
                    &format!("shr.u{bits}"),
                    vec![pattern.clone(), so_far.clone(), vec![shift]],
                );
                address.push(
                    &format!("and.b{bits}"),
                    vec![pattern.clone(), pattern.clone(), vec![mask]],
                );
                address.push(&format!("xor.b{bits}"), vec![to.clone(), so_far, pattern]);
                if column_last {
                    let (column, row) = (path.offset(&places), path.row_offset(&places));
                    let column = self.constant(quote_spanned!(at=> #column - #row), span);
                    address.push(&format!("xor.b{bits}"), vec![finished, to, vec![column]]);
                }
            }
        }
        if declared.is_empty() {
            return Some(address.out);
        }
        let mut block = code(&format!(".reg.b{bits}"), address.at);
        for (n, register) in declared.iter().enumerate() {
            if n > 0 {
                block.push(Tree::Sign(',', address.at));
            }
            block.extend(named(register, target.at));
        }
        block.push(Tree::Sign(';', address.at));
        block.extend(address.out);
        Some(vec![Tree::Group(Delimiter::Brace, block, address.at, address.at)])
    }

    /// The name of a register that the computation does not use.
    fn unused(name: &str, guard: &[Tree], target: &Name<'_, Span>, path: &Path) -> String {
        let guard = join(guard.get(1..).unwrap_or_default())
            .or_else(|| join(guard.get(2..).unwrap_or_default()));
        let guard = guard.map(|(name, _)| name.text);
        let is_used = |name: &str| {
            let is_index =
                |step: &Step| matches!(step, Step::Register(index) if index.text == name);
            name == target.text
                || name == path.name.text
                || guard.as_deref() == Some(name)
                || path.steps.iter().any(is_index)
        };
        let mut name = name.to_owned();
        while is_used(&name) {
            name.push('_');
        }
        name
    }
}

impl Address<'_> {
    /// Appends an instruction, under the guard.
    fn push(&mut self, opcode: &str, operands: Vec<Vec<Tree>>) {
        self.out.extend(self.guard.iter().cloned());
        self.out.extend(code(opcode, self.at));
        for (n, operand) in operands.into_iter().enumerate() {
            if n > 0 {
                self.out.push(Tree::Sign(',', self.at));
            }
            self.out.extend(operand);
        }
        self.out.push(Tree::Sign(';', self.at));
    }
}
