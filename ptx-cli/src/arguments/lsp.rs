//! `ptx lsp`.

use clap::Args;

/// `ptx lsp`.
#[derive(Debug, Args)]
#[command(
    after_help = "An editor starts it for the files of the languages `ptx` and `rust`. In Neovim:\n  \
    vim.lsp.config('ptx', { cmd = { 'ptx', 'lsp' }, filetypes = { 'ptx', 'rust' } })\n  \
    vim.lsp.enable('ptx')\n\n\
    Exit status:\n  \
    0  the editor has ended it\n  \
    2  the editor is gone, or what it says is not the language server protocol"
)]
pub struct Lsp {
    /// Talk over the standard input and output, as without it: some editors pass it to every server.
    #[arg(long, hide = true)]
    pub stdio: bool,
}
