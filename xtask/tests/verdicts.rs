//! Compares the rules and the encoder of tensor maps with the driver's verdicts and descriptors.

use std::path::{Path, PathBuf};

use xtask::verdicts::{compare, compare_file};

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/tensor/tensor_map_verdicts_sm90_driver13000.csv.gz")
}

#[test]
fn the_corpus_agrees() {
    let report = compare_file(&corpus()).unwrap();
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.verdicts.agree, 12_000);
    assert_eq!(report.descriptors.agree, 4_992);
    assert!(report.disagreements.is_empty());
}

const HEADER: &str = "mode,dtype,rank,address_hex,dim0,dim1,dim2,dim3,dim4,stride0,stride1,stride2,\
    stride3,box0,box1,box2,box3,box4,element_stride0,element_stride1,element_stride2,\
    element_stride3,element_stride4,interleave,swizzle,l2_promotion,oob_fill,lower0,lower1,lower2,\
    upper0,upper1,upper2,channels_per_pixel,pixels_per_column,wide_mode,curesult,descriptor_hex";

#[test]
fn a_false_verdict_is_reported() {
    // A row of 5 bytes, which the driver did not accept.
    let row = "0,0,1,1000,64,1,1,1,1,0,0,0,0,5,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,1,1,0,0,";
    let zeros = "00".repeat(128);
    let report = compare(&format!("{HEADER}\n{row}{zeros}\n")).unwrap();
    assert_eq!((report.verdicts.disagree, report.descriptors.disagree), (1, 1));
    assert!(report.disagreements[0].contains("`box[0]` is 5 elements of 1 byte"), "{report}");
    // A descriptor of zeros, which no driver wrote.
    let row = row.replace(",5,1,1,1,1,1", ",16,1,1,1,1,1");
    let report = compare(&format!("{HEADER}\n{row}{zeros}\n")).unwrap();
    assert_eq!((report.verdicts.disagree, report.descriptors.disagree), (0, 1));
    assert!(report.disagreements[0].contains("the driver writes tiled map"), "{report}");
}

#[test]
fn an_unreadable_line_is_reported() {
    let line = |text: &str| compare(text).unwrap_err();
    assert_eq!(line(""), "there is no header");
    assert_eq!(line(HEADER), "there are no rows");
    assert_eq!(line("mode,curesult\n0,0"), "line 2: no `address_hex`");
    assert_eq!(line("mode,curesult\n0,maybe"), "line 2: `curesult` is `maybe`");
}
