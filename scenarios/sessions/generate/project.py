"""A program that a coding agent works on: its files are really searched, edited, compared and tested."""

import difflib
import re


# Runners of tests show the first failures alone.
TRACEBACKS = 10


class Field:
    """A number of an entity with its greatest value, and what a unit of it adds to a charge."""

    def __init__(self, dice, spelled):
        self.name, maximum = spelled.rsplit(" ", 1)
        self.maximum, self.words = int(maximum), self.name.replace("_", " ")
        self.rate, self.step = dice.between(2, 97), dice.of([1, 5, 10, 20, 50, 100])
        self.constant = self.name.upper()


class Bug:
    """A line of a module that is wrong, and the test that shows it."""

    def __init__(self, path, right, wrong, test, shows):
        self.path, self.right, self.wrong, self.test, self.shows = path, right, wrong, test, shows


class Project:
    """Files by their path, and the bugs that are not mended yet."""

    def __init__(self, dice, name, entities, write_module, write_tests, suffix):
        self.dice, self.name, self.suffix = dice, name, suffix
        self.files, self.entities, self.bugs, self.commits = {}, {}, [], []
        for line in entities:
            entity, *fields = re.split(r"[:,] ", line)
            self.entities[entity] = [Field(dice, field) for field in fields]
        for entity, fields in self.entities.items():
            self.files[self.path(entity)] = write_module(self, entity, fields)
            self.files[self.test_path(entity)] = write_tests(self, entity, fields)
        self.files["docs/limits.md"] = limits_page(self)

    def path(self, entity):
        return f"{self.name}/{entity}.{self.suffix}"

    def test_path(self, entity):
        return f"tests/test_{entity}.{self.suffix}"

    def plant(self, bug):
        """Makes a line wrong."""
        lines = self.files[bug.path]
        lines[lines.index(bug.right)] = bug.wrong
        self.bugs.append(bug)
        return bug

    def field_of(self, bug):
        """The field that a bug is about."""
        return next(f for entity, fields in self.entities.items() for f in fields if bug.test.startswith(f"{entity}_{f.name}_"))

    def read(self, path, first=1, last=10**9):
        lines = self.files[path]
        shown = range(first, min(last, len(lines)) + 1)
        return "\n".join(f"{number:5}\t{lines[number - 1]}" for number in shown)

    def grep(self, pattern, below=""):
        found = [f"{path}:{number}:{line}" for path, lines in sorted(self.files.items()) if path.startswith(below)
                 for number, line in enumerate(lines, 1) if re.search(pattern, line)]
        return "\n".join(found) or "no matches"

    def edit(self, path, old, new):
        """Replaces a line, and shows the place."""
        lines = self.files[path]
        before, place = list(lines), lines.index(old)
        lines[place:place + 1] = new.split("\n")
        self.bugs = [bug for bug in self.bugs if bug.right not in self.files[bug.path]]
        diff = difflib.unified_diff(before, lines, f"a/{path}", f"b/{path}", lineterm="", n=4)
        return "\n".join(diff)

    def test(self, entities):
        """The output of the tests of these modules."""
        names = [(entity, line.split("test_")[1].split("(")[0].split("'")[0]) for entity in entities
                 for line in self.files[self.test_path(entity)] if re.match(r"\s*(def test_|test\('test_)", line)]
        failing = {bug.test: bug for bug in self.bugs}
        lines = [f"collected {len(names)} items", ""]
        for number, (entity, name) in enumerate(names, 1):
            verdict = "FAILED" if name in failing else "PASSED"
            lines.append(f"{self.test_path(entity)}::test_{name} {verdict} [{100 * number // len(names):3}%]")
        failed_names = [(entity, name) for entity, name in names if name in failing]
        for entity, name in failed_names[:TRACEBACKS]:
            lines += self.traceback(entity, failing[name])
        failed = sum(name in failing for _, name in names)
        took = self.dice.between(200, 999) / 100
        lines += [f"==== {failed} failed, {len(names) - failed} passed in {took}s ====", f"[exit code {int(failed > 0)}]"]
        return "\n".join(lines)

    def traceback(self, entity, bug):
        at = self.files[bug.path].index(bug.wrong) + 1
        around = self.files[bug.path][max(0, at - 9):at + 3]
        return ["", f"____ test_{bug.test} ____", f"{self.test_path(entity)}: in test_{bug.test}",
                *(f"    {line}" for line in around), f"{bug.path}:{at}: AssertionError: {bug.shows}"]

    def commit(self, subject, path):
        commit = self.dice.hash(8)
        self.commits.append((commit, subject))
        return f"[main {commit}] {subject}\n 1 file changed, 1 insertion(+), 1 deletion(-)\n {path}"


def limits_page(project):
    lines = ["# Limits", "", "What the offices agreed on. Code and tests follow this page.", ""]
    for entity, fields in project.entities.items():
        lines += [f"## {entity}", ""]
        lines += [f"- {field.words}: at most {field.maximum}, {field.rate} cents for each {field.step}" for field in fields]
        lines.append("")
    return lines


def title(name):
    return "".join(part.capitalize() for part in name.split("_"))


def python_module(project, entity, fields):
    kind = title(entity)
    text = f'''"""Each {entity} of {project.name}: what is stored, checked, charged and added up."""

from dataclasses import dataclass
from datetime import date

from {project.name}.errors import Refused
from {project.name}.store import Store

'''
    for f in fields:
        text += f"MAX_{f.constant} = {f.maximum}\nCENTS_FOR_{f.constant} = {f.rate}\n"
    text += f'''

@dataclass(frozen=True)
class {kind}:
    """A row of the table {entity}s."""

    number: str
    day: date
'''
    text += "".join(f"    {f.name}: int\n" for f in fields)
    for f in fields:
        text += f'''

def check_{entity}_{f.name}(value: int) -> int:
    """Returns the {f.words}, or refuses it."""
    if value < 0:
        raise Refused("{entity}.{f.name}", value, "is below zero")
    if value > MAX_{f.constant}:
        raise Refused("{entity}.{f.name}", value, f"is above {{MAX_{f.constant}}}")
    return value
'''
    text += f'''

def read_{entity}(row: dict[str, str]) -> {kind}:
    """Makes a {entity} of a row of text."""
    return {kind}(
        number=row["number"].strip().upper(),
        day=date.fromisoformat(row["day"]),
'''
    text += "".join(f'        {f.name}=check_{entity}_{f.name}(int(row["{f.name}"])),\n' for f in fields)
    text += f'''    )


def charge_of_{entity}(one: {kind}) -> int:
    """Returns the charge in cents."""
    cents = 0
'''
    text += "".join(f"    cents += one.{f.name} // {f.step} * CENTS_FOR_{f.constant}\n" for f in fields)
    text += f'''    return cents


class {kind}Store(Store[{kind}]):
    """All rows of {entity}s."""

    table = "{entity}s"
    read = staticmethod(read_{entity})
'''
    for f in fields:
        text += f'''
    def total_{entity}_{f.name}(self, day: date) -> int:
        """Returns the sum of the {f.words} on a day."""
        return self.sum("SELECT sum({f.name}) FROM {entity}s WHERE day = ?", day)

    def most_{entity}_{f.name}(self, since: date) -> {kind} | None:
        """Returns the row with the most {f.words} since a day; of equal ones the first that was stored."""
        return self.first("SELECT * FROM {entity}s WHERE day >= ? ORDER BY {f.name} DESC, number", since)
'''
    return text.rstrip("\n").split("\n")


def python_tests(project, entity, fields):
    text = f"from {project.name}.{entity} import *\nfrom tests.rows import row, store_of\n"
    for f in fields:
        text += f'''

def test_{entity}_{f.name}_is_bounded():
    assert check_{entity}_{f.name}({f.maximum}) == {f.maximum}
    assert refused(check_{entity}_{f.name}, {f.maximum + 1})


def test_{entity}_{f.name}_is_charged():
    assert charge_of_{entity}(row({f.name}={f.step * 3})) == {f.rate * 3}


def test_{entity}_{f.name}_is_added_up():
    assert store_of(row({f.name}=3), row({f.name}=4)).total_{entity}_{f.name}(TODAY) == 7
'''
    return text.rstrip("\n").split("\n")


def python_bugs(project, entity, fields):
    """A line that is wrong for each field, in turn: its bound, its charge, its sum."""
    path = project.path(entity)
    for place, f in enumerate(fields):
        other = fields[place - 1]
        if place % 3 == 0:
            right = f"    if value > MAX_{f.constant}:"
            yield Bug(path, right, right.replace(">", ">="), f"{entity}_{f.name}_is_bounded",
                      f"Refused: {entity}.{f.name} {f.maximum} is above {f.maximum}")
        elif place % 3 == 1:
            right = f"    cents += one.{f.name} // {f.step} * CENTS_FOR_{f.constant}"
            yield Bug(path, right, right.replace(f"// {f.step} ", f"// {f.step + 1} "), f"{entity}_{f.name}_is_charged",
                      f"assert {f.rate * 2} == {f.rate * 3}")
        else:
            right = f'        return self.sum("SELECT sum({f.name}) FROM {entity}s WHERE day = ?", day)'
            wrong = right.replace(f"sum({f.name})", f"sum({other.name})").replace("day = ?", "day <= ?")
            yield Bug(path, right, wrong, f"{entity}_{f.name}_is_added_up", "assert 0 == 7")


def typescript_module(project, entity, fields):
    kind = title(entity)
    text = f'''// Each {entity} of {project.name}: what is stored, checked, charged and added up.

import {{ Refused }} from "./errors";
import {{ Table, type Day, type Row }} from "./table";

'''
    for f in fields:
        text += f"export const MAX_{f.constant} = {f.maximum};\nconst CENTS_FOR_{f.constant} = {f.rate};\n"
    text += f"\n/** A row of the table {entity}s. */\nexport interface {kind} {{\n  number: string;\n  day: Day;\n"
    text += "".join(f"  {f.name}: number;\n" for f in fields) + "}\n"
    for f in fields:
        text += f'''
/** Returns the {f.words}, or refuses it. */
export function check{title(entity + "_" + f.name)}(value: number): number {{
  if (!Number.isInteger(value) || value < 0) throw new Refused("{entity}.{f.name}", value, "is no count");
  if (value > MAX_{f.constant}) throw new Refused("{entity}.{f.name}", value, `is above ${{MAX_{f.constant}}}`);
  return value;
}}
'''
    text += f"\n/** Makes a {entity} of a row of text. */\nexport function read{kind}(row: Row): {kind} {{\n  return {{\n"
    text += "    number: row.text(\"number\").trim().toUpperCase(),\n    day: row.day(\"day\"),\n"
    text += "".join(f'    {f.name}: check{title(entity + "_" + f.name)}(row.count("{f.name}")),\n' for f in fields)
    text += f"  }};\n}}\n\n/** Returns the charge in cents. */\nexport function chargeOf{kind}(one: {kind}): number {{\n  let cents = 0;\n"
    text += "".join(f"  cents += Math.floor(one.{f.name} / {f.step}) * CENTS_FOR_{f.constant};\n" for f in fields)
    text += f"  return cents;\n}}\n\n/** All rows of {entity}s. */\nexport class {kind}Table extends Table<{kind}> {{\n"
    text += f'  readonly name = "{entity}s";\n  readonly read = read{kind};\n'
    for f in fields:
        text += f'''
  /** Returns the sum of the {f.words} on a day. */
  async total{title(f.name)}(day: Day): Promise<number> {{
    return this.sum(`SELECT sum({f.name}) FROM {entity}s WHERE day = $1`, [day]);
  }}

  /** Returns the row with the most {f.words} since a day; of equal ones the first that was stored. */
  async most{title(f.name)}(since: Day): Promise<{kind} | undefined> {{
    return this.first(`SELECT * FROM {entity}s WHERE day >= $1 ORDER BY {f.name} DESC, number`, [since]);
  }}
'''
    return (text + "}").split("\n")


def typescript_tests(project, entity, fields):
    text = f'import {{ expect, test }} from "vitest";\nimport * as own from "../{project.name}/{entity}";\n'
    for f in fields:
        name = title(entity + "_" + f.name)
        text += f'''
test('test_{entity}_{f.name}_is_bounded', () => {{
  expect(own.check{name}({f.maximum})).toBe({f.maximum});
  expect(() => own.check{name}({f.maximum + 1})).toThrow("is above");
}});

test('test_{entity}_{f.name}_is_charged', () => {{
  expect(own.chargeOf{title(entity)}(row({{ {f.name}: {f.step * 3} }}))).toBe({f.rate * 3});
}});

test('test_{entity}_{f.name}_is_added_up', async () => {{
  expect(await tableOf([3, 4]).total{title(f.name)}(TODAY)).toBe(7);
}});
'''
    return text.rstrip("\n").split("\n")


def typescript_bugs(project, entity, fields):
    path = project.path(entity)
    for place, f in enumerate(fields):
        if place % 3 == 0:
            right = (f'  if (value > MAX_{f.constant}) throw new Refused("{entity}.{f.name}", value, '
                     f"`is above ${{MAX_{f.constant}}}`);")
            yield Bug(path, right, right.replace("value > MAX", "value >= MAX"), f"{entity}_{f.name}_is_bounded",
                      f"Refused: {entity}.{f.name} {f.maximum} is above {f.maximum}")
        elif place % 3 == 1:
            right = f"  cents += Math.floor(one.{f.name} / {f.step}) * CENTS_FOR_{f.constant};"
            yield Bug(path, right, right.replace("Math.floor", "Math.ceil"), f"{entity}_{f.name}_is_charged",
                      f"expected {f.rate * 4} to be {f.rate * 3}")
        else:
            right = f"    return this.sum(`SELECT sum({f.name}) FROM {entity}s WHERE day = $1`, [day]);"
            yield Bug(path, right, right.replace("= $1", "< $1"), f"{entity}_{f.name}_is_added_up", "expected 0 to be 7")
