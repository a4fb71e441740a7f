//! The kernels of `examples/limits` as ptxas compiles them, and as the analysis follows them.

#[path = "../examples/limits/attention/mod.rs"]
mod attention;
#[path = "../examples/limits/product/mod.rs"]
mod product;
#[path = "../examples/limits/rows.rs"]
mod rows;
#[path = "../examples/limits/transpose.rs"]
mod transpose;

use ptx::Module;
use ptx_text::{Launches, Parsed};

/// All of them.
fn modules() -> [&'static Module<'static>; 9] {
    [
        &attention::of_128::MODULE,
        &attention::causal_of_128::MODULE,
        &attention::of_64::MODULE,
        &attention::causal_of_64::MODULE,
        &product::of_bf16::MODULE,
        &product::of_e4m3::MODULE,
        &product::of_blocks::MODULE,
        &rows::rows::MODULE,
        &transpose::transpose::MODULE,
    ]
}

// Three or four warpgroups have all registers of a multiprocessor, from which `setmaxnreg` takes what it gives.
ptx::assembles!(
    product::of_bf16, product::of_e4m3, product::of_blocks, attention::of_128, attention::causal_of_128
    where registers <= 168, spills = 0, stack = 0, warnings = 0, remarks = 0
);
ptx::assembles!(
    attention::of_64, attention::causal_of_64
    where registers <= 128, spills = 0, stack = 0, warnings = 0, remarks = 0
);
// At least two blocks of 128 threads.
ptx::assembles!(
    rows::rows, transpose::transpose
    where registers <= 255, spills = 0, stack = 0, warnings = 0, remarks = 0
);

/// By every release of ptxas that there is.
#[test]
fn nothing_is_spilled() {
    for module in modules() {
        for ptxas in xtask::oracles() {
            let assembled = match ptxas.assemble(module) {
                Ok(assembled) => assembled,
                Err(refused) => panic!("{refused}\n{module}"),
            };
            for kernel in &assembled.report.kernels {
                assert_eq!((kernel.spill_bytes, kernel.stack_bytes), ((0, 0), 0), "{kernel:?}");
                // Two blocks of the kernels that are bound by memory, and one of a product, are at least there at once.
                let name = &kernel.name;
                let has_all = name.starts_with("multiply") || name == "attend";
                let most = if has_all { 168 } else { 255 };
                assert!(kernel.registers <= most, "{kernel:?}");
            }
        }
    }
}

#[test]
fn wgmma_is_not_serialized() -> std::io::Result<()> {
    for module in modules() {
        for ptxas in xtask::oracles() {
            tests::assert_wgmma_is_not_serialized(ptxas.path(), &module.to_string())?;
        }
    }
    Ok(())
}

/// Without an allowance.
#[test]
fn the_analysis_is_silent() {
    for module in modules() {
        let found: Vec<String> = module.check().iter().map(ToString::to_string).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert!(!module.to_string().contains("allow("), "an allowance");
    }
}

/// Attention is followed to its end, with the contents of its list of tiles.
#[test]
fn the_analysis_sees_what_orders_attention() {
    let text = attention::causal_of_64::MODULE.to_string();
    let launch = "// ptx: launch(block = 512, grid = 2, heads = 2, first = [0, 4, 5], work = [\
        192, 0, 108, 300, 0, 0, 0, 0, 300, 300, 100, 100, 0, 0, 0, 0, 300, 300, 100, 100, 1, 0, 0, 0, \
        0, 0, 300, 128, 0, 0, 0, 0, 192, 0, 108, 300, 1, 0, 0, 0])";
    let text = text.replace(".visible .entry", &format!("{launch}\n.visible .entry"));
    let found = |text: &str| -> Vec<String> {
        let found = Parsed::new(text).check_launched(Launches::Declared);
        found.iter().map(|found| found.message.clone()).collect()
    };
    assert_eq!(found(&text), [""; 0]);
    let statements = |word: &str| -> Vec<&str> {
        text.lines().filter(|line| line.contains(word) && line.ends_with(';')).collect()
    };
    let mut left = Vec::new();
    for word in ["mbarrier.arrive.shared", "bar.sync", "bar.arrive", "wgmma.wait"] {
        for line in statements(word) {
            // The one place of a statement that stands there several times: all of them go.
            if found(&text.replace(&format!("{line}\n"), "\n")).is_empty() {
                left.push(line.trim().to_owned());
            }
        }
    }
    // Who takes the last turn takes nobody's.
    assert_eq!(left, ["bar.sync 1, 256;"]);
    for line in statements("mbarrier.init").into_iter().step_by(2) {
        let (barrier, count) = line.trim_end_matches(';').rsplit_once(' ').expect("a count");
        let count: u32 = count.parse().expect("a number");
        for other in [count + 1, count - 1].into_iter().filter(|count| *count > 0) {
            let changed = text.replace(line, &format!("{barrier} {other};"));
            assert!(!found(&changed).is_empty(), "{line} may count {other}");
        }
    }
}

/// What is found in a text whose kernels are launched on four blocks, which have several tiles each.
fn findings(text: &str) -> Vec<String> {
    let launch =
        "// ptx: launch(block = 384, grid = 4, m = 512, n = 768, k = 640)\n.visible .entry";
    let text = text.replace(".visible .entry", launch);
    let found = Parsed::new(&text).check_launched(Launches::Declared);
    found.iter().map(|found| found.message.clone()).collect()
}

/// Without what orders a product, the analysis says what goes wrong.
#[test]
fn the_analysis_sees_what_orders_a_product() {
    let text = product::of_bf16::MODULE.to_string();
    assert_eq!(findings(&text), [""; 0]);
    for (line, instead) in [
        ("wgmma.wait_group.sync.aligned 1;", ""),
        ("wgmma.wait_group.sync.aligned 0;", ""),
        ("fence.proxy.async.shared::cta;", ""),
        ("cp.async.bulk.wait_group.read 1;", ""),
        // More and fewer arrivals than there are.
        ("[%empty+8], 16;", "[%empty+8], 17;"),
        ("[%empty+8], 16;", "[%empty+8], 15;"),
    ] {
        assert!(text.contains(line), "{line}");
        let changed = text.replace(line, instead);
        assert!(!findings(&changed).is_empty(), "{line} is not needed");
    }
}
