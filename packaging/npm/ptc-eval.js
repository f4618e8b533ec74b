#!/usr/bin/env node
// Runs the binary of the package for this platform.
const { spawnSync } = require("node:child_process");

const { platform, arch } = process;
let program;
try {
  program = require.resolve(`ptc-eval-${platform}-${arch}/ptc-eval${platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`error: there is no package of ptc-eval for ${platform}-${arch}, or it was left out by --omit=optional`);
  process.exit(2);
}
const { status, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) console.error(`error: ${error.message}`);
process.exit(status ?? (error ? 2 : 130));
