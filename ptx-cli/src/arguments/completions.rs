//! `ptx completions`.

use clap::Args;
use clap_complete::Shell;

/// `ptx completions`.
#[derive(Debug, Args)]
#[command(after_help = "To install them:\n  \
    bash  ptx completions bash > ~/.local/share/bash-completion/completions/ptx\n  \
    zsh   ptx completions zsh > _ptx, in a folder of $fpath\n  \
    fish  ptx completions fish > ~/.config/fish/completions/ptx.fish")]
pub struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}
