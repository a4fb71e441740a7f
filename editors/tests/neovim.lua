-- Opens a file in Neovim with the server, waits for what it finds, and asks it as an editor does:
--     PTX=path/to/ptx nvim --headless -u NONE -i NONE -n --cmd 'set rtp+=editors/vim' -c 'luafile editors/tests/neovim.lua'

local failed = false

local function check(what, is_right, shown)
  local text = type(shown) == 'string' and shown or vim.inspect(shown)
  io.stdout:write(('%s %s: %s\n'):format(is_right and 'ok    ' or 'FAILED', what, text))
  failed = failed or not is_right
end

local function finish()
  vim.cmd(failed and 'cquit' or 'qall!')
end

vim.cmd('filetype plugin on')
vim.cmd('syntax on')
vim.cmd('edit editors/tests/kernel.ptx')
check('type of the file', vim.bo.filetype == 'ptx', vim.bo.filetype)

-- The first place of a text, from 1.
local function place(text)
  for line, content in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    local column = content:find(text, 1, true)
    if column then
      return line, column
    end
  end
end

for _, row in ipairs({
  { '.visible', 'ptxDirective' },
  { '.u64', 'ptxType' },
  { 'ld.param', 'ptxOpcode' },
  { '%rd0', 'ptxRegister' },
  { '%tid', 'ptxSpecialRegister' },
}) do
  local text, group = unpack(row)
  local line, column = place(text)
  local name = vim.fn.synIDattr(vim.fn.synID(line, column, 1), 'name')
  check('highlighting of ' .. text, name == group, name)
end

local function start()
  local options = { name = 'ptx', cmd = { vim.env.PTX or 'ptx', 'lsp' }, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then
    vim.lsp.start(options)
  else
    -- Neovim 0.7, of Debian 12.
    vim.lsp.buf_attach_client(0, vim.lsp.start_client(options))
  end
end
start()

local misspelt = place('aut')
local is_found = vim.wait(20000, function()
  return #vim.diagnostic.get(0) > 0
end, 50)
local found = vim.diagnostic.get(0)
check('findings', is_found and #found == 1 and found[1].lnum == misspelt - 1, #found == 0 and 'none' or found[1].message)
if not is_found then
  return finish()
end

-- What the server answers at a text, or so many bytes after its start.
local function ask(method, text, after)
  local line, column = place(text)
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = line - 1, character = column - 1 + (after or 0) },
  }
  local answers = vim.lsp.buf_request_sync(0, method, params, 5000) or {}
  for _, answer in pairs(answers) do
    return answer.result or answer.error or vim.NIL
  end
end

local function shown(hover)
  return type(hover) == 'table' and hover.contents and (hover.contents.value or vim.inspect(hover.contents)) or ''
end

local hover = shown(ask('textDocument/hover', 'st.global'))
check('hover on st.global', hover:find('st', 1, true) ~= nil, hover)

local completion = ask('textDocument/completion', '%tid', #'%t')
local items = type(completion) == 'table' and (completion.items or completion) or {}
local labels = vim.tbl_map(function(item) return item.label end, items)
check('completion of %tid', vim.tbl_contains(labels, '%tid.x'), ('%d words'):format(#labels))

local definition = ask('textDocument/definition', '%rd0, [out]')
local target = type(definition) == 'table' and (definition[1] or definition) or {}
local range = target.targetSelectionRange or target.range
local declared = place('.reg .b64')
check('definition of %rd0', range and range.start.line == declared - 1, range and 'line ' .. range.start.line + 1 or definition)

-- A Rust file, of which the body is served.
vim.cmd('edit editors/tests/kernel.rs')
check('type of the Rust file', vim.bo.filetype == 'rust', vim.bo.filetype)
start()
-- Neovim complains of a request before the server has said what it can do.
local function is_started()
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.lsp.buf_get_clients(0)
  return next(clients) ~= nil
end
local text = ''
vim.wait(20000, function()
  text = is_started() and shown(ask('textDocument/hover', 'ld.global')) or ''
  return text ~= ''
end, 50)
check('hover on ld.global in Rust', text:find('ld.global.f32', 1, true) ~= nil, text)
local outside = ask('textDocument/hover', 'pub fn')
check('no hover outside of the body', outside == nil or outside == vim.NIL, outside)
check('no findings in Rust', #vim.diagnostic.get(0) == 0, vim.diagnostic.get(0))

finish()
