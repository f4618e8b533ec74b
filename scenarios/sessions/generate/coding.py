"""Sessions of coding agents: bugs are found by tests and mended, pages written from what was read long before."""

from project import (Project, python_bugs, python_module, python_tests, title, typescript_bugs, typescript_module,
                     typescript_tests)
from session import Session

TOOLS = [
    {"name": "read_file", "description": "Lines of a file, numbered.", "parameters": {"type": "object", "properties": {
        "path": {"type": "string"}, "first": {"type": "integer"}, "last": {"type": "integer"}}, "required": ["path"]}},
    {"name": "edit_file", "description": "Replaces one line of a file; shows the change as a diff.", "parameters": {
        "type": "object", "properties": {"path": {"type": "string"}, "old": {"type": "string"}, "new": {"type": "string"}},
        "required": ["path", "old", "new"]}},
    {"name": "grep", "description": "Lines of all files that match a regular expression.", "parameters": {
        "type": "object", "properties": {"pattern": {"type": "string"}, "below": {"type": "string"}},
        "required": ["pattern"]}},
    {"name": "bash", "description": "Runs a command.", "parameters": {
        "type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}},
    {"name": "write_file", "description": "Writes a new file.", "parameters": {"type": "object", "properties": {
        "path": {"type": "string"}, "content": {"type": "string"}}, "required": ["path", "content"]}}]
SYSTEM = ("You are a coding agent in the repository {name}. Read before you edit, change one thing at a time, and show by a test "
          "that it works. Commit each fix by itself. Never change a test to make it pass, and ask before you add a dependency.")
LANGUAGES = {"py": (python_module, python_tests, python_bugs, "python -m pytest -v "),
             "ts": (typescript_module, typescript_tests, typescript_bugs, "npx vitest run ")}


class Coder:
    """A session on a project."""

    def __init__(self, dice, start, name, suffix, entities, **model):
        module, tests, bugs, self.run = LANGUAGES[suffix]
        self.dice, self.project = dice, Project(dice, name, entities, module, tests, suffix)
        self.bugs = [self.project.plant(bug) for entity, fields in self.project.entities.items()
                     for bug in bugs(self.project, entity, fields)]
        self.session = Session(dice, start, SYSTEM.format(name=name), TOOLS, **model)
        self.ends = []

    def bash(self, command, result):
        return ("bash", {"command": command}, result)

    def read(self, path, first=None, last=None):
        lines = {} if first is None else {"first": first, "last": last}
        return ("read_file", {"path": path, **lines}, self.project.read(path, **lines))

    def edit(self, path, old, new):
        return ("edit_file", {"path": path, "old": old, "new": new}, self.project.edit(path, old, new))

    def all_tests(self, why, took=None):
        """The whole suite, which takes minutes where nothing else is said."""
        entities = list(self.project.entities)
        self.session.turn(why, self.bash(self.run + "tests", self.project.test(entities)),
                          took=self.dice.between(310, 520) if took is None else took)

    def mend(self, entity):
        """The bugs of a module, one after the other."""
        project, path = self.project, self.project.path(entity)
        tests = self.run + project.test_path(entity)
        self.session.turn(f"The tests of `{entity}` alone first.", self.bash(tests, project.test([entity])))
        bugs = [bug for bug in project.bugs if bug.path == path]
        self.session.turn(f"{len(bugs)} fail. I read the module and what uses it.", self.read(path),
                          ("grep", {"pattern": f"{entity}_", "below": "tests/"}, project.grep(f"{entity}_", "tests/")))
        self.session.turn(self.plan(entity, bugs), ("read_file", {"path": project.test_path(entity)},
                                                    project.read(project.test_path(entity))))
        for bug in bugs:
            field = project.field_of(bug)
            at = project.files[path].index(bug.wrong) + 1
            look = self.dice.between(0, 5)
            if look == 1:
                self.session.turn(f"`{bug.test}` is next. The file as it is now:", self.read(path))
            if look > 3:
                self.session.turn(f"`{bug.test}` says {bug.shows.split(': ')[-1]}. The lines around {at} once more, and the page.",
                                  self.read(path, max(1, at - 12), at + 6), self.read("docs/limits.md"))
            self.session.turn(self.dice.of([
                f"Line {at} is wrong: `{bug.wrong.strip()}` cannot pass `{bug.test}`.",
                f"`{bug.test}` fails because of line {at}. I change that line alone.",
                f"So it is line {at} of {path}."]) + " " + self.why(bug, field), self.edit(path, bug.wrong, bug.right))
            if self.dice.between(0, 2):
                self.session.turn("Does its test pass now?", self.bash(tests, project.test([entity])))
            else:
                self.all_tests("Does its test pass, and nothing else fail?", took=self.dice.between(60, 200))
            subject = f"Mend {bug.test.replace('_', ' ')}"
            self.session.turn("It does; the others fail as before." if project.bugs else "It does.",
                              self.bash(f"git commit -am '{subject}'", project.commit(subject, path)))
        self.guard(entity)

    def plan(self, entity, bugs):
        """The words of a model that thinks before it edits."""
        lines = [f"- `{bug.test}`: {bug.shows}. The line is `{bug.wrong.strip()}`; docs/limits.md has {f.maximum} for {f.words} and "
                 f"{f.rate} cents for each {f.step}, so the page and the test agree and the module does not."
                 for bug in bugs for f in [self.project.field_of(bug)]]
        return (f"What is wrong in {entity}, before I touch anything:\n\n" + "\n".join(lines) + "\n\nThey do not hang together: each is in a "
                "function of its own, and no other module calls it. I mend one, run its test, commit, and go on with the next. First "
                "I read the tests themselves, to be sure that they ask for what the page says and not for more.")

    def why(self, bug, field):
        """What a model says of an edit."""
        return self.dice.of([
            f"The test wants {field.words} to be {'allowed up to and with' if 'bounded' in bug.test else 'counted as in'} the page: "
            f"{field.maximum} at most, {field.rate} cents for {field.step}. As it stands it says {bug.shows.split(': ')[-1]}, which is off by "
            "one step and not by a factor, so it is no wrong constant. I leave the constants alone.",
            f"I looked for other callers of `{field.constant}` in the tests: there is none beside the three of {field.words}. So nothing "
            f"else can depend on the wrong value, and the change stays in this line. The message ({bug.shows}) should be gone after it.",
            f"`{bug.wrong.strip()}` has been there since the release, I think; the release notes speak of a cleaning up of bounds, charges "
            f"and sums. The page wins ({field.words}: {field.maximum}, {field.rate} for {field.step})."])

    def guard(self, entity):
        """A test for all bounds of a module, from what was read. It writes `24000 + 1`: a sum would count as a fact that can be lost."""
        fields = self.project.entities[entity]
        text = "\n\n".join(f"case {f.words}\n  accepts 0, {f.step}, {f.maximum} - 1, {f.maximum}\n  refuses -1, {f.maximum} + 1\n"
                           f"  charges {f.rate} for {f.step}, 2 * {f.rate} for 2 * {f.step}, 7 * {f.rate} for 7 * {f.step}\n"
                           f"  adds up {f.maximum} // 3 and {f.maximum} // 4" for f in fields)
        path = f"tests/cases/{entity}.cases"
        self.session.turn(f"So that this does not come back, cases for all bounds of {entity}, each side of each of them.",
                          ("write_file", {"path": path, "content": text}, f"wrote {path}, {len(text)} bytes"))

    def page(self, entities):
        """A page of constants, from modules that were read before and are not read again."""
        rows = [f"| {entity} | {f.words} | MAX_{f.constant} = {f.maximum} | {f.rate} |"
                for entity in entities for f in self.project.entities[entity][:4]]
        text = "\n".join(["| entity | value | bound | cents |", "|---|---|---|---|", *rows])
        path = f"docs/{entities[0]}-and-others.md"
        self.session.turn(f"The page on {', '.join(entities)}, with the bounds that I read in their modules.",
                          ("write_file", {"path": path, "content": text}, f"wrote {path}, {len(text)} bytes"))

    def history(self, entity):
        """The log of the service on a day, with the refusals that a bug has made."""
        fields, lines = self.project.entities[entity], []
        for number in range(110):
            f = self.dice.of(fields)
            at = f"{self.dice.between(6, 21):02}:{self.dice.between(0, 59):02}:{self.dice.between(0, 59):02}"
            job, value = self.dice.hash(6), self.dice.between(f.maximum // 2, f.maximum)
            bad = value > f.maximum * 9 // 10
            lines.append(f"{at} {'ERROR' if bad else 'INFO '} {self.project.name}.{entity} job={job} {f.name}={value} "
                         + (f"refused: {value} is above {f.maximum}" if bad else f"stored as row {self.dice.between(1000, 99999)}"))
        lines.sort()
        worst = next((line for line in reversed(lines) if "ERROR" in line), lines[-1])
        job = worst.split("job=")[1][:6]
        log = f"var/log/{entity}.log"
        self.session.turn(f"What did the service itself refuse? Its log of {entity}.", self.bash(f"tail -110 {log}", "\n".join(lines)))
        self.session.turn(f"Job {job} is the last one that was refused. All its lines:",
                          self.bash(f"grep -h job={job} {log}", worst))

    def wrap_up(self):
        """The last answer names what was committed."""
        done = "\n".join(f"- {commit}: {subject}" for commit, subject in self.project.commits)
        self.session.turn(f"All tests pass. The commits of this session:\n\n{done}")


FREIGHT = ["consignment: weight_kg 24000, volume_litres 90000, zone 19, stops 12, insured_cents 5000000, priority 5",
           "tariff: base_cents 90000, surcharge_permille 450, minimum_kg 120, days_valid 730, discount_permille 330, bands 14",
           "carrier: lorries 480, drivers 910, licence_years 15, rating 100, radius_km 1700, deposit_cents 9000000",
           "depot: gates 64, floor_m2 42000, cold_m2 7400, shifts 3, cranes 9, night_permille 260",
           "customs_form: lines 99, value_cents 88000000, duty_permille 370, seals 24, copies 7, inspections 4",
           "route: length_km 3900, tolls_cents 61000, legs 31, ferries 5, rest_minutes 675, detour_permille 180"]
CLINIC = ["appointment: minutes 240, room 118, rank 9, reminders 6, late_minutes 45, fee_cents 18500",
          "referral: valid_days 365, visits 40, urgency 4, pages 60, distance_km 250, attachments 25",
          "ward: beds 48, nurses 22, isolation_rooms 8, visitors 3, alarms 96, meals 4",
          "dose: milligrams 4000, intervals 8, repeats 180, dilution_permille 900, drops 60, minutes_apart 720",
          "lab_sample: volume_ul 9000, tubes 14, dilution 64, hours_stable 72, controls 6, plates 96"]
HARVEST = ["parcel: area_ares 52000, slope_permille 320, hedges_m 4100, drains 57, owners 12, soil_class 9",
           "sowing: rate_grams 31000, depth_mm 140, rows 96, germination_permille 990, varieties 6, passes 4",
           "machine: hours 21000, width_mm 12400, litres_tank 1450, drivers 9, service_days 365, weight_kg 26500",
           "harvest: tonnes 950, moisture_permille 410, trailers 16, losses_permille 120, hours 22, helpers 38",
           "silo: tonnes 4800, height_mm 31000, vents 24, moisture_permille 260, sensors 72, fill_permille 940"]


def freight(dice):
    """Everything in one window; breaks of minutes, of an hour and of a night."""
    work = Coder(dice, "2026-10-12T08:41:07", "freightdesk", "py", FREIGHT)
    session, entities = work.session, list(work.project.entities)
    session.person("Half of our tests fail since the release. Mend the modules one by one, in small commits, and keep to "
                   "docs/limits.md. Tell me when all tests pass.")
    work.all_tests("First the whole picture.")
    session.turn("The page of limits decides who is right.", work.read("docs/limits.md"))
    for index, entity in enumerate(entities):
        work.mend(entity)
        if index == 1:
            session.person("Meanwhile the office asks what was refused yesterday. Look into the log of consignment.", after=5400)
            work.history("consignment")
        if index == 2:
            work.page(entities[:3])
            session.person("I was at lunch. Go on with depot, please.", after=2700)
        if index == 4:
            session.person("Good morning. Before you go on: does the whole suite still say the same?", after=52000)
            work.all_tests("The whole suite.")
    work.page(entities[3:])
    work.all_tests("Once more everything.")
    work.wrap_up()
    return session


def clinic(dice):
    """The agent compacts its history itself when two thirds are done, and reads again what it needs."""
    work = Coder(dice, "2026-10-20T13:02:44", "clinicdesk", "ts", CLINIC, model="claude-opus-5-5", unlogged=19400)
    session, entities = work.session, list(work.project.entities)
    session.person("The nightly build is red in five modules. Mend them in small commits. docs/limits.md is right where code and page "
                   "differ. In the end I want a page of the bounds.")
    work.all_tests("The whole suite shows where to begin.")
    for index, entity in enumerate(entities):
        work.mend(entity)
        if index == 1:
            session.person("Fine so far. What does the log of appointment say?", after=1260)
            work.history("appointment")
            work.page(entities[:2])
        if index == 2:
            session.compact(summary_of(work, entities[:3]), [work.project.read("docs/limits.md")])
            session.turn("I go on with dose, and check first that the tree is clean.",
                         work.bash("git status --short && git log --oneline | head -9",
                                   "\n".join(" ".join(commit) for commit in reversed(work.project.commits))))
            work.all_tests("And where do the tests stand?")
        if index == 3:
            session.person("Back from my ward round. Go on.", after=4500)
    work.page(entities[2:])
    work.all_tests("Everything once more.", took=288)
    work.wrap_up()
    return session


def summary_of(work, entities):
    commits = "\n".join(f"   - {commit} {subject}" for commit, subject in work.project.commits)
    bounds = "\n".join(f"   - {e}: " + ", ".join(f"{f.name} {f.maximum}" for f in work.project.entities[e]) for e in entities)
    return ("This session goes on from a conversation that ran out of context.\n\n1. Request: mend the red modules of clinicdesk in "
            "small commits; docs/limits.md is right; in the end a page of the bounds.\n2. Never change a test to make it pass, and ask "
            f"before a dependency is added.\n3. Done, with their commits:\n{commits}\n4. Bounds so far:\n{bounds}\n"
            "5. Still red: dose, lab_sample. Next: the tests of dose alone.")


def harvest(dice):
    """A small model does the work, a large one is asked twice; caches belong to a model."""
    work = Coder(dice, "2026-11-03T09:15:30", "harvestbook", "py", HARVEST, model="claude-sonnet-5-5", unlogged=14800)
    session, entities = work.session, list(work.project.entities)
    session.person("Four modules of harvestbook fail their tests. Mend them, a commit for each bug.")
    work.all_tests("First all tests.")
    session.turn("And the page of limits.", work.read("docs/limits.md"))
    for index, entity in enumerate(entities):
        if index == 2:
            session.switch("claude-opus-5-5")
            session.person("I switched to the larger model for machine, it has confused us before.", after=540)
        work.mend(entity)
        if index == 1:
            work.history("parcel")
        if index == 2:
            work.page(entities[:3])
            session.switch("claude-sonnet-5-5")
            session.person("Back to the small one. silo is the last.", after=3900)
    work.page(entities[2:])
    work.all_tests("All tests.")
    work.wrap_up()
    return session
