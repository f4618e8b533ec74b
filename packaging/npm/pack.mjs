// node pack.mjs VERSION REPOSITORY OUT [PLATFORM-ARCH BINARY]: makes the npm package that runs the binary, or that of one
// platform's binary.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64"];
const [version, repository, out, platform, binary] = process.argv.slice(2);
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), "npm-"));
const about = {
  version,
  description: "Golden-file testing and evaluation of message-history compression for agents",
  license: "MIT OR Apache-2.0",
  repository: { type: "git", url: `git+${repository}.git` },
};
let files;
if (platform) {
  const [os, cpu] = platform.split("-");
  files = [binary];
  Object.assign(about, { name: `ptc-eval-${platform}`, os: [os], cpu: [cpu], preferUnplugged: true });
} else {
  files = [join(here, "ptc-eval.js"), join(here, "../../README.md")];
  const packages = PLATFORMS.map((platform) => [`ptc-eval-${platform}`, version]);
  Object.assign(about, { name: "ptc-eval", bin: "ptc-eval.js", optionalDependencies: Object.fromEntries(packages) });
}
for (const file of files) copyFileSync(file, join(folder, basename(file)));
writeFileSync(join(folder, "package.json"), JSON.stringify(about, null, 2));
mkdirSync(out, { recursive: true });
execFileSync("npm", ["pack", "--silent", "--pack-destination", out, folder], { stdio: "inherit", shell: process.platform === "win32" });
