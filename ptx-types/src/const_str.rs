//! Strings in constant code, where trait methods cannot be called.

/// Whether two strings are equal.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
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
