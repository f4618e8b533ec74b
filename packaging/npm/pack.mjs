// node pack.mjs VERSION REPOSITORY OUT SHARE: makes the npm package that runs the program, with its manual and completions.
// node pack.mjs VERSION REPOSITORY OUT PLATFORM-ARCH PROGRAM LICENSES: makes the one that holds the program for a platform.
// node pack.mjs: fails where Node.js is too old for it.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

if (parseInt(process.versions.node) < 18) {
  console.error(`error: pack.mjs needs Node.js 18 or newer, this is ${process.versions.node}`);
  process.exit(2);
}
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];
const [version, repository, out, what, ...rest] = process.argv.slice(2);
if (!what) process.exit();
const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const folder = mkdtempSync(join(tmpdir(), "npm-"));
const about = {
  version,
  description: "Golden-file testing and evaluation of message-history compression for agents",
  license: "MIT OR Apache-2.0",
  keywords: ["llm", "agents", "evaluation", "compression", "context", "snapshot-testing", "cli"],
  homepage: `${repository}#readme`,
  repository: { type: "git", url: `git+${repository}.git` },
};
const files = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => join(root, name));
if (rest.length > 0) {
  const [os, cpu] = what.split("-");
  files.push(...rest);
  const description = `The program of the package ptc-eval for ${what}`;
  Object.assign(about, { name: `ptc-eval-${what}`, description, os: [os], cpu: [cpu], preferUnplugged: true });
} else {
  files.push(join(here, "ptc-eval.js"), join(root, "README.md"), what);
  const packages = PLATFORMS.map((platform) => [`ptc-eval-${platform}`, version]);
  const optionalDependencies = Object.fromEntries(packages);
  const man = readdirSync(join(what, "man/man1")).map((page) => `share/man/man1/${page}`);
  Object.assign(about, { name: "ptc-eval", bin: "ptc-eval.js", man, optionalDependencies });
}
for (const file of files) cpSync(file, join(folder, basename(file)), { recursive: true });
writeFileSync(join(folder, "package.json"), JSON.stringify(about, null, 2));
mkdirSync(out, { recursive: true });
execFileSync("npm", ["pack", "--silent", "--pack-destination", out, folder], { stdio: "inherit", shell: process.platform === "win32" });
rmSync(folder, { recursive: true });
