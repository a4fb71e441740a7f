//! The matrix product of `examples/gemm` as ptxas compiles it.

#[path = "../examples/gemm/kernel.rs"]
mod kernel;

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

#[test]
fn wgmma_is_not_serialized() -> std::io::Result<()> {
    for ptxas in xtask::oracles() {
        tests::assert_wgmma_is_not_serialized(ptxas.path(), &gemm::MODULE.to_string())?;
    }
    Ok(())
}
