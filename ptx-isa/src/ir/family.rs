//! The names of a family's members (PTX ISA 5.4.6): `r0` to `r9` of `r<10>`.

/// The number of the member `name` of the family `base`: the digits after the family's own name.
/// `None` if no family with that base has a member of this name, whatever its count.
pub const fn member_number(name: &str, base: &str) -> Option<usize> {
    let (name, base) = (name.as_bytes(), base.as_bytes());
    if name.len() <= base.len() {
        return None;
    }
    let (mut number, mut i) = (0_usize, 0);
    while i < name.len() {
        if i < base.len() {
            if name[i] != base[i] {
                return None;
            }
        } else if name[i].is_ascii_digit() {
            number = match number.checked_mul(10) {
                Some(tens) => match tens.checked_add((name[i] - b'0') as usize) {
                    Some(number) => number,
                    None => return None,
                },
                None => return None,
            };
        } else {
            return None;
        }
        i += 1;
    }
    Some(number)
}

/// Whether `name` is a member of the family `base` with this many members; where the count is
/// unknown, any number is one.
pub const fn is_member(name: &str, base: &str, count: Option<usize>) -> bool {
    match (member_number(name, base), count) {
        (Some(number), Some(count)) => number < count,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// The name of the family that `name` would be a member of: everything before its trailing digits, whatever their
/// number. `None` if it does not end in one.
pub fn base_of(name: &str) -> Option<&str> {
    let mut end = name.len();
    // This is not an iterator, because the macro runs it unoptimised, for each name.
    while end > 0 && name.as_bytes()[end - 1].is_ascii_digit() {
        end -= 1;
    }
    (end < name.len()).then(|| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_numbers_below_the_count() {
        assert!(is_member("%r3", "%r", Some(4)));
        assert!(!is_member("%r4", "%r", Some(4)));
        assert!(is_member("%r4", "%r", None));
        assert!(is_member("%r03", "%r", Some(4)));
        for name in ["%r", "%rx", "%r1x", "%s1", "r1", "%r+1", "%r99999999999999999999999"] {
            assert!(!is_member(name, "%r", None), "{name}");
        }
    }

    #[test]
    fn a_family_is_named_by_the_part_before_the_number() {
        assert_eq!(base_of("%r12"), Some("%r"));
        assert_eq!(base_of("a1b23"), Some("a1b"));
        assert_eq!(base_of("%r"), None);
    }
}
