//! What the threads of a launch do one after the other.

use super::Case;

pub(crate) const CASES: &[Case] = &[
    Case {
        code: "A109",
        text: kernel!(
            ".shared .b32 s[64];",
            (),
            "mov.u32 %r0, %tid.x;\nmov.u32 %r1, s;\nmad.lo.u32 %r1, %r0, 4, %r1;\nst.shared.u32 [%r1], %r0;\nld.shared.u32 %r2, [s];",
            ".reqntid 64"
        ),
        advice: "put a barrier between them",
        ways: &[&[("ld.shared", "bar.sync 0; ld.shared")]],
    },
    Case {
        code: "A109",
        text: kernel!(
            ".shared .align 16 .b32 s[64]; .shared .align 8 .b64 bar; .global .align 16 .b32 g[64];",
            (),
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [bar], 1;\nbar.sync 0;\nmov.u64 %d0, g;\n@!%p0 bra WAIT;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%d0], 256, [bar];\nWAIT:\nld.shared.u32 %r2, [s];\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra WAIT;",
            ".reqntid 64"
        ),
        advice: "or wait for the copy",
        ways: &[&[
            ("ld.shared.u32 %r2, [s];", ""),
            ("@!%p1 bra WAIT;", "@!%p1 bra WAIT; ld.shared.u32 %r2, [s];"),
        ]],
    },
    Case {
        code: "A110",
        text: kernel!(
            ".shared .align 8 .b64 bar;",
            (),
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\nmbarrier.arrive.shared.b64 _, [bar];\nFIRST:\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra FIRST;\nSECOND:\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 1;\n@!%p1 bra SECOND;",
            ".reqntid 64"
        ),
        advice: "make the arrivals and bytes of each phase those that the barrier expects",
        ways: &[&[("SECOND:", "mbarrier.arrive.shared.b64 _, [bar]; SECOND:")]],
    },
    Case {
        code: "A111",
        text: kernel!(
            ".shared .align 8 .b64 bar;",
            (),
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared.b64 [bar], 64;\nbar.sync 0;\n@%p0 mbarrier.arrive.shared.b64 _, [bar], 65;\nFIRST:\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra FIRST;",
            ".reqntid 64"
        ),
        advice: "initialise it for the number of arrivals in a phase",
        ways: &[&[("[bar], 64", "[bar], 65")], &[(", 65", ", 64")]],
    },
    Case {
        code: "A112",
        text: kernel!(
            "",
            (),
            "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 32;\n@%p0 bar.sync 1;\nbar.sync 0;",
            ".reqntid 64"
        ),
        advice: "have all threads that it waits for execute this equally often, or give the number of those that do",
        ways: &[&[("@%p0 ", "")], &[("bar.sync 1", "bar.sync 1, 32")]],
    },
    Case {
        code: "A113",
        text: kernel!(
            "",
            (),
            "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 16;\n@%p0 bra LOW;\nbar.sync 0;\nbra DONE;\nLOW:\nbar.sync 0;\nDONE:",
            ".reqntid 64"
        ),
        advice: "let whole warps branch, or leave out `.aligned`",
        ways: &[
            &[("%r0, 16", "%r0, 32")],
            &[
                ("\nbar.sync 0;\nbra", "\nbarrier.sync 0;\nbra"),
                ("LOW:\nbar.sync", "LOW:\nbarrier.sync"),
            ],
        ],
    },
    Case {
        code: "A114",
        text: kernel!(
            "",
            (),
            "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 barrier.cluster.arrive;\nbarrier.cluster.wait;",
            ".reqntid 64 .reqnctapercluster 2"
        ),
        advice: "have every thread of the cluster execute `barrier.cluster.arrive`",
        ways: &[&[("@%p0 ", "")]],
    },
    Case {
        code: "A115",
        text: kernel!(
            "",
            (),
            "mov.u32 %r0, %laneid;\nsetp.ge.u32 %p0, %r0, 16;\n@%p0 bra DONE;\nshfl.sync.bfly.b32 %r1, %r0, 1, 31, -1;\nDONE:\nbar.sync 0;",
            ".reqntid 64"
        ),
        advice: "name the lanes that execute this, or let the others execute it too",
        ways: &[&[(", -1", ", 0xffff")], &[("@%p0 bra DONE;", "")]],
    },
    Case {
        code: "A116",
        text: kernel!(
            "",
            (),
            "mov.u32 %r0, %laneid;\nsetp.ge.u32 %p0, %r0, 16;\n@%p0 bra DONE;\nshfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xff;\nDONE:\nbar.sync 0;",
            ".reqntid 64"
        ),
        advice: "name every lane that executes this",
        ways: &[&[(", 0xff", ", 0xffff")]],
    },
];
