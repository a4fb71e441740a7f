//! Words in constant code, which has no `==` for strings.

/// Whether this word is among them.
pub(crate) const fn contains(words: &[&str], word: &str) -> bool {
    let mut i = 0;
    while i < words.len() {
        if same(words[i], word) {
            return true;
        }
        i += 1;
    }
    false
}

/// `==`.
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
