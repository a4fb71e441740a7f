#[inlien]
pub fn k() {}
