//! What the tests of several files share, and those of the whole analysis. The published package is without them.

pub(crate) mod golden;
pub(crate) mod sample;
pub(crate) mod soundness;
pub(crate) mod text_nodes;
