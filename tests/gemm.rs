//! The matrix product of `examples/gemm` as ptxas compiles it.

#[path = "../examples/gemm/kernel.rs"]
mod kernel;

use std::process::Command;

use kernel::gemm;

#[test]
fn the_product_fits_a_block() {
    assert!(gemm::STAGES_OF_BLOCK.bytes() <= 232_448, "more than a block can have");
    for ptxas in xtask::oracles() {
        let assembled = match ptxas.assemble(&gemm::MODULE) {
            Ok(assembled) => assembled,
            Err(refused) => panic!("{refused}\n{}", gemm::MODULE),
        };
        let kernel =
            assembled.report.kernel(gemm::multiply().name()).expect("the report has the kernel");
        // A multiprocessor has 65,536 registers, and every thread gets the same number.
        assert!(kernel.registers * gemm::THREADS <= 65_536, "{kernel:?}");
        assert_eq!((kernel.spill_bytes, kernel.stack_bytes), ((0, 0), 0), "{kernel:?}");
    }
}

/// If ptxas cannot see that control flow is uniform in a warp, it completes each `wgmma` before the next.
#[test]
fn wgmma_is_not_serialized() -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let [ptx, cubin] = ["gemm.ptx", "gemm.cubin"].map(|name| folder.path().join(name));
    std::fs::write(&ptx, gemm::MODULE.to_string())?;
    for ptxas in xtask::oracles() {
        let mut command = Command::new(ptxas.path());
        let output = command.arg("-arch=sm_90a").arg(&ptx).arg("-o").arg(&cubin).output()?;
        let messages =
            String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{messages}");
        assert!(!messages.contains("serialized"), "{messages}");
    }
    Ok(())
}
