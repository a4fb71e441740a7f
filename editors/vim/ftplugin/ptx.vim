if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,://
" As `ptx fmt` writes it.
setlocal expandtab shiftwidth=4 softtabstop=4
" A register and a label are one word.
setlocal iskeyword+=%,$

let b:undo_ftplugin = 'setlocal commentstring< comments< iskeyword< expandtab< shiftwidth< softtabstop<'
