//! Strings in constant code, where trait methods cannot be called.

/// Whether two strings are equal.
pub const fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && starts_with(a, b)
}

/// Whether a string starts with another.
pub(crate) const fn starts_with(string: &str, start: &str) -> bool {
    let (string, start) = (string.as_bytes(), start.as_bytes());
    if string.len() < start.len() {
        return false;
    }
    let mut i = 0;
    while i < start.len() {
        if string[i] != start[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Whether one of the strings is equal to `sought`.
pub(crate) const fn contains(strings: &[&str], sought: &str) -> bool {
    let mut i = 0;
    while i < strings.len() {
        if same(strings[i], sought) {
            return true;
        }
        i += 1;
    }
    false
}
