import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

// The search for the cheapest order of instructions takes half a minute.
const TIMEOUT_MS = 300_000;

it.each([
  ["vectors", "generateEd25519Vectors.ts"],
  ["bytecode", "generateEd25519Bytecode.ts"],
])(
  "the committed %s is what its generator makes",
  (_, name) => {
    const script = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  },
  TIMEOUT_MS,
);
