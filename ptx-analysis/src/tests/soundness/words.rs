//! Formats abstract values as text.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use ptx_isa::sorted::SortedMap;

use crate::values::address::KnownAddress;
use crate::values::claim::{Claim, Claims, Truth};
use crate::values::launch::Affine;
use crate::values::number::Linear;
use crate::values::value::{AbstractValue, Cut};

/// The names in a body.
pub(super) struct Words<'w> {
    /// Registers, by index.
    pub(super) registers: &'w SortedMap<usize, &'w str>,
    /// Storage, by index.
    pub(super) storages: &'w [&'w str],
}

impl Words<'_> {
    pub(super) fn register(&self, register: usize) -> String {
        self.registers.get(&register).map_or_else(|| format!("#{register}"), ToString::to_string)
    }

    fn storage(&self, storage: usize) -> &str {
        self.storages.get(storage).copied().unwrap_or("?")
    }

    pub(super) fn value(&self, value: &AbstractValue) -> String {
        match value {
            AbstractValue::Number(number) => format!("= {}", linear(number)),
            AbstractValue::Address(address) => format!("= {}", self.address(address)),
            AbstractValue::Descriptor(address, cut, bits) => {
                let cut = match cut {
                    Cut::Masked => "masked",
                    Cut::Shifted => "shifted",
                };
                let bits =
                    bits.value().map_or_else(|| "?".to_string(), |bits| format!("{bits:#x}"));
                format!("= {cut} {} or {bits}", self.address(address))
            }
            AbstractValue::LowestBits(addresses) => {
                let all: Vec<String> = addresses.iter().map(|it| self.address(it)).collect();
                format!("= lowest bits of {}", all.join(" and "))
            }
            AbstractValue::Truncated(storage) => {
                format!("= lower half in {}", self.storage(*storage))
            }
            AbstractValue::Anything => "is anything".to_string(),
            AbstractValue::Truth(truth) => self.truth(truth),
        }
    }

    fn address(&self, address: &KnownAddress) -> String {
        let mut shown = String::new();
        if address.is_pointee {
            shown.push('*');
        }
        shown += self.storage(address.storage);
        match address.offset.value() {
            Some(0) => {}
            Some(offset) => {
                let _ = write!(shown, "{offset:+}");
            }
            None => {
                let _ = write!(shown, "+({})", linear(&address.offset));
            }
        }
        if address.kind != ptx_isa::rules::AddressKind::Own {
            let _ = write!(shown, " {:?}", address.kind);
        }
        if address.bits != 32 {
            let _ = write!(shown, " :{}", address.bits);
        }
        if let Some(rank) = &address.rank {
            let _ = write!(shown, " of block {}", linear(rank));
        }
        shown
    }

    fn truth(&self, truth: &Truth) -> String {
        let mut shown =
            format!("if {}, else {}", self.claims(&truth.nonzero), self.claims(&truth.zero));
        if truth.mask != 1 {
            let _ = write!(shown, ", mask {}", truth.mask);
        }
        if let Some(address) = &truth.address {
            let _ = write!(shown, ", or {}", self.address(address));
        }
        shown
    }

    fn claims(&self, claims: &Claims) -> String {
        match claims.as_deref() {
            None => "never".to_string(),
            Some([]) => "-".to_string(),
            Some(claims) => {
                let all: Vec<String> = claims.iter().map(|claim| self.claim(claim)).collect();
                all.join(" & ")
            }
        }
    }

    pub(super) fn claim(&self, claim: &Claim) -> String {
        match claim {
            Claim::Aligned { storage, is_pointee, offset, to } => {
                let star = if *is_pointee { "*" } else { "" };
                let to = to.map_or_else(|| "anything".to_string(), |to| to.to_string());
                let name = self.storage(*storage);
                format!("{star}{name}+({}) aligned to {to}", linear(offset))
            }
            Claim::Launch(condition) => {
                let side = |terms: &mut dyn Iterator<Item = (&'static str, i128)>| {
                    let terms: Vec<String> = terms.map(|(of, times)| term(of, times)).collect();
                    if terms.is_empty() { "0".to_string() } else { terms.join(" + ") }
                };
                format!(
                    "{} {} {}{:+}",
                    side(&mut condition.left()),
                    condition.comparison().symbol(),
                    side(&mut condition.right()),
                    condition.plus()
                )
            }
            Claim::Constants(condition) => format!("{condition:?}"),
            Claim::Bound(bound) => {
                let ((least, most), sign) = (bound.range, if bound.is_signed { "s" } else { "u" });
                let name = self.register(bound.register);
                format!("{name} in {least}..={most} {sign}{}", bound.bits)
            }
        }
    }
}

fn term(of: &str, times: i128) -> String {
    if times == 1 { of.to_string() } else { format!("{times}*{of}") }
}

fn sum(sum: &Affine) -> String {
    let mut all: Vec<String> = sum.named().iter().map(|(of, times)| term(of, *times)).collect();
    if sum.added() != 0 || all.is_empty() {
        all.push(sum.added().to_string());
    }
    all.join(" + ")
}

/// Formats a number: its symbolic sum, its divisor, and its range.
fn linear(number: &Linear) -> String {
    if let Some(value) = number.value() {
        return value.to_string();
    }
    let mut parts: Vec<String> = number.launch.iter().map(|of| sum(of)).collect();
    let (step, _) = number.step();
    if step != 1 {
        let base = number.base.value().map_or_else(|| "?".to_string(), |base| base.to_string());
        parts.push(format!("{step}n+{base}"));
    }
    if let Some((least, most)) = number.within {
        let tested = if number.is_tested { " tested" } else { "" };
        parts.push(format!("{least}..={most}{tested}"));
    }
    if parts.is_empty() {
        return "?".to_string();
    }
    parts.join(" in ")
}
