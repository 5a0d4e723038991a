#!/usr/bin/env node
/** The compiler from npm with as much of a command line as forge uses: `--version` and `--standard-json`. */
const { readFileSync } = require("node:fs");
const solc = require("solc");

const [...options] = process.argv.slice(2);
if (options.includes("--version")) {
  // Forge looks for the build of a platform; that of npm calls itself by its compiler.
  process.stdout.write(
    `solc, the solidity compiler\nVersion: ${solc.version().replace("Emscripten.clang", "Linux.g++")}\n`,
  );
} else if (options.includes("--standard-json")) {
  process.stdout.write(solc.compile(readFileSync(0, "utf8")));
} else {
  process.stderr.write(`solc.cjs: neither --version nor --standard-json: ${options.join(" ")}\n`);
  process.exitCode = 2;
}
