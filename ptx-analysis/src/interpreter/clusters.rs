//! What programs do that blocks of a cluster execute, by chance.

use alloc::format;
use alloc::string::{String, ToString};

use super::computations::{WIDE, register};
use super::writer::Writer;

/// What there is to read that tells blocks of a cluster from each other.
pub(super) const SPECIALS: [&str; 6] = [
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%cluster_ctaid.x",
    "%cluster_nctaid.x",
    "%clusterid.x",
    "%nclusterid.x",
];

impl Writer<'_> {
    /// The rank of a block, perhaps of none that there is.
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

    /// The address of the same place in a block of the cluster, in the register that held it.
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

    /// What differs between the blocks, a barrier that no thread waits at for long, or what else machines
    /// have that have clusters.
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

    /// Waits for the threads of the cluster.
    pub(super) fn cluster_barrier(&mut self) {
        let (arrive, wait) = match self.choices.below(2) {
            0 => ("barrier.cluster.arrive;", "barrier.cluster.wait;"),
            _ => ("barrier.cluster.arrive.release;", "barrier.cluster.wait.acquire;"),
        };
        self.line(arrive.into());
        self.line(wait.into());
    }

    /// Has the threads of both blocks give each other a number, by way of shared memory: `S` has a word of
    /// 64 bits for each of them, and `%r15` is the thread's number among all.
    pub(super) fn exchange(&mut self, threads: usize) {
        let (value, to) = (self.choices.below(WIDE), self.choices.below(WIDE));
        self.line("shl.b32 %r10, %r15, 3;".into());
        self.line("mov.u32 %r9, S;".into());
        self.line("add.u32 %r10, %r10, %r9;".into());
        self.remote("%r14");
        // What was read before is not overwritten before all have read it.
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
            // As a generic address.
            0 => {
                self.line("mov.u64 %d6, S;".into());
                self.line("cvta.shared.u64 %d6, %d6;".into());
                self.line("cvt.u64.u32 %d5, %r9;".into());
                self.line("add.u64 %d6, %d6, %d5;".into());
                self.line("mapa.u64 %d6, %d6, %r14;".into());
                self.line(format!("ld.u64 %d{to}, [%d6];"));
            }
            // Its own.
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

    /// Maps the address in `%r10` to a block that there is, whose rank is then in this register.
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
