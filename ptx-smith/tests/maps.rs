//! Random tensor maps reach every rule that the driver enforces on `sm_90`.

use std::collections::BTreeMap;

use ptx_isa::Target;
use ptx_isa::tensor::rules::RULES;
use ptx_isa::tensor::{encode, encode_unchecked};
use ptx_smith::Kind;
use ptx_smith::maps::{Random, map};
use ptx_smith::module::Options;

#[test]
fn every_rule_of_the_driver_is_met_alone() {
    let mut random = Random::new(2026);
    let (mut accepted, mut alone, mut calls) = (0, BTreeMap::new(), [0; 3]);
    for _ in 0..50_000 {
        let (spec, tensor) = map(&mut random);
        assert!(spec.swizzle.driver().is_some());
        let call = usize::from(spec.mode.is_im2col()) + usize::from(spec.mode.is_wide());
        calls[call] += 1;
        let verdict = spec.check_tensor(&tensor, Some(Target::Sm90a));
        accepted += u32::from(verdict.is_accepted());
        // Checking all rules at once gives the same results as checking each; a checked map is encoded like an
        // unchecked one.
        match encode::<[u8; 128]>(&spec, &tensor, Target::Sm90a) {
            Ok(descriptor) => {
                assert!(verdict.is_accepted(), "{spec:?} {tensor:?}: {verdict}");
                assert_eq!(Some(descriptor), encode_unchecked(&spec, &tensor));
            }
            Err(refusal) => {
                assert!(!verdict.is_accepted(), "{spec:?} {tensor:?}");
                assert_eq!(refusal.to_string(), verdict.to_string());
            }
        }
        let mut refusals = verdict.driver();
        if let (Some(refusal), None) = (refusals.next(), refusals.next()) {
            *alone.entry(refusal.rule.code).or_insert(0) += 1;
        }
    }
    println!("{accepted} accepted, {calls:?} tiled, im2col, wide: {alone:?}");
    assert!((15_000..35_000).contains(&accepted), "{accepted} accepted");
    assert!(calls.iter().all(|calls| *calls > 10_000), "{calls:?}");
    let enforced = RULES.iter().filter(|rule| {
        // The driver has no 96-byte swizzle.
        rule.is_refused() && rule.source.targets.hold(Some(Target::Sm90a)) && rule.code != "M008"
    });
    let missed: Vec<_> =
        enforced.filter(|rule| alone.get(rule.code).is_none_or(|count| *count < 20)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

/// That serde reads these lines as maps, with its feature, is a test of `ptx-types` (`tensor_checked`).
#[test]
fn what_is_written_has_the_form_that_serde_reads() {
    let recorded = include_str!("maps.jsonl");
    let drawn: String = (0..recorded.lines().count())
        .map(|number| Kind::Maps.draw(27, number, Options::default()).text)
        .collect();
    assert_eq!(drawn, recorded);
}
