"""The names in the bodies of a Rust file, found without any of the macros' code."""

import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\])*")
  | (?P<number>\d[\w]*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<mark>::|.)
""", re.X | re.S)
SPECIAL = re.compile(
    r"(tid|ntid|ctaid|nctaid|laneid|warpid|nwarpid|smid|nsmid|gridid|clock(64|_hi)?|globaltimer\w*|lanemask_\w+|"
    r"cluster\w+|is_explicit_cluster|dynamic_smem_size|total_smem_size|aggr_smem_size|envreg\d+|pm\d+\w*)$"
)


def bodies(text):
    """Where the contents of each `ptx! { .. }` start and end."""
    for found in re.finditer(r"(?<!//)\bptx! \{", text):
        depth, at = 1, found.end()
        while depth:
            match = TOKEN.match(text, at)
            depth += {"{": 1, "}": -1}.get(match.group(), 0)
            at = match.end()
        yield found.end(), at - 1


def tokens(text, start, end):
    while start < end:
        match = TOKEN.match(text, start)
        if match.lastgroup != "skip":
            yield match.lastgroup, match.group(), match.start()
        start = match.end()


def names(text, start, end):
    """Yields (name, offset, kind) for each name that the user has given."""
    all_tokens = list(tokens(text, start, end))
    is_start, in_opcode, in_type, is_directive, splice = True, False, False, False, 0
    for n, (kind, word, at) in enumerate(all_tokens):
        before = all_tokens[n - 1][1] if n else ";"
        after = all_tokens[n + 1][1] if n + 1 < len(all_tokens) else ";"
        if splice:
            splice += {"(": 1, ")": -1}.get(word, 0)
            # Types and functions of Rust's own have a definition elsewhere.
            if kind == "word" and word not in RUST:
                yield word, at, "constant"
            continue
        if word == "(" and before == "#":
            splice = 1
        elif word in ";{}" and not (word in "{}" and in_operands(all_tokens, n)):
            is_start, in_opcode, in_type, is_directive = True, False, False, False
        elif word == ":" and is_start is False and is_directive == "let":
            in_type = True
        elif kind == "word" and is_start:
            if word in ("for", "if", "else"):
                is_start, is_directive = False, "loop"
            elif word == "let":
                is_start, is_directive = False, "let"
            elif after == ":":
                yield word, at, "label"
            elif before in ("%", "@", "!") and before != ";":
                yield word, at, "register"
            else:
                is_start, in_opcode = False, True
        elif word == "." and is_start:
            is_start, is_directive = False, "."
        elif kind == "word":
            if in_type:
                if word not in RUST:
                    yield word, at, "type"
                continue
            if in_opcode and before in (".", "::"):
                continue
            in_opcode = False
            if word in ("in", "_") or word in RUST or (is_directive == "." and before == "."):
                continue
            if before == "%" and SPECIAL.match(word):
                continue
            if before == "." and n >= 2 and all_tokens[n - 2][1] in ("tid", "ntid", "ctaid", "nctaid"):
                continue
            if before == "." and n >= 3 and all_tokens[n - 3][1] == "%" and word in "xyzw":
                continue
            kind = "register" if before == "%" else "field" if before == "." else "name"
            yield word, at, kind
        elif kind == "number":
            in_opcode = in_opcode and before in (".", "::")
        elif word not in ".:::":
            in_opcode = False


def in_operands(all_tokens, n):
    """Whether a brace holds the elements of a vector: it has a comma or parenthesis before it, or an opcode."""
    word, depth = all_tokens[n][1], 0
    while word == "}":
        depth += {"}": 1, "{": -1}.get(all_tokens[n][1], 0)
        if depth == 0:
            break
        n -= 1
    k = n - 1
    while k >= 0 and all_tokens[k][1] not in (";", "{", "}"):
        if all_tokens[k][1] in ("for", "if", "else"):
            return False
        k -= 1
    return k != n - 1 and all_tokens[n - 1][1] != ":" or all_tokens[n - 1][1] == ","


RUST = set("size_of align_of as u8 u16 u32 u64 u128 usize i8 i16 i32 i64 f32 f64 bool f16 bf16 Ptr Global Shared Const Local "
           "Param Generic V2 V4 Mbarrier Tile max min".split())
