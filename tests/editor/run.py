#!/usr/bin/env python3
"""What rust-analyzer says of each name in the bodies of examples/ and of the README's program.

    PTX_RUST_ANALYZER=rust-analyzer tests/editor/run.py [EXAMPLE..]

Each name must have exactly one definition, in the user's file, and a hover of at most ten lines that names it.
`PTX_RUST_ANALYZER` names the program; without it, nothing runs, and the script says so.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from client import Client
from names import bodies, names, tokens

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "target" / "editor"
MANIFEST = """[package]
name = "editor"
version = "0.0.0"
edition = "2024"

[features]
cuda = []

[dependencies]
ptx = { path = "../.." }

[workspace]
"""
# Each edit expands a module again.
MOST_COMPLETED = int(os.environ.get("PTX_EDITOR_COMPLETED", "3"))
KINDS = ["register", "name", "field", "constant", "label", "type"]


def package():
    """A package with the examples as programs. Returns their files."""
    programs = PACKAGE / "src" / "bin"
    shutil.rmtree(programs, ignore_errors=True)
    shutil.copytree(ROOT / "examples", programs)
    (PACKAGE / "Cargo.toml").write_text(MANIFEST)
    shutil.copy(ROOT / "Cargo.lock", PACKAGE / "Cargo.lock")
    readme = (ROOT / "README.md").read_text()
    (programs / "readme.rs").write_text(re.search(r"```rust,no_run\n(.*?)```", readme, re.S)[1])
    return sorted(file for file in programs.rglob("*.rs") if "ptx! {" in file.read_text())


def position(text, offset):
    line = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, offset), "character": offset - line}


def in_macro(text, offset):
    """Whether a place is in the definition of a `macro_rules!`."""
    for found in re.finditer(r"^macro_rules! \w+ \{\n.*?^\}", text, re.M | re.S):
        if found.start() < offset < found.end():
            return True
    return False


def server(program):
    sysroot = subprocess.check_output(["rustc", "--print", "sysroot"], cwd=ROOT, text=True).strip()
    check = ["cargo", "check", "--quiet", "--message-format=json", "--package=ptx"]
    options = {
        "procMacro": {"enable": True, "server": sysroot + "/libexec/rust-analyzer-proc-macro-srv"},
        "cargo": {"buildScripts": {"overrideCommand": check}},
        "checkOnSave": False,
        "cachePriming": {"enable": False},
        "numThreads": 2,
    }
    env = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    client = Client(program, PACKAGE, options, env, PACKAGE / "server.log")
    status = client.wait_until_ready(500)
    if status.get("health") != "ok":
        print(status.get("message"), file=sys.stderr)
    return client


def judge(client, file, text, name, offset, kind):
    """What is wrong with the answers about a name."""
    at = {"textDocument": {"uri": file.as_uri()}, "position": position(text, offset)}
    found = client.request("textDocument/definition", at) or []
    places = {(it["uri"], it["range"]["start"]["line"], it["range"]["start"]["character"]) for it in found}
    if kind == "constant":
        # Of a constant that a macro adds to a type, rust-analyzer shows the macro besides the attribute.
        places = {it for it in places if it[0].startswith(PACKAGE.as_uri())} or places
    is_elsewhere = places and not any(it[0].startswith(PACKAGE.as_uri()) for it in places)
    if is_elsewhere and kind in ("constant", "type"):
        # The library's, which may be a macro's there and is documented as the library likes.
        return [], ""
    wrong = []
    if len(places) != 1:
        wrong.append(f"{len(places)} definitions")
        if os.environ.get("VERBOSE"):
            print(places)
    elif is_elsewhere:
        wrong.append("defined elsewhere")
    hover = client.request("textDocument/hover", at)
    shown = hover["contents"]["value"].strip() if hover else ""
    if not shown:
        wrong.append("no hover")
    elif len(shown.splitlines()) > 10:
        wrong.append(f"hover of {len(shown.splitlines())} lines")
    elif not re.search(rf"\b{re.sub('[0-9]+$', '', name)}", shown):
        wrong.append("hover of another name")
    return wrong, shown


def completions(client, file, text, version):
    """Cuts each body off after each statement, starts another, and counts the places where something is missing."""
    uri, asked, missing = file.as_uri(), 0, collections.Counter()
    storage = re.findall(r"^ *(?:pub(?:\([a-z]+\))? )?static (\w+)", text, re.M)
    for begin, end in bodies(text):
        ends, inside = [], 0
        for _, word, at in tokens(text, begin, end):
            inside += {"[": 1, "]": -1, "(": 1, ")": -1}.get(word, 0)
            if word == ";" and not inside:
                ends.append(at)
        registers = re.findall(r"%(\w+)[,:]", text[begin : ends[0]])
        signature = text[text.rfind("fn ", 0, begin) : begin]
        parameters = re.findall(r"(\w+): (?!:)", signature)
        for after in ends[len(re.findall(r"\blet ", text[begin:end])) - 1 :]:
            depth = 0
            for kind, word, at in tokens(text, begin, after):
                depth += {"{": 1, "}": -1}.get(word, 0)
            wanted = [(name[:-1] or name, name, "storage") for name in storage[:1]]
            wanted += [(name[:-1], name, "parameter") for name in parameters[:1]]
            wanted += [("%" + name[:-1], name, "register") for name in registers[:1]]
            for typed, name, kind in wanted:
                for close in ("]", ""):
                    start = text[: after + 1] + f"\n ld.global.u32 %{registers[0] if registers else 'r'}, [{typed}"
                    version[0] += 1
                    client.notify("textDocument/didChange", {
                        "textDocument": {"uri": uri, "version": version[0]},
                        "contentChanges": [{"text": start + close + "\n" + "}" * depth + text[end:]}]})
                    found = client.request("textDocument/completion", {
                        "textDocument": {"uri": uri}, "position": position(start, len(start))})
                    found = found["items"] if isinstance(found, dict) else found or []
                    asked += 1
                    if not any(re.match(rf"{name}\b", it["label"]) for it in found):
                        missing[kind + (", bracket open" if not close else "")] += 1
                        if os.environ.get("VERBOSE"):
                            line = position(text, after)["line"] + 1
                            print(f"{file.name}:{line}: after `{typed}`: {len(found)} names, {[it['label'] for it in found[:3]]}")
    version[0] += 1
    client.notify("textDocument/didChange", {
        "textDocument": {"uri": uri, "version": version[0]}, "contentChanges": [{"text": text}]})
    return asked, missing


def main():
    program = os.environ.get("PTX_RUST_ANALYZER")
    if not program:
        print("NOT RUN: tests/editor: PTX_RUST_ANALYZER does not name rust-analyzer")
        return os.environ.get("PTX_CI_STRICT") == "1"
    files = package()
    if wanted := sys.argv[1:]:
        files = [file for file in files if any(word in str(file) for word in wanted)]
    client, failures, hovers = server(program), collections.Counter(), {}
    totals, good, left_out = collections.Counter(), collections.Counter(), 0
    for file in files:
        text, start = file.read_text(), time.monotonic()
        client.notify("textDocument/didOpen", {"textDocument": {
            "uri": file.as_uri(), "languageId": "rust", "version": 1, "text": text}})
        for begin, end in bodies(text):
            if in_macro(text, begin):
                left_out += sum(1 for _ in names(text, begin, end))
                continue
            for name, offset, kind in names(text, begin, end):
                wrong, shown = judge(client, file, text, name, offset, kind)
                totals[kind] += 1
                good[kind] += not wrong
                hovers.setdefault((kind, not wrong), (name, shown))
                for reason in wrong:
                    failures[kind, reason] += 1
                if wrong and os.environ.get("VERBOSE"):
                    line = position(text, offset)["line"] + 1
                    print(f"{file.relative_to(PACKAGE)}:{line}: {kind} `{name}`: {', '.join(wrong)}", flush=True)
        print(f"{file.relative_to(PACKAGE / 'src/bin')}: {time.monotonic() - start:.1f} s", flush=True)
    errors = {uri: [it for it in all if it.get("severity") == 1] for uri, all in client.diagnostics.items()}
    errors = {uri: all for uri, all in errors.items() if all}
    for uri, all in errors.items():
        for it in all:
            print(f"error: {uri.rsplit('/bin/')[-1]}:{it['range']['start']['line'] + 1}: {it['message'].splitlines()[0]}")
    print(f"{'kind':10} {'names':>6} {'right':>6}")
    for kind in KINDS:
        print(f"{kind:10} {totals[kind]:6} {good[kind]:6}")
    print(f"{'all':10} {totals.total():6} {good.total():6}")
    asked, missing = 0, collections.Counter()
    for file in [file for file in files if "macro_rules!" not in file.read_text()][:MOST_COMPLETED]:
        more, less = completions(client, file, file.read_text(), [1])
        asked, missing = asked + more, missing + less
    print(f"files for which errors were looked for: {len(client.diagnostics)}")
    print(f"completions in bodies that are cut off: {asked}, of which {missing.total()} lack the name")
    for kind, count in sorted(missing.items()):
        print(f"completion: {kind}: {count}")
    print(f"names in a `macro_rules!`, which rust-analyzer does not look into: {left_out}")
    for (kind, reason), count in sorted(failures.items()):
        print(f"{kind}: {reason}: {count}")
    if os.environ.get("VERBOSE"):
        for (kind, is_right), (name, shown) in hovers.items():
            print(f"--- {kind} `{name}`, {'right' if is_right else 'wrong'}\n{shown[:600]}")
    client.end()
    return bool(errors or missing or good.total() != totals.total())


if __name__ == "__main__":
    sys.exit(main())
