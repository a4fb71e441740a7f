//! Launch attributes, as `cuLaunchKernelEx` takes them.

use super::calls::LaunchAttribute;
use super::context::Limits;

use super::launch_error::Reason;
use super::shape::{AccessProperty, Dim, Settings};

/// The driver's numbers of the attributes.
mod id {
    pub(super) const ACCESS_POLICY_WINDOW: u32 = 1;
    pub(super) const COOPERATIVE: u32 = 2;
    pub(super) const CLUSTER_DIMENSION: u32 = 4;
    pub(super) const CLUSTER_SCHEDULING: u32 = 5;
    pub(super) const PROGRAMMATIC_STREAM_SERIALIZATION: u32 = 6;
    pub(super) const PROGRAMMATIC_EVENT: u32 = 7;
    pub(super) const PRIORITY: u32 = 8;
    pub(super) const MEM_SYNC_DOMAIN_MAP: u32 = 9;
    pub(super) const MEM_SYNC_DOMAIN: u32 = 10;
    pub(super) const LAUNCH_COMPLETION_EVENT: u32 = 12;
    pub(super) const SHARED_CARVEOUT: u32 = 14;
}

/// Attributes of a launch, each at most once.
#[derive(Default)]
pub(super) struct Attributes {
    all: [LaunchAttribute; 11],
    count: usize,
}

impl Attributes {
    pub(super) fn push(&mut self, attribute: LaunchAttribute) {
        // There is room for one of each kind.
        if let Some(next) = self.all.get_mut(self.count) {
            *next = attribute;
            self.count += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[LaunchAttribute] {
        self.all.get(..self.count).unwrap_or(&[])
    }

    pub(super) fn as_raw(&self) -> (*const LaunchAttribute, u32) {
        (self.all.as_ptr(), u32::try_from(self.count).unwrap_or(0))
    }
}

/// An attribute whose value starts with these words.
fn attribute(id: u32, words: &[u32]) -> LaunchAttribute {
    let mut value = [0_u64; 8];
    for (n, word) in words.iter().enumerate() {
        if let Some(half) = value.get_mut(n / 2) {
            *half |= u64::from(*word) << (32 * (n % 2));
        }
    }
    LaunchAttribute { id, padding: 0, value }
}

/// An attribute whose value starts with an address and some words.
fn with_address(id: u32, address: u64, words: &[u32]) -> LaunchAttribute {
    let mut attribute = attribute(id, &[0, 0]);
    attribute.value[0] = address;
    for (n, word) in words.iter().enumerate() {
        if let Some(half) = attribute.value.get_mut(1 + n / 2) {
            *half |= u64::from(*word) << (32 * (n % 2));
        }
    }
    attribute
}

pub(super) fn cluster_attribute(Dim(blocks): Dim) -> LaunchAttribute {
    attribute(id::CLUSTER_DIMENSION, &blocks)
}

impl Settings<'_> {
    /// Whether no attribute was specified.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        let Self {
            scheduling: None,
            cooperative: false,
            programmatic_serialization: false,
            programmatic_event: None,
            completion_event: None,
            priority: None,
            domain: None,
            domain_map: None,
            window: None,
            carveout: None,
        } = self
        else {
            return false;
        };
        true
    }

    /// Adds the specified attributes.
    pub(super) fn push(&self, to: &mut Attributes, limits: &Limits) -> Result<(), Reason> {
        if let Some(policy) = self.scheduling {
            to.push(attribute(id::CLUSTER_SCHEDULING, &[policy as u32]));
        }
        if self.cooperative {
            to.push(attribute(id::COOPERATIVE, &[1]));
        }
        if self.programmatic_serialization {
            to.push(attribute(id::PROGRAMMATIC_STREAM_SERIALIZATION, &[1]));
        }
        if let Some((event, at_block_start)) = self.programmatic_event {
            let event = event.cu_event().addr() as u64;
            let words = [0, u32::from(at_block_start)];
            to.push(with_address(id::PROGRAMMATIC_EVENT, event, &words));
        }
        if let Some(event) = self.completion_event {
            let event = event.cu_event().addr() as u64;
            to.push(with_address(id::LAUNCH_COMPLETION_EVENT, event, &[0]));
        }
        if let Some(priority) = self.priority {
            to.push(attribute(id::PRIORITY, &[priority.cast_unsigned()]));
        }
        if let Some((default, remote)) = self.domain_map {
            let both = u32::from_le_bytes([default, remote, 0, 0]);
            to.push(attribute(id::MEM_SYNC_DOMAIN_MAP, &[both]));
        }
        if let Some(domain) = self.domain {
            to.push(attribute(id::MEM_SYNC_DOMAIN, &[domain as u32]));
        }
        if let Some(window) = self.window {
            if window.bytes > limits.window {
                return Err(Reason::Window { bytes: window.bytes, most: limits.window });
            }
            if !(0.0..=1.0).contains(&window.hit_ratio) {
                return Err(Reason::HitRatio { ratio: window.hit_ratio });
            }
            if window.miss == AccessProperty::Persisting {
                return Err(Reason::PersistingMiss);
            }
            let bytes = window.bytes as u64;
            let [low, high] = [bytes & 0xffff_ffff, bytes >> 32]
                .map(|half| u32::try_from(half).unwrap_or(u32::MAX));
            let ratio = window.hit_ratio.to_bits();
            let words = [low, high, ratio, window.hit as u32, window.miss as u32];
            to.push(with_address(id::ACCESS_POLICY_WINDOW, window.address, &words));
        }
        if let Some(percent) = self.carveout {
            if percent > 100 {
                return Err(Reason::Carveout { percent });
            }
            to.push(attribute(id::SHARED_CARVEOUT, &[percent]));
        }
        Ok(())
    }
}
