// Runs programs in nbb from their source text, warm, and prints `name TAB milliseconds TAB value` for the
// fastest of many runs: node nbb.mjs FOLDER_WITH_NBB PROGRAM.clj…
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, ...programs] = process.argv.slice(2);
const { loadString } = await import(pathToFileURL(join(resolve(folder), 'node_modules/nbb/index.mjs')));
await loadString("(require '[clojure.string])");

const SECONDS = 1;
for (const path of programs) {
  const source = readFileSync(path, 'utf8');
  const printed = await loadString(`(pr-str (do ${source}\n))`);
  let best = Infinity;
  for (const end = performance.now() + 1000 * SECONDS; performance.now() < end; ) {
    const start = performance.now();
    await loadString(source);
    best = Math.min(best, performance.now() - start);
  }
  console.log([basename(path, '.clj'), best.toFixed(4), printed].join('\t'));
}
