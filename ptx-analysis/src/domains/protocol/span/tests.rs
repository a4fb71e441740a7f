use alloc::vec::Vec;

use super::*;

/// Creates a span in shared memory with possible and certain bytes.
fn span(of: usize, range: Option<(i128, i128)>, exact: Option<(i128, i128)>) -> Span {
    Span {
        of: Some((of, false)),
        space: Some(Space::Shared),
        is_dynamic: false,
        is_remote: false,
        range,
        exact,
        is_fixed: false,
    }
}

fn ranges() -> Vec<(i128, i128)> {
    (0..4).flat_map(|first| (first + 1..5).map(move |end| (first, end))).collect()
}

#[test]
fn spans_of_one_storage_may_meet_where_both_may_go_to_a_byte() {
    for one in ranges() {
        for other in ranges() {
            let both = (one.0..one.1).any(|byte| (other.0..other.1).contains(&byte));
            let (mine, others) = (span(0, Some(one), None), span(0, Some(other), None));
            assert_eq!(mine.may_overlap(&others), both, "{one:?} {other:?}");
            assert!(mine.may_overlap(&span(0, None, None)));
            assert!(span(0, None, None).may_overlap(&mine));
            // Different storage does not overlap, at any offset.
            assert!(!mine.may_overlap(&span(1, Some(other), None)));
        }
    }
}

#[test]
fn dynamic_and_pointed_to_storage_may_be_anywhere() {
    let far = |of| span(of, Some((100, 104)), None);
    let near = |of| span(of, Some((0, 4)), None);
    let dynamic = |span: Span| Span { is_dynamic: true, ..span };
    assert!(dynamic(near(0)).may_overlap(&dynamic(near(1))));
    // Both are at the start of dynamic memory; nothing is known about their lengths.
    assert!(dynamic(near(0)).may_overlap(&dynamic(far(1))));
    assert!(!dynamic(near(0)).may_overlap(&near(1)));
    assert!(!near(0).may_overlap(&dynamic(near(1))));
    let pointee = |span: Span| Span { of: span.of.map(|(of, _)| (of, true)), ..span };
    assert!(pointee(near(0)).may_overlap(&far(1)));
    assert!(far(1).may_overlap(&pointee(near(0))));
    assert!(pointee(near(0)).may_overlap(&pointee(far(1))));
    assert!(!pointee(near(0)).may_overlap(&pointee(far(0))));
    assert!(pointee(near(0)).may_overlap(&far(0)));
    assert!(Span::UNKNOWN.may_overlap(&near(0)) && near(0).may_overlap(&Span::UNKNOWN));
}

#[test]
fn spans_certainly_meet_if_every_execution_accesses_a_common_byte() {
    let none_or = || core::iter::once(None).chain(ranges().into_iter().map(Some));
    let bytes = |exact: Option<(i128, i128)>| exact.map(|(start, end)| (start, end - start));
    let is_in = |byte: i128, of: Option<(i128, i128)>| {
        of.is_some_and(|(start, end)| (start..end).contains(&byte))
    };
    for [range, exact, others_range, others] in none_or()
        .flat_map(|a| none_or().map(move |b| [a, b]))
        .flat_map(|[a, b]| [None, Some((1, 3)), Some((2, 4))].map(|c| [a, b, c]))
        .flat_map(|[a, b, c]| none_or().map(move |d| [a, b, c, d]))
    {
        let one = span(0, range, bytes(exact));
        let other = span(0, others_range, bytes(others));
        let in_both = (0..5).any(|byte| is_in(byte, exact) && is_in(byte, others));
        let inside = |range: Option<(i128, i128)>, exact| {
            range.is_some_and(|(first, end)| (first..end).all(|byte| is_in(byte, exact)))
        };
        let expected = in_both || inside(range, others) || inside(others_range, exact);
        assert_eq!(one.must_overlap(&other), expected, "{one:?} {other:?}");
        // In another block, or in other storage.
        assert!(!one.must_overlap(&Span { is_remote: true, ..other.clone() }));
        assert!(!Span { is_remote: true, ..one.clone() }.must_overlap(&other));
        assert!(!one.must_overlap(&Span { of: Some((1, false)), ..other.clone() }));
        let nowhere = Span { of: None, ..one.clone() };
        assert!(!nowhere.must_overlap(&Span { of: None, ..other }));
    }
}

#[test]
fn spans_are_the_same_that_start_at_one_byte_of_own_shared_memory() {
    let exact = |of, start| span(of, None, Some((start, 4)));
    assert!(exact(0, 8).is_same(&exact(0, 8)));
    assert!(exact(0, 8).is_same(&span(0, None, Some((8, 1)))));
    assert!(!exact(0, 8).is_same(&exact(0, 9)));
    assert!(!exact(0, 8).is_same(&exact(1, 8)));
    assert!(!span(0, None, None).is_same(&span(0, None, None)));
    let others: [fn(Span) -> Span; 3] = [
        |it| Span { is_remote: true, ..it },
        |it| Span { space: Some(Space::Global), ..it },
        |it| Span { of: Some((0, true)), ..it },
    ];
    for other in others {
        let other = other(exact(0, 8));
        assert!(!other.is_exact() && !other.is_own_shared(), "{other:?}");
        assert!(!other.is_same(&other), "{other:?}");
        assert!(!other.is_same(&exact(0, 8)) && !exact(0, 8).is_same(&other), "{other:?}");
    }
    assert!(exact(0, 8).is_exact() && exact(0, 8).is_own_shared());
    assert!(!span(0, None, None).is_exact() && span(0, None, None).is_own_shared());
    assert!(!Span { of: None, ..exact(0, 8) }.is_own_shared());
    assert!(!Span { space: None, ..exact(0, 8) }.is_own_shared());
}

#[test]
fn an_unknown_space_may_be_shared() {
    let of = |space| Span { space, ..span(0, None, None) }.may_be_shared();
    assert!(of(None) && of(Some(Space::Shared)));
    assert!(!of(Some(Space::Global)) && !of(Some(Space::Local)));
    assert!(Span::UNKNOWN.may_be_shared() && Span::UNKNOWN.is_remote);
}
