//! What a launch sets beyond its shape: attributes, and checks.

use cudarc::driver::CudaEvent;

use super::launch::Launch;
use super::shape::{AccessPolicyWindow, ClusterScheduling, MemorySyncDomain};

impl<'k, K, S, G, B, C, D> Launch<'k, K, S, G, B, C, D> {
    /// Sets how the blocks of clusters are spread over the multiprocessors.
    pub fn cluster_scheduling(mut self, policy: ClusterScheduling) -> Self {
        self.plan.set().scheduling = Some(policy);
        self
    }

    /// Runs all blocks at once, so that they can wait for each other; a grid that does not fit on the
    /// device is an error.
    pub fn cooperative(mut self) -> Self {
        self.plan.set().cooperative = true;
        self
    }

    /// Records the event when all blocks have executed `griddepcontrol.launch_dependents` or ended; with
    /// `at_block_start`, when all have started. The event has no timing.
    pub fn programmatic_event(mut self, event: &'k CudaEvent, at_block_start: bool) -> Self {
        self.plan.set().programmatic_event = Some((event, at_block_start));
        self
    }

    /// Records the event when all blocks have started. The event has no timing.
    pub fn launch_completion_event(mut self, event: &'k CudaEvent) -> Self {
        self.plan.set().completion_event = Some(event);
        self
    }

    /// Sets the priority; lower numbers run first.
    pub fn priority(mut self, priority: i32) -> Self {
        self.plan.set().priority = Some(priority);
        self
    }

    /// Sets the logical domain of the kernel's memory operations.
    pub fn memory_sync_domain(mut self, domain: MemorySyncDomain) -> Self {
        self.plan.set().domain = Some(domain);
        self
    }

    /// Sets the physical domains that the default and the remote domain map to.
    pub fn memory_sync_domain_map(mut self, default: u8, remote: u8) -> Self {
        self.plan.set().domain_map = Some((default, remote));
        self
    }

    /// Sets a window of global memory with its own caching in L2.
    pub fn access_policy_window(mut self, window: AccessPolicyWindow) -> Self {
        self.plan.set().window = Some(window);
        self
    }

    /// Sets the preferred share of a multiprocessor's L1 memory that is used as shared memory, in
    /// percent.
    pub fn shared_carveout(mut self, percent: u32) -> Self {
        self.plan.set().carveout = Some(percent);
        self
    }

    /// Checks the launch, to find out which kernel writes where it must not. It then runs alone, on copies of its buffers
    /// between pads, and returns once it has ended: see [the limits](super::Launch#checked-launches).
    ///
    /// `PTX_CHECKED_LAUNCHES=1` in the environment checks all launches of modules that are loaded then.
    pub fn checked(mut self) -> Self {
        self.plan.is_plain = false;
        self.plan.is_checked = true;
        self
    }

    /// A [checked](Self::checked) launch which first fills the buffers of these pointer parameters with poison: each two
    /// bytes are `0xffd5`, which is NaN in `f16`, `bf16`, `f32` and `f64` (`0xffff`, if the buffer has an odd address or
    /// number of bytes). What the kernel does not write is then easy to find. Name only parameters from which the kernel reads nothing that it has not written.
    pub fn poisoned(mut self, outputs: &'k [&'k str]) -> Self {
        self.plan.is_plain = false;
        self.plan.is_checked = true;
        self.plan.poisoned = outputs;
        self
    }
}
