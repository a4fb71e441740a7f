//! A launch in a comment, before the kernel that it is for is read.

use ptx_analysis::Launch;
use ptx_isa::ir::Function;

use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::group::{Excess, Group};

/// A launch in a comment.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) launch: Launch,
    /// The comment.
    pub(super) at: Extent,
    /// The numbers of threads of a block and of blocks of a cluster, or the comment.
    pub(super) block: Extent,
    pub(super) cluster: Extent,
}

impl Noted {
    /// Returns the launch of this kernel, and reports what does not fit it.
    pub(super) fn of(self, kernel: &Function<'_>, errors: &mut SyntaxErrors) -> Launch {
        let Self { launch, at, block, cluster } = self;
        for name in launch.unknown_params(kernel.params) {
            errors.at(at, format!("`{}` has no parameter `{name}`", kernel.name));
        }
        for name in launch.without_contents(kernel.params) {
            errors.at(at, format!("`{name}` is not an address, and has no words: write a number"));
        }
        if let Some(excess) = Excess::of(&launch, kernel) {
            let at = match excess.group {
                Group::Block => block,
                Group::Cluster => cluster,
            };
            errors.at(at, excess);
        }
        launch
    }
}
