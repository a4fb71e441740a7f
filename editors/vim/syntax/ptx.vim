" Vim syntax file: PTX
" Written by `UPDATE_EXPECT=1 cargo test -p ptx-cli --test editors` from the tables of ptx-isa.
if exists('b:current_syntax')
  finish
endif
let s:cpo = &cpo
set cpo&vim
syntax case match
syntax match ptxSign ~\v[-+*/%&|^\~!<>=?@]~
syntax match ptxRegister ~\v\%[A-Za-z0-9_$]+~
syntax match ptxSpecialRegister ~\v\%%(aggr_smem_size|clock|clock64|clock_hi|cluster_ctaid|cluster_ctarank|cluster_nctaid|cluster_nctarank|clusterid|ctaid|current_graph_exec|dynamic_smem_size|envreg0|envreg1|envreg10|envreg11|envreg12|envreg13|envreg14|envreg15|envreg16|envreg17|envreg18|envreg19|envreg2|envreg20|envreg21|envreg22|envreg23|envreg24|envreg25|envreg26|envreg27|envreg28|envreg29|envreg3|envreg30|envreg31|envreg4|envreg5|envreg6|envreg7|envreg8|envreg9|globaltimer|globaltimer_hi|globaltimer_lo|gridid|is_explicit_cluster|laneid|lanemask_eq|lanemask_ge|lanemask_gt|lanemask_le|lanemask_lt|nclusterid|nctaid|nsmid|ntid|nwarpid|pm0|pm0_64|pm1|pm1_64|pm2|pm2_64|pm3|pm3_64|pm4|pm4_64|pm5|pm5_64|pm6|pm6_64|pm7|pm7_64|reserved_smem_offset_0|reserved_smem_offset_1|reserved_smem_offset_begin|reserved_smem_offset_cap|reserved_smem_offset_end|smid|tid|total_smem_size|warpid)>~
syntax match ptxDirective ~\v\.%(abi_preserve|abi_preserve_control|address_size|alias|align|attribute|blocksareclusters|branchtargets|callprototype|calltargets|common|entry|explicitcluster|extern|file|func|loc|local_maxnreg|managed|maxclusterrank|maxnctapersm|maxnreg|maxntid|minnctapersm|noreturn|pragma|ptr|reqnctapercluster|reqntid|section|target|unified|version|visible|weak)>~
syntax match ptxModifier ~\v\.%(0|1|1d|2|2d|2dms|3|3d|4d|5d|L1|L2|NaN|a|a1d|a2d|a2dms|abs|acc|acq_rel|acquire|acube|add|addr_mode_0|addr_mode_1|addr_mode_2|alias|aligned|all|alloc|alloc_class_large|alloc_large|alloc_same|alloc_small|and|any|approx|array_size|arrive|arrive_drop|ashift|async|b|b0|b1|b1024|b2|b3|b4|b4e|b4x16_p64|b6x16_p32|b8x16|ballot|base|bfly|block16|block32|block_scale|box_dim|bulk|bulk_group|c|ca|cas|cc|cg|channel_data_type|channel_order|check_layout|clamp|cluster|col|collector|commit|commit_group|complete_tx|cp|cp_fenceproxy|cp_mask|cs|cta|cta_group|cube|cv|cvt|d|dealloc|dec|depth|dis|down|e0m3x2|e0m3x4|e2m1|e2m3|e3m2|ecl|ecr|element_stride|elemtype|en|eq|equ|evict_first|evict_last|evict_normal|evict_unchanged|exch|expect_tx|f4e|fence|fill_mode|filter_mode|finite|force_unnormalized_coords|fractional|ftz|full|fused|g|ge|generic|get_first_ctaid|geu|gl|global_address|global_dim|global_stride|gpu|grad|group|gt|gtu|h0|h1|height|hi|hs|idx|ignoreC|ignoreC_pred|ignore_oob|im2col|im2col_no_offs|inc|infinite|init|interleave_layout|inv|inval|invall|is_canceled|kind|l|launch_dependents|layout|ld|ld_reduce|le|leu|level|lo|load|ls|lt|ltu|lu|mask|matrix|max|maxabs|mbarrier|mbarrier_init|memory_layout|min|mma|mma_async|mmio|mode|multicast|multimem|nan|nc|ne|negA|negB|neu|noComplete|no_allocate|no_membermask_overlap|noftz|noinc|normal|normalized_coords|notanumber|num|num_mipmap_levels|num_samples|number|one|oob|op_restrict|or|ordered_metadata|p|pack|parity|pending_count|po|pop|popc|prefetch|proxy|pzo|query|query_cancel|r|range|rank|rc16|rc8|read|red|reduce|regoffset|relaxed|release|relinquish_alloc_permit|relu|replace|rm|rmi|rn|rna|rni|row|rp|rpi|rs|rz|rzi|s2|s2f6x2|s4|s8x4|safeadd|sat|satfinite|sc|scale_vec|scaled|scope|scratch|shift|shiftamt|shr15|shr7|sp|sparse|spcompress|st|store|subnormal|swizzle_atomicity|swizzle_mode|sync|sync_restrict|sys|tensor|tensormap|test_wait|thread|tile|to|trans|transA|transB|trap|try_cancel|try_wait|tx|u2|u4|u8x4|ue5m3x2|ue8m0|ue8m0x4|unanimous|uni|unified|unpack|up|valid_addr|volatile|w|wait|wait_all|wait_group|warp|warpx2|warpx4|wb|weak|wide|width|wrap|ws|wt|x|x1|x128|x16|x2|x32|x4|x64|x8|xor|xorsign|y|z|zero)>~
syntax match ptxModifier ~\v::%(01_23|02_13|1|128|128B|16b|1X|2|256B|2X|3|32B|4|4X|64B|A|B|D|a|acquire|after_thread_sync|alias|all|arrive|async|b0|b1|b2|b3|before_thread_sync|bytes|ca|cache_hint|cluster|complete_tx|cta|cta_group|discard|entry|evict_first|evict_last|evict_normal|evict_unchanged|eviction_priority|f16|f32|f8f6f4|fill|func|gather4|generic|global|i8|im2col|lastuse|ld|mbarrier|meet_tx|multicast|mxf4|mxf4nvf4|mxf8f6f4|n1|n2|n4|no_allocate|num_src|num_target|one|ordered_metadata|proxy|read|readonly|release|scaleA|scaleB|scatter4|shared|sparseMetadata|st|sync_restrict|tensormap|tf32|ue8m0|use|w|x|y|z)>~
syntax match ptxModifier ~\v\.%(m\d+n\d+%(k\d+)?|\d+x\w*|h\d\d|debug_\w+|_\w+)>~
syntax match ptxType ~\v\.%(b128|b16|b32|b64|b8|bf16|bf16x2|e2m1x2|e2m1x4|e2m3x2|e2m3x4|e3m2x2|e3m2x4|e4m3|e4m3x2|e4m3x4|e5m2|e5m2x2|e5m2x4|f16|f16x2|f32|f32x2|f64|pred|s16|s16x2|s32|s64|s8|samplerref|surfref|texref|tf32|u16|u16x2|u32|u64|u8|ue4m3|ue8m0x2|v2|v4|v8)>~
syntax match ptxSpace ~\v%(\.|::)%(const|global|local|param|reg|shared|sreg|tex)>~
syntax match ptxOpcode ~\v%(%(^|[;{}:])\s*|\@!?\%[A-Za-z0-9_$]+\s+)@60<=%(abs|activemask|add|addc|alloca|and|applypriority|atom|bar|barrier|bfe|bfi|bfind|bmsk|bra|brev|brkpt|brx|call|cctl|cctlu|clusterlaunchcontrol|clz|cnot|copysign|cos|cp|createpolicy|cvt|cvta|discard|div|dp2a|dp4a|elect|ex2|exit|fence|fma|fns|getctarank|griddepcontrol|isspacep|istypep|ld|ldmatrix|ldu|lg2|lop3|mad|mad24|madc|mapa|match|max|mbarrier|membar|min|mma|mov|movmatrix|mul|mul24|multimem|nanosleep|neg|not|or|pmevent|popc|prefetch|prefetchu|prmt|rcp|red|redux|rem|ret|rsqrt|sad|selp|set|setmaxnreg|setp|shf|shfl|shl|shr|sin|slct|spdecompress|sqrt|st|stackrestore|stacksave|stmatrix|sub|subc|suld|suq|sured|sust|szext|tanh|tcgen05|tensormap|testp|tex|tld4|trap|txq|vabsdiff|vabsdiff2|vabsdiff4|vadd|vadd2|vadd4|vavrg2|vavrg4|vmad|vmax|vmax2|vmax4|vmin|vmin2|vmin4|vote|vset|vset2|vset4|vshl|vshr|vsub|vsub2|vsub4|wgmma|wmma|xor)>~
syntax match ptxLabel ~\v%(^|[;{}])@1<=\s*[A-Za-z_$][A-Za-z0-9_$]*\s*\ze:%(:)@!~
syntax match ptxNumber ~\v%([$%.]@1<!<)\d%(\w|\$)*%(\.\d*%([eE][-+]?\d+)?)?~
syntax match ptxNumber ~\v%([$%.]@1<!<)0%([fF]\x{8}|[dD]\x{16}|[xX]\x+U?|[bB][01]+U?)>~
syntax match ptxError ~\v%([$%.]@1<!<)0%([fF]%(\x{8}>)@!|[dD]%(\x{16}>)@!)\w*~
syntax match ptxTarget ~\v<%(sm|compute)_\d+[af]?>~
syntax region ptxString start=/"/ end=/"\|$/
syntax match ptxLineMarker /^\s*#\s*\%(line\)\?\s*\d\+\s\+".*/
syntax keyword ptxTodo TODO FIXME XXX NOTE contained
syntax match ptxComment ~//.*~ contains=ptxTodo,@Spell
syntax region ptxComment start=~/\*~ end=~\*/~ contains=ptxTodo,@Spell
syntax sync ccomment ptxComment

highlight default link ptxSign Operator
highlight default link ptxRegister Identifier
highlight default link ptxSpecialRegister Constant
highlight default link ptxDirective PreProc
highlight default link ptxModifier Special
highlight default link ptxType Type
highlight default link ptxSpace StorageClass
highlight default link ptxOpcode Statement
highlight default link ptxLabel Label
highlight default link ptxNumber Number
highlight default link ptxError Error
highlight default link ptxTarget Constant
highlight default link ptxString String
highlight default link ptxLineMarker PreProc
highlight default link ptxTodo Todo
highlight default link ptxComment Comment

let b:current_syntax = 'ptx'
let &cpo = s:cpo
unlet s:cpo
