"""Writes names.txt: names that every model knows, since they are published with the languages and programs that have them.

Each line has a kind, a place and names. Needs Node.js with npm, git, pip, cargo, and beside each other in the folder of the first argument: the folder
`api` of Go's sources (Debian: golang-1.19-src) and `package` of npm's linguist-languages.

    python3 generate.py FOLDER > names.txt
"""

import builtins
import collections
import contextlib
import importlib
import inspect
import io
import json
import keyword
import re
import subprocess
import sys
import warnings
from pathlib import Path

# The utilities of POSIX.1-2017, Shell and Utilities, chapter 4.
POSIX = """admin alias ar asa at awk basename batch bc bg c99 cal cat cd cflow chgrp chmod chown cksum cmp comm command compress cp
crontab csplit ctags cut cxref date dd delta df diff dirname du echo ed env ex expand expr false fc fg file find fold fort77 fuser
gencat get getconf getopts grep hash head iconv id ipcrm ipcs jobs join kill lex link ln locale localedef logger logname lp ls m4
mailx make man mesg mkdir mkfifo more mv newgrp nice nl nm nohup od paste patch pathchk pax pr printf prs ps pwd qalter qdel qhold
qmove qmsg qrerun qrls qselect qsig qstat qsub read renice rm rmdel rmdir sact sccs sed sh sleep sort split strings strip stty tabs
tail talk tee test time touch tput tr true tsort tty type ulimit umask unalias uname uncompress unexpand unget uniq unlink uucp
uudecode uuencode uustat uux val vi wait wc what who write xargs yacc zcat"""
# The folders of Node.js (documentation, *Loading from node_modules folders*), Python (PEP 3147, `site`, `venv`) and git.
FOLDERS = [".git", ".venv", ".venv/bin/activate", "__pycache__", "node_modules", "site-packages", "venv/bin/activate"]
# Package managers with npm's commands, and those that they have beside them (their documentation, *CLI*).
LIKE_NPM, BESIDE_NPM = ["npm", "pnpm", "yarn", "bun"], ["add", "build", "create", "i", "remove", "why", "x"]
# Examples, and modules that do something when they are imported.
SKIPPED = {"antigravity", "idlelib", "lib2to3", "test", "this", "tkinter", "turtle", "turtledemo"}
SUBMODULES = ["collections.abc", "concurrent.futures", "importlib.util", "os.path", "unittest.mock", "urllib.parse",
              "urllib.request", "xml.etree.ElementTree"]
NODE = """
const modules = {}, methods = [];
const add = (module, object) => {
  for (let at = object; at && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at))
    (modules[module] ??= []).push(...Object.getOwnPropertyNames(at));
};
const read = (object, name) => { try { return object[name]; } catch {} };
const deep = (module, object) => {
  add(module, object);
  for (const name of Object.getOwnPropertyNames(object)) {
    const value = read(object, name);
    if (typeof value === "function" && value.prototype) add(module, value.prototype);
  }
};
for (const name of Object.getOwnPropertyNames(globalThis)) {
  const value = read(globalThis, name);
  (modules.globals ??= []).push(name);
  if (value === globalThis || !["object", "function"].includes(typeof value) || !value) continue;
  add(name, value);
  if (typeof value === "function" && value.prototype) add(name, value.prototype);
}
for (const name of require("module").builtinModules)
  if (!name.startsWith("_") && name !== "sys") deep(name.split("/")[0], require(name));
for (const type of [Array, Date, Map, Promise, RegExp, Set, String]) methods.push(...Object.getOwnPropertyNames(type.prototype));
const packages = require("module").builtinModules.filter((name) => !name.startsWith("_"));
console.log(JSON.stringify([modules, methods, packages]));
"""
# Reserved words of JavaScript (ECMAScript, 12.7.2) with those of TypeScript, and keywords of Go (specification, Keywords).
RESERVED = """abstract any await boolean break case catch class const continue debugger declare default delete do else enum export
extends false finally for function if implements import in infer instanceof interface keyof let namespace never new null number
object package private protected public readonly return static string super switch symbol this throw true try typeof undefined
unique unknown var void while with yield chan defer fallthrough func go goto map range select struct type"""

modules = collections.defaultdict(set)
methods = set()
packages = set()


def is_name(name):
    return bool(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name)) and len(name) > 2


def add(module, names):
    modules[module].update(filter(is_name, names))


def python():
    packages.update(SUBMODULES)
    for module in [*sorted(sys.stdlib_module_names), *SUBMODULES]:
        if module.startswith("_") or module in SKIPPED:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                found = vars(importlib.import_module(module)).copy()
        except ImportError:
            continue
        for name, value in found.items():
            if inspect.ismodule(value) or name.startswith("_"):
                continue
            own = vars(value).copy() if inspect.isclass(value) else {}
            add(module.split(".")[-1], [name, *(name for name in own if not name.startswith("_"))])
            for function in [value, *own.values()]:
                with contextlib.suppress(AttributeError, TypeError, ValueError):
                    parameters = inspect.signature(function).parameters
                    add(module.split(".")[-1], [name for name in parameters if "_" in name])
    add("builtins", dir(builtins))
    for kind in (str, bytes, list, dict, set, int, float, io.IOBase, io.TextIOWrapper):
        methods.update(filter(is_name, dir(kind)))


def node():
    ran = subprocess.run(["node", "-e", NODE], capture_output=True, text=True, check=True)
    found, own, imported = json.loads(ran.stdout)
    packages.update(name for module in imported for name in (module, f"node:{module}") if re.search("[/:]", name))
    for module, names in found.items():
        add(module, names)
    methods.update(filter(is_name, own))


def go(api):
    declared = re.compile(r"pkg ([\w/]+)(?: \([^)]*\))?, (?:func|type|const|var|(method) \([^)]*\)) (\w+)(.*)")
    for line in (line for file in sorted(api.glob("go1*.txt")) for line in file.read_text().splitlines()):
        found = declared.match(line)
        if not found or found[1].startswith(("syscall", "debug")):
            continue
        packages.update(path for path in [found[1]] if "/" in path)
        # Fields of structs and methods of interfaces stand behind the type.
        fields = re.findall(r"\b[A-Z]\w+", found[4]) if re.match(r" (struct|interface)", found[4]) else []
        add(found[1].split("/")[-1], [found[3], *fields])
        if found[2]:
            methods.add(found[3])


def linguist(data):
    names, files = set(), set()
    for text in (file.read_text() for file in sorted(data.glob("*.js"))):
        names.update(re.findall(r"^  name: '([^']+)'", text, re.M))
        listed = re.search(r"^  filenames: \[(.*?)\]", text, re.M | re.S)
        files.update(re.findall(r"'([^']+)'", listed[1]) if listed else [])
    has_inner_capital = re.compile(r"[A-Za-z]+[A-Z][A-Za-z]*")
    return filter(has_inner_capital.fullmatch, names), filter(re.compile(r"[\w.-]*[.A-Z][\w.-]*").fullmatch, files)


def named_by(command, pattern):
    """The commands that a program lists of itself."""
    return re.findall(pattern, subprocess.run(command, capture_output=True, text=True).stdout, re.M)


def commands():
    """The commands of package managers, by program."""
    [of_npm] = named_by(["npm", "help"], r"All commands:\n\n((?:    .*\n)+)")
    known = {program: re.findall(r"[\w-]+", of_npm) + BESIDE_NPM for program in LIKE_NPM}
    known["pip"] = named_by(["pip", "--help"], r"^  ([a-z]+)  +[A-Z]")
    known["cargo"] = named_by(["cargo", "--list"], r"^    ([a-z-]{2,})  +(?!alias|REMOVED)[A-Z]")
    return known


def main(folder):
    warnings.simplefilter("ignore")
    python()
    node()
    go(folder / "api")
    languages, files = map(list, linguist(folder / "package/data"))
    listed = subprocess.run(["git", "--list-cmds=main"], capture_output=True, text=True, check=True).stdout.split()
    rows = [
        ("word", "keywords", {*keyword.kwlist, *RESERVED.split()}),
        ("word", "languages", languages),
        # People also name a file without its ending: `tsconfig`.
        ("word", "files", {*files, *(name.rpartition(".")[0] for name in files)} - {""}),
        ("word", "folders", FOLDERS),
        ("word", "packages", packages),
        ("command", "posix", POSIX.split()),
        ("command", "git", filter(re.compile("[a-z][a-z-]+").fullmatch, listed)),
        *(("command", program, names) for program, names in commands().items()),
        ("method", "types", (name for name in methods if not name.startswith("_"))),
        *(("module", module, names) for module, names in sorted(modules.items())),
    ]
    for kind, place, names in rows:
        print(kind, place, *sorted(set(names)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
