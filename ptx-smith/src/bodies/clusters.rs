//! Random statements for programs that run in clusters.

use super::computations::{WIDE, register};
use super::writer::Writer;

/// The special registers that differ between blocks of a cluster.
pub(super) const SPECIALS: [&str; 6] = [
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%cluster_ctaid.x",
    "%cluster_nctaid.x",
    "%clusterid.x",
    "%nclusterid.x",
];

impl Writer<'_> {
    /// Returns the rank of a block, which may not exist.
    fn rank(&mut self) -> String {
        match self.choices.below(8) {
            0 => "0".into(),
            1 => "1".into(),
            2 => {
                self.line("mov.u32 %r14, %cluster_ctarank;".into());
                "%r14".into()
            }
            3 | 4 => {
                self.line("mov.u32 %r14, %cluster_ctarank;".into());
                self.line("xor.b32 %r14, %r14, 1;".into());
                "%r14".into()
            }
            5 => {
                let from = self.source();
                self.line(format!("and.b32 %r14, {from}, 1;"));
                "%r14".into()
            }
            6 => self.source(),
            _ => self.choices.of(&[0, 1, 2, 3, 16]).to_string(),
        }
    }

    /// Maps the address in a register to the same place in a block of the cluster.
    pub(super) fn mapped(&mut self, address: &str) -> String {
        let rank = self.rank();
        let (form, to) = match address {
            "%d6" => (".u64", "%d6"),
            "%d4" => (".shared::cluster.u64", "%d4"),
            _ => (".shared::cluster.u32", "%r10"),
        };
        self.line(format!("mapa{form} {to}, {address}, {rank};"));
        to.into()
    }

    /// Emits something that differs between the blocks, a barrier without a long wait, or another feature of hardware
    /// with clusters.
    pub(super) fn of_clusters(&mut self) {
        let to = register(self.choices, 32);
        match self.choices.below(if self.is_kernel { 4 } else { 3 }) {
            0 | 1 => {
                let special = self.choices.of(&SPECIALS);
                self.line(format!("mov.u32 {to}, {special};"));
            }
            2 => {
                let (one, other) = (register(self.choices, 32), register(self.choices, 32));
                let form = self.choices.of(&[
                    "add.u16x2",
                    "add.s16x2",
                    "min.u16x2",
                    "max.s16x2",
                    "min.relu.s16x2",
                ]);
                self.line(format!("{form} {to}, {one}, {other};"));
            }
            _ => self.cluster_barrier(),
        }
    }

    /// Emits a cluster barrier.
    pub(super) fn cluster_barrier(&mut self) {
        let (arrive, wait) = match self.choices.below(2) {
            0 => ("barrier.cluster.arrive;", "barrier.cluster.wait;"),
            _ => ("barrier.cluster.arrive.release;", "barrier.cluster.wait.acquire;"),
        };
        self.line(arrive.into());
        self.line(wait.into());
    }

    /// Makes the threads of both blocks exchange a number through shared memory: `S` has a 64-bit
    /// word for each of them, and `%r15` is the index of the thread among all.
    pub(super) fn exchange(&mut self, threads: usize) {
        let (value, to) = (self.choices.below(WIDE), self.choices.below(WIDE));
        self.line("shl.b32 %r10, %r15, 3;".into());
        self.line("mov.u32 %r9, S;".into());
        self.line("add.u32 %r10, %r10, %r9;".into());
        self.remote("%r14");
        // All threads read the previous values before they are overwritten.
        self.cluster_barrier();
        if self.choices.below(3) == 0 {
            self.line(format!("st.shared::cluster.v2.b32 [%r10], {{%r1, %r{}}};", value + 2));
        } else {
            self.line(format!("st.shared::cluster.b64 [%r10], %d{value};"));
        }
        self.cluster_barrier();
        let apart = self.choices.of(&[0, 1, threads / 2, threads, threads + 1, 2 * threads - 1]);
        self.line(format!("add.u32 %r9, %r15, {apart};"));
        self.line(format!("rem.u32 %r9, %r9, {};", threads * 2));
        self.line("shl.b32 %r9, %r9, 3;".into());
        match self.choices.below(4) {
            // By a generic address.
            0 => {
                self.line("mov.u64 %d6, S;".into());
                self.line("cvta.shared.u64 %d6, %d6;".into());
                self.line("cvt.u64.u32 %d5, %r9;".into());
                self.line("add.u64 %d6, %d6, %d5;".into());
                self.line("mapa.u64 %d6, %d6, %r14;".into());
                self.line(format!("ld.u64 %d{to}, [%d6];"));
            }
            // Its own block.
            1 => {
                self.line("mov.u32 %r10, S;".into());
                self.line("add.u32 %r10, %r10, %r9;".into());
                self.line(format!("ld.shared.u64 %d{to}, [%r10];"));
            }
            _ => {
                self.line("mov.u32 %r10, S;".into());
                self.remote("%r14");
                self.line("add.u32 %r10, %r10, %r9;".into());
                let word = register(self.choices, 32);
                self.line(format!("ld.shared::cluster.u64 %d{to}, [%r10];"));
                self.line(format!("getctarank.shared::cluster.u32 {word}, %r10;"));
            }
        }
    }

    /// Maps the address in `%r10` to an existing block, whose rank is then in this register.
    fn remote(&mut self, rank: &str) {
        match self.choices.below(4) {
            0 => self.line(format!("mov.u32 {rank}, 0;")),
            1 => self.line(format!("mov.u32 {rank}, 1;")),
            2 => self.line(format!("mov.u32 {rank}, %cluster_ctarank;")),
            _ => {
                self.line(format!("mov.u32 {rank}, %cluster_ctarank;"));
                self.line(format!("xor.b32 {rank}, {rank}, 1;"));
            }
        }
        self.line(format!("mapa.shared::cluster.u32 %r10, %r10, {rank};"));
    }
}
