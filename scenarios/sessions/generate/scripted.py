"""Scenarios of agents that write programs in PTC-Lisp: long texts are printed, what counts is defined."""

import json


def block(text, indent):
    """A text of several lines in YAML."""
    return "|\n" + "\n".join(" " * indent + line if line else "" for line in text.split("\n"))


def value(data):
    return json.dumps(data, ensure_ascii=False)


def cases(name, signature, description, answers):
    """A tool with an answer for each argument."""
    lines = [f"  {name}:", f'    signature: "{signature}"', f"    description: {description}", "    cases:"]
    for argument, answer in answers.items():
        key = signature[1:].split(" ")[0]
        returned = block(answer, 10) if isinstance(answer, str) else value(answer)
        lines.append(f"      - when: {{{key}: {argument}}}\n        returns: {returned}")
    return "\n".join(lines)


def scenario(description, tags, mission, signature, pauses, tools, responses, expected):
    answers = [f"  - program: {block(text, 6)}" if text.startswith("(") else f"  - {block(text, 4)}" for text in responses]
    return "\n".join([
        "# Written by scenarios/sessions/generate.", f"description: {value(description)}", f"tags: {value(tags)}",
        f"mission: {value(mission)}", f"max_turns: {len(responses) + 4}", f'signature: "{signature}"',
        f"pauses: {{{', '.join(f'{turn}: {time}' for turn, time in pauses.items())}}}", "limits: {print_length: 20000}", "tools:",
        *tools, "responses:", *answers, "expect:", f"  value: {value(expected)}", f"  turns: {len(responses)}"]) + "\n"


class Station:
    """A station of the net with its log and its readings of two days."""

    def __init__(self, dice, number):
        self.name, self.key = f"S{number:02}", f"s{number:02}"
        self.volts, self.limit = dice.of([229, 231, 398, 402]), dice.between(140, 320)
        self.rows = [{"at": f"{hour % 24:02}:00", "day": hour // 24 + 14, "kwh": dice.between(40, self.limit - 20),
                      "volts": self.volts + dice.between(-6, 6), "temp": dice.between(11, 58)} for hour in range(48)]
        for hour in dice.some(list(range(48)), dice.between(1, 4)):
            self.rows[hour]["kwh"] = self.limit + dice.between(1, 90)
        self.over = [row for row in self.rows if row["kwh"] > self.limit]
        self.log = self.written(dice)

    def written(self, dice):
        works = ["fuse {} exchanged", "relay {} tested, released after {} ms", "oil sample {} sent", "door contact {} silent",
                 "switch {} moved by hand", "radio {} back after {} s", "meter {} read, counter {}"]
        names = ["Berit", "Oskar", "Yusuf", "Carla", "Henrik", "Mona"]
        lines = [f"Log of station {self.name}, feeder {dice.hash(5)}"]
        for day in range(1, 15):
            for _ in range(dice.between(6, 10)):
                work = dice.of(works).replace("{}", dice.hash(6), 1).replace("{}", str(dice.between(20, 900)))
                lines.append(f"2026-09-{day:02} {dice.between(0, 23):02}:{dice.between(0, 59):02}  {dice.of(names):7} {work}")
        lines.append(f"2026-09-14 06:{dice.between(10, 59)}  Mona    limit of the feeder set to {self.limit} kWh an hour")
        return "\n".join(lines)


def fleet(dice):
    """Twenty-six stations, four turns each: a log, a table, what is above a limit that only the log says."""
    stations = [Station(dice, number) for number in range(1, 27)]
    responses = []
    for station in stations:
        key, name = station.key, station.name
        responses += [
            f"The limit of {name} stands in its log.\n\n```clojure\n(println (tool/station-log \"{name}\"))\n```",
            f"(def rows-{key} \"Readings of {name}\" (tool/readings \"{name}\"))\n"
            f"(doseq [r rows-{key}] (println \"{name}\" (:day r) (:at r) (:kwh r) \"kWh\" (:volts r) \"V\" (:temp r) \"degrees\"))",
            f"(def over-{key} \"Readings of {name} above {station.limit} kWh\" (filter #(> (:kwh %) {station.limit}) rows-{key}))\n"
            f"(println \"{name}\" (count over-{key}) \"of\" (count rows-{key}) \"above\" {station.limit})\n"
            f"(doseq [r over-{key}] (println (:day r) (:at r) (:kwh r) (:temp r)))",
            f"(def hottest-{key} (apply max (map :temp over-{key})))\n"
            f"(println (tool/report \"{name}\" (count over-{key}) hottest-{key}))"]
    pairs = "\n   ".join(f":{s.key} (count over-{s.key})" for s in stations)
    responses.append(f"(return {{{pairs}}})")
    over = {s.key: len(s.over) for s in stations}
    tools = [
        cases("station-log", "(station :string) -> :string", "Log of a station", {s.name: s.log for s in stations}),
        cases("readings", "(station :string) -> [:map]", "Hourly readings of two days", {s.name: s.rows for s in stations}),
        "  report:\n    signature: \"(station :string, over :int, hottest :int) -> :string\"\n"
        "    description: Writes a row of the report\n    returns: written"]
    return scenario(
        "26 stations of a net in 105 turns: the limit of each stands in a long log alone, readings are printed whole, and the last turn "
        "needs a definition of each station", ["long", "session", "tables", "definitions"],
        "How many hourly readings of each of the stations S01 to S26 are above the limit that its log says last? Report each station "
        "and return the numbers by station, such as {:s01 3}.", "() -> :map", {9: "7m", 33: "75m", 58: "6m", 81: "11h", 97: "18m"},
        tools, responses, over)


KINDS = ["water", "fire", "storm", "theft", "glass", "transport"]


def policy(dice, kind):
    """The text of a policy, and its excess, cap and share."""
    excess, cap, share = dice.between(5, 40) * 1000, dice.between(30, 90) * 10000, dice.between(70, 100)
    subjects = ["furniture", "machines", "stock", "windows", "goods of guests", "tools", "bicycles", "archives", "cellars", "gardens"]
    duties = ["is told within {} days", "is photographed before anything is moved", "is kept for {} days", "is valued by the price of {} months ago",
              "is shared with other insurers from {} cents on", "is left to an expert above {} cents"]
    lines = [f"Policy {kind.upper()}, edition {dice.between(3, 12)}", ""]
    for number in range(1, 64):
        text = f"{number}. Damage to {dice.of(subjects)} {dice.of(duties)}".replace("{}", str(dice.between(3, 900)))
        if number == 23:
            text = f"23. The excess of {kind} is {excess} cents for each claim."
        if number == 41:
            text = f"41. Of what is above the excess {share} percent are paid."
        if number == 52:
            text = f"52. No claim of {kind} is paid with more than {cap} cents."
        lines.append(text if text.endswith(".") else text + ", unless the holder could not know it.")
    return "\n".join(lines), excess, cap, share


class Claim:
    def __init__(self, dice, number, policies):
        self.name, self.key, self.kind = f"K{4100 + number * 7}", f"k{4100 + number * 7}", KINDS[number % 6]
        self.items = [{"item": dice.of(["shelf", "carpet", "pump", "door", "lamp", "pallet", "screen", "roof tile", "lock", "boiler"]),
                       "cents": dice.between(9, 640) * 100, "ok": dice.between(0, 4) > 0, "bill": dice.hash(7)} for _ in range(36)]
        _, excess, cap, share = policies[self.kind]
        self.covered = sum(item["cents"] for item in self.items if item["ok"])
        self.paid = min(cap, (self.covered - excess) * share // 100)
        self.text = self.written(dice)

    def written(self, dice):
        people = ["the holder", "a neighbour", "the caretaker", "the fire brigade", "our expert", "the plumber"]
        seen = ["saw it at {}", "called at {}", "closed the main tap at {}", "took {} photographs", "measured {} mm in the cellar",
                "moved {} boxes to the attic", "counted {} broken panes", "wrote down the numbers of {} bills"]
        lines = [f"Claim {self.name} ({self.kind}), holder {dice.hash(6)}, told on 2026-09-{dice.between(10, 29)}", ""]
        lines += [f"- {dice.of(people)} {dice.of(seen)}".replace("{}", str(dice.between(2, 240))) + f"; note {dice.hash(8)}" for _ in range(95)]
        return "\n".join(lines)


def desk(dice):
    """Twenty-six claims under six policies, each of which is read once and obeyed until the end."""
    policies = {kind: policy(dice, kind) for kind in KINDS}
    claims = [Claim(dice, number, policies) for number in range(26)]
    responses, known = [], set()
    for claim in claims:
        key, name, kind = claim.key, claim.name, claim.kind
        _, excess, cap, share = policies[kind]
        responses.append(f"(println (tool/claim \"{name}\"))")
        if kind not in known:
            known.add(kind)
            responses.append(f"It is a claim of {kind}, so its policy counts.\n\n```clojure\n(println (tool/policy \"{kind}\"))\n```")
            responses.append(f"(defn pays-{kind} \"Cents that policy {kind} pays of covered cents\" [covered]\n"
                             f"  (min {cap} (quot (* {share} (- covered {excess})) 100)))\n(println (pays-{kind} {excess}) (pays-{kind} {cap}))")
        responses.append(f"(def bills-{key} \"Bills of {name}\" (tool/bills \"{name}\"))\n"
                         f"(doseq [b bills-{key}] (println (:bill b) (:item b) (:cents b) (if (:ok b) \"covered\" \"not covered\")))")
        responses.append(f"(def covered-{key} (sum (map :cents (filter :ok bills-{key}))))\n"
                         f"(println \"{name}\" covered-{key} \"covered; excess\" {excess} \"cap\" {cap} \"pays\" (pays-{kind} covered-{key}))")
        responses.append(f"(println (tool/decide \"{name}\" (pays-{kind} covered-{key}) "
                         f"\"{share} percent above the excess of {excess} cents, at most {cap}\"))")
    responses.append("(return {" + "\n   ".join(f":{c.key} (pays-{c.kind} covered-{c.key})" for c in claims) + "})")
    tools = [
        cases("claim", "(number :string) -> :string", "What was told of a claim", {c.name: c.text for c in claims}),
        cases("policy", "(kind :string) -> :string", "The text of a policy", {kind: text for kind, (text, *_) in policies.items()}),
        cases("bills", "(number :string) -> [:map]", "The bills of a claim", {c.name: c.items for c in claims}),
        "  decide:\n    signature: \"(number :string, cents :int, reason :string) -> :string\"\n"
        "    description: Pays a claim\n    returns: paid"]
    return scenario(
        f"26 claims in {len(responses)} turns: each of six policies is read once, and the numbers in it are needed until the last claim",
        ["long", "session", "documents", "definitions"],
        "Decide the 26 claims K4100 to K4275 (every seventh number) by their policies: what is covered by the bills, less the excess, the share of it, at most the cap. "
        "Return the cents for each claim, such as {:k4100 120000}.", "() -> :map", {12: "9m", 41: "95m", 70: "6m", 98: "13h", 110: "20m"},
        tools, responses, {c.key: c.paid for c in claims})
