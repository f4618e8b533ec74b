// What differs between two lists: Myers' shortest edit script, lines first, then words of lines that changed.

const MOST_EDITS = 1500;

// Steps of {kind: "same" | "removed" | "added", item}, or null where the lists have too little in common.
function differences(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start
    && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const head = after.slice(0, start).map((item) => ({ kind: "same", item }));
  const tail = after.slice(after.length - end).map((item) => ({ kind: "same", item }));
  const middle = middleOf(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [...head, ...middle, ...tail];
}

function middleOf(before, after) {
  const traces = before.length && after.length ? shortestPath(before, after) : null;
  if (!traces) {
    return [...before.map((item) => ({ kind: "removed", item })), ...after.map((item) => ({ kind: "added", item }))];
  }
  return walkBack(traces, before, after);
}

// The furthest points after each number of edits.
function shortestPath(before, after) {
  const most = Math.min(before.length + after.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 3);
  const origin = most + 1;
  const traces = [];
  for (let edits = 0; edits <= most; edits += 1) {
    traces.push(reach.slice(origin - edits - 1, origin + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && reach[origin + diagonal - 1] < reach[origin + diagonal + 1]);
      let x = down ? reach[origin + diagonal + 1] : reach[origin + diagonal - 1] + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) { x += 1; y += 1; }
      reach[origin + diagonal] = x;
      if (x >= before.length && y >= after.length) return traces;
    }
  }
  return null;
}

function walkBack(traces, before, after) {
  const steps = [];
  let x = before.length;
  let y = after.length;
  for (let edits = traces.length - 1; edits >= 0; edits -= 1) {
    const reach = (diagonal) => traces[edits][diagonal + edits + 1];
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && reach(diagonal - 1) < reach(diagonal + 1));
    const from = down ? diagonal + 1 : diagonal - 1;
    const fromX = edits === 0 ? 0 : reach(from);
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) { x -= 1; y -= 1; steps.push({ kind: "same", item: after[y] }); }
    if (edits === 0) break;
    if (down) { y -= 1; steps.push({ kind: "added", item: after[y] }); }
    else { x -= 1; steps.push({ kind: "removed", item: before[x] }); }
  }
  return steps.reverse();
}

const wordsOf = (line) => line.match(/[\p{L}\p{N}_-]+|\s+|[^\p{L}\p{N}_\s-]/gu) || [];

// Two lines as nodes with their different words marked; null where little is the same.
function wordDifferences(before, after) {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  if (old.length > 400 || young.length > 400) return null;
  const steps = differences(old, young);
  const same = steps.filter((step) => step.kind === "same" && step.item.trim()).length;
  if (same * 3 < Math.max(old.length, young.length) / 2) return null;
  const side = (kind, tag) => joined(steps.filter((step) => step.kind !== kind))
    .map((step) => (step.kind === "same" ? step.item : el(tag, {}, step.item)));
  return { removed: side("added", "del"), added: side("removed", "ins") };
}

function joined(steps) {
  const out = [];
  for (const step of steps) {
    const last = out[out.length - 1];
    if (last && last.kind === step.kind) last.item += step.item;
    else out.push({ ...step });
  }
  return out;
}
