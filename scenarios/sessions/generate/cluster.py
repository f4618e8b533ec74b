"""A night of an agent that looks after a cluster: metrics, descriptions, logs, hand-books, and long waits between them."""

from session import Session

TOOLS = [
    {"name": name, "description": description, "parameters": {"type": "object", "properties": {
        key: {"type": "string"} for key in keys}, "required": keys[:1]}}
    for name, description, keys in [
        ("query", "Values of a metric by pod, a row for each five minutes.", ["metric", "service"]),
        ("describe", "State and events of a pod.", ["pod"]), ("logs", "Newest lines of a pod.", ["pod", "match"]),
        ("handbook", "A page of the hand-book.", ["page"]), ("apply", "Changes a setting of a service.", ["service", "change"]),
        ("sleep", "Waits.", ["minutes"])]]
SYSTEM = ("You look after the cluster harbour-2 at night. Look before you change anything, follow the hand-book, change one setting at "
          "a time and wait until it shows. Never restart a database. In the morning write down what happened, with times and names.")
# service: the fault, the setting that fixes it, and the lines in the logs.
ALERTS = {
    "berth-planner": ("p95 of requests above 2 s", "workers", "pool of workers is full, waited"),
    "tide-feed": ("no new values for 10 min", "poll_seconds", "source answered 429, retry after"),
    "crane-queue": ("depth of the queue above 5,000", "consumers", "consumer is behind by messages"),
    "pilot-roster": ("memory above 92% of the limit", "memory_mib", "garbage took ms"),
    "gate-cameras": ("frames dropped above 4%", "frame_rate", "encoder is late by ms"),
    "customs-sync": ("transactions older than 30 min", "batch_size", "lock on table declarations held for ms"),
    "berth-billing": ("failed jobs above 3 in an hour", "retries", "ledger refused the batch after ms"),
    "yard-map": ("tiles slower than 800 ms", "cache_mib", "tile is not in the cache, drawn in ms"),
    "lock-control": ("clock differs by 1.4 s", "ntp_minutes", "offset of the clock is ms")}


class Night:
    def __init__(self, dice):
        self.dice = dice
        self.session = Session(dice, "2026-10-28T22:04:12", SYSTEM, TOOLS)
        self.done = []

    def pods(self, service):
        return [f"{service}-{self.dice.hash(9)}-{self.dice.hash(5)}" for _ in range(self.dice.between(5, 7))]

    def metric(self, service, pods, level):
        """A table of three hours; the second pod is the one that is ill."""
        head = "time   " + " ".join(f"{pod[-15:]:>16}" for pod in pods)
        rows = [head]
        for step in range(36):
            minute = 17 * 60 + 25 + step * 5 + len(self.done) * 47
            values = [level + self.dice.between(0, level // 6) + (step * level // 30 if place == 1 else 0)
                      for place in range(len(pods))]
            rows.append(f"{minute // 60 % 24:02}:{minute % 60:02}  " + " ".join(f"{value:>16}" for value in values))
        return "\n".join(rows)

    def described(self, service, pod, setting, value):
        node, image = f"node-{self.dice.between(11, 58)}", self.dice.hash(12)
        lines = [f"Name:         {pod}", f"Node:         {node}", f"Image:        registry.harbour/{service}@sha256:{image}",
                 "Status:       Running", "Restart count: " + str(self.dice.between(0, 4)), "Environment:"]
        lines += [f"  {name.upper()}:{'':{18 - len(name)}}{self.dice.between(2, 900)}" for name in
                  ["threads", "queue_limit", "timeout_ms", "log_level", "shard_count", "retry_ms", "window_s", "lease_s"]]
        lines += [f"  {setting.upper()}:{'':{18 - len(setting)}}{value}", "Events:"]
        reasons = ["Pulled", "Created", "Started", "Unhealthy", "BackOff", "Scheduled", "ProbeWarning"]
        lines += [f"  {self.dice.between(2, 59):2}m  {self.dice.of(reasons):14} kubelet/{node}  probe of {pod[-5:]} took "
                  f"{self.dice.between(12, 1900)} ms, answer {self.dice.of(['200', '200', '503', '504'])}" for _ in range(64)]
        return "\n".join(lines), node, image

    def logs(self, pod, says, number):
        lines = []
        for step in range(number):
            second = 60 * 14 + step * 7
            level, text = self.dice.of([("INFO ", f"request {self.dice.hash(8)} done in {self.dice.between(20, 900)} ms"),
                                        ("INFO ", f"kept connection {self.dice.between(1000, 9999)} of ship IMO{self.dice.between(9000000, 9999999)}"),
                                        ("WARN ", f"{says} {self.dice.between(300, 9000)}"),
                                        ("DEBUG", f"lease {self.dice.hash(6)} renewed until {self.dice.between(10, 23)}:{self.dice.between(10, 59)}")])
            lines.append(f"22:{second // 60:02}:{second % 60:02}.{self.dice.between(100, 999)} {level} [{pod[-5:]}] {text}")
        return "\n".join(lines)

    def page(self, service, trouble, setting, value):
        steps = [f"{n}. {text}" for n, text in enumerate([
            f"Look at the metric by pod. One pod that differs from the others is a pod that is ill; all of them alike are a load.",
            f"Read the newest 150 lines of that pod. The line before the first warning has the cause.",
            f"The setting is `{setting}`. It is {value} by default; at night it may be raised by half, never more.",
            "Wait ten minutes after a change. The metric lags by two intervals.",
            "If it does not fall, take the change back before you try another one.",
            "Write down the node: three alerts of one node in a night are a node that is ill."], 1)]
        owners = [f"- {self.dice.of(['Ines', 'Marek', 'Tove', 'Aldo', 'Sunniva', 'Pim'])}, extension {self.dice.between(2000, 8999)}: "
                  f"{self.dice.of(['decides on rollbacks', 'knows the queues', 'has the contract', 'writes to the port office'])}" for _ in range(4)]
        past = [f"- 2026-{self.dice.between(1, 9):02}-{self.dice.between(1, 28):02}: {trouble}; `{setting}` {self.dice.between(2, 400)} to "
                f"{self.dice.between(401, 900)}, quiet after {self.dice.between(8, 50)} minutes, change {self.dice.hash(7)}" for _ in range(60)]
        return "\n".join([f"# {service}: {trouble}", "", *steps, "", "## Owners", *owners, "", "## Earlier times", *past])

    def alert(self, service, wait):
        trouble, setting, says = ALERTS[service]
        turn, pods, value = self.session.turn, self.pods(service), self.dice.between(8, 600)
        ill, raised = pods[1], value + value // 2
        described, node, image = self.described(service, ill, setting, value)
        level = self.dice.between(120, 900)
        turn(f"{service}: {trouble}. Which pods?", ("query", {"metric": "p95_ms", "service": service}, self.metric(service, pods, level)))
        turn(f"{ill} rises, the others do not. What does the hand-book say?",
             ("handbook", {"page": service}, self.page(service, trouble, setting, value)))
        turn(f"So one pod is ill and the load is the same as in the two nights before. The hand-book asks for three things in this order: "
             f"the pod that differs, the line before its first warning, then `{setting}` and nothing else. I have not changed anything yet. "
             f"I keep in mind that three alerts of one node mean a node that is ill, so I note the node of {ill}. Its state and events.", ("describe", {"pod": ill}, described))
        turn(f"It runs on {node}. Its newest lines.", ("logs", {"pod": ill}, self.logs(ill, says, 150)))
        turn(f"Only the warnings, to see when `{says.split(' ')[0]}` began.",
             ("logs", {"pod": ill, "match": "WARN"}, "\n".join(
                 line for line in self.logs(ill, says, 260).split("\n") if "WARN" in line)))
        turn("Is it the same in a pod that is well?", ("logs", {"pod": pods[3]}, self.logs(pods[3], "slow answer of", 110)))
        turn("And another one, for the image and the node.", ("describe", {"pod": pods[3]}, self.described(service, pods[3], setting, value)[0]))
        turn(f"No: {pods[3]} has the image {image[:7]} too, another node, and no such warnings. So it is neither the release nor the load.\n\n"
             f"What I know of {service} now:\n- {trouble}, in {ill} alone\n- it runs on {node}, image {image}\n- `{says}` began before the metric rose\n"
             f"- `{setting}` is {value}, as the hand-book says it should be by day\n\nThe hand-book allows half more at night: {setting} from {value} to "
             f"{raised}. If the metric does not fall within two intervals I take it back and call the owner.",
             ("apply", {"service": service, "change": f"{setting}={raised}"}, f"change {self.dice.hash(7)} of {service}: {setting} {value} -> {raised}"))
        turn("Ten minutes, as the hand-book says.", ("sleep", {"minutes": "10"}, "waited 10 min"), took=600)
        turn("Did it fall?", ("query", {"metric": "p95_ms", "service": service}, self.metric(service, pods, level // 2)))
        turn("Another look, after the next interval.", ("query", {"metric": "p95_ms", "service": service}, self.metric(service, pods, level // 3)),
             took=wait)
        self.done.append(f"{service}: {trouble}; {ill} on {node}, image {image}; {setting} {value} -> {raised}")
        if len(self.done) in (3, 6):
            turn(f"Quiet. So far:\n\n" + "\n".join(f"- {line}" for line in self.done[-3:]))
            self.session.person("Thanks, I saw it on my phone. Go on with the next one when it comes.", after=4200)


def night(dice):
    """Alerts of one night, with waits of ten minutes and of more than an hour."""
    work = Night(dice)
    work.session.person("You have the night shift. Work on the alerts one by one; the first is berth-planner.")
    for number, service in enumerate(ALERTS):
        work.alert(service, wait=[20, 340, 60, 4000, 15, 25, 700, 30, 45][number])
    work.session.turn("The night, for the morning round:\n\n" + "\n".join(f"- {line}" for line in work.done))
    return work.session
