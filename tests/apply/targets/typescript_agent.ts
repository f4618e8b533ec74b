// An agent that keeps messages of the OpenAI API itself. Arguments: the server, the script, nothing, and the file
// that is tested.

import { readFileSync } from "node:fs";

type Call = { id: string; function: { name: string; arguments: string } };
type Message = { role: string; content?: string; tool_calls?: Call[]; tool_call_id?: string };

const [url, file, , applied] = process.argv.slice(2);
const script = JSON.parse(readFileSync(file!, "utf8"));
const { shorter } = applied ? await import(applied) : { shorter: (messages: Message[]) => messages };

function result(name: string, lines: number): string {
  const given = Array.from({ length: lines }, (_, line) => `${name} ${line}: naïve 🛫 ${(line * 37) % 101}`);
  return given.join("\n") || "nothing";
}

const history: Message[] = [{ role: "system", content: script.system }];
for (const content of script.people) {
  history.push({ role: "user", content });
  for (let calls: Call[] | undefined; calls === undefined || calls.length > 0; ) {
    const body = JSON.stringify({ model: "fake", messages: shorter(history), tools: script.tools });
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", body });
    const { choices } = (await response.json()) as { choices: [{ message: Message }] };
    history.push(choices[0].message);
    calls = choices[0].message.tool_calls ?? [];
    for (const call of calls) {
      const { name, lines } = JSON.parse(call.function.arguments);
      history.push({ role: "tool", tool_call_id: call.id, content: result(name, lines) });
    }
  }
}
