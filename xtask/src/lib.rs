//! Development tasks of the ptx workspace.
