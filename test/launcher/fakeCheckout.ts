import { type ChildProcess, spawn } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const REPOSITORY = join(import.meta.dirname, "../..");

/** What the launcher may use besides Node, npm and npx; a tool that this machine lacks stays missing. */
const TOOLS = [
  ..."awk cat cksum dirname find flock getconf grep ldd ln mkdir mv".split(" "),
  ..."ps readlink rm sed sleep sort tail tr uname".split(" "),
];

export const PINNED_NODE = "v24.21.0";

export function findTool(name: string): string | undefined {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

export interface Outcome {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What the stand-in for the command line prints first. */
export interface CommandReport {
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly pid: number;
  /** Version of the (fake) Node that runs it. */
  readonly node: string;
  /** The artifact as the command finds it. */
  readonly artifact: string | null;
  /** Where the published Ed25519 vectors are. */
  readonly vectors: string | null;
}

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly launcher?: string;
  readonly shell?: readonly string[];
  /** In a process group of its own. */
  readonly detached?: boolean;
}

export class Running {
  readonly child: ChildProcess;
  readonly done: Promise<Outcome>;
  #stdout = "";
  #stderr = "";

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
    });
    this.done = new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status, signal) => {
        resolve({ status, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error("not started");
    return this.child.pid;
  }

  /** What it has said on standard error so far. */
  get said(): string {
    return this.#stderr;
  }

  /** The report of a command that has come up. */
  async report(): Promise<CommandReport> {
    await until(() => this.#stdout.includes("\n"));
    return JSON.parse(this.#stdout.slice(0, this.#stdout.indexOf("\n")));
  }
}

export async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 15_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * A checkout with the real launcher and a stand-in for everything that it calls: Node (which claims a version, then is
 * the real one), npm, npx and Hardhat, each noting its calls. The PATH holds these and the tools above, nothing else.
 * Its path has what shells and JSON stumble over (but no backslash: Node loads no module from there).
 */
export class FakeCheckout {
  readonly base = mkdtempSync(join(tmpdir(), "launcher-"));
  readonly root = join(this.base, 'check "out" * $HOME é');
  readonly bin = join(this.base, "bin");
  readonly pinned = join(this.base, "pinned", "bin", "node");
  readonly #calls = join(this.base, "calls");
  readonly #started: Running[] = [];

  constructor(options: { readonly node?: string; readonly without?: readonly string[] } = {}) {
    for (const folder of ["scripts/launcher", "relayer/command-line", "contracts/deep", ".ci"]) {
      mkdirSync(join(this.root, folder), { recursive: true });
    }
    mkdirSync(this.bin);
    mkdirSync(dirname(this.pinned), { recursive: true });
    for (const path of ["homeprice", "scripts/launcher/isInstallComplete.ts", ".ci/run"]) {
      copyFileSync(join(REPOSITORY, path), join(this.root, path));
    }
    this.write("package.json", '{"type":"module"}');
    this.writeLock("1.0.0");
    this.write("hardhat.config.ts", "export default {};\n");
    this.write("contracts/deep/Oracle.sol", "contract Oracle {}\n");
    this.write("relayer/command-line/homeprice.ts", COMMAND);

    for (const tool of TOOLS) {
      const path = options.without?.includes(tool) ? undefined : findTool(tool);
      if (path !== undefined) symlinkSync(path, join(this.bin, tool));
    }
    if (options.node !== undefined) this.putNode(options.node);
    this.script(this.pinned, fakeNode(PINNED_NODE));
    this.tool("npx", `echo "npx $*" >>'${this.#calls}'\n${FAKE_NPX}echo '${this.pinned}'\n`);
    this.tool("npm", `echo "npm $*, Node $(node --version)" >>'${this.#calls}'\n${FAKE_NPM}`);
    this.script(
      join(this.base, "hardhat"),
      `echo "hardhat $*\${HARDHAT_COVERAGE:+ covered}" >>'${this.#calls}'\n${FAKE_HARDHAT}`,
    );
  }

  script(path: string, body: string): void {
    writeFileSync(path, `#!/bin/sh\n${body}`);
    chmodSync(path, 0o755);
  }

  /** Puts a program of its own on the PATH. */
  tool(name: string, body: string): void {
    rmSync(join(this.bin, name), { force: true });
    this.script(join(this.bin, name), body);
  }

  putNode(version: string): void {
    this.tool("node", fakeNode(version));
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  writeLock(version: string): void {
    const tiny = { "node_modules/tiny": { version, integrity: `sha512-${version}` } };
    const elsewhere = { version, optional: true, os: [process.platform === "linux" ? "darwin" : "linux"] };
    this.write(
      "package-lock.json",
      JSON.stringify({ packages: { "": {}, ...tiny, "node_modules/elsewhere": elsewhere } }),
    );
    this.write("../record.json", JSON.stringify({ packages: tiny }));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** The calls of npm, npx and Hardhat since the last question. */
  calls(): string[] {
    if (!existsSync(this.#calls)) return [];
    const lines = readFileSync(this.#calls, "utf8").trimEnd().split("\n");
    rmSync(this.#calls);
    return lines;
  }

  start(args: readonly string[], options: CallOptions = {}): Running {
    const launcher = options.launcher ?? join(this.root, "homeprice");
    const [program = launcher, ...rest] = options.shell === undefined ? [] : [...options.shell, launcher];
    const child = spawn(program, [...rest, ...args], {
      cwd: options.cwd ?? this.base,
      env: { PATH: this.bin, HOME: this.base, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: options.detached ?? false,
    });
    const running = new Running(child);
    this.#started.push(running);
    return running;
  }

  run(args: readonly string[], options: CallOptions = {}): Promise<Outcome> {
    return this.start(args, options).done;
  }

  /** Installed and compiled; what that took is forgotten. */
  async prepare(): Promise<this> {
    const { status, stderr } = await this.run([]);
    if (status !== 0) throw new Error(stderr);
    this.calls();
    return this;
  }

  async discard(): Promise<void> {
    for (const { child } of this.#started) child.kill("SIGKILL");
    await Promise.allSettled(this.#started.map(({ done }) => done));
    rmSync(this.base, { recursive: true, force: true });
  }
}

function fakeNode(version: string): string {
  return `[ "$1" != --version ] || { echo ${version}; exit; }\nFAKE_NODE=${version} exec '${process.execPath}' "$@"\n`;
}

/** Like npx, fails when it runs under another one, and says more than was asked. */
const FAKE_NPX = `
[ -z "\${npm_config_call:-}" ] || exit 64
[ -z "\${NPX_FAILS:-}" ] || { echo 'npm error network' >&2; exit 1; }
echo 'npm notice: news'
`;

/** Like npm ci, starts by removing everything and writes its own record last. */
const FAKE_NPM = `
echo 'added 1 package'
rm -rf node_modules
[ -z "\${NPM_FAILS:-}" ] || { echo "npm error code $NPM_FAILS" >&2; exit 1; }
mkdir -p node_modules/.bin node_modules/tiny
[ -z "\${NPM_HANGS:-}" ] || exec sleep 60
[ -z "\${NPM_WAITS:-}" ] || until [ -e ../go ]; do sleep 0.05; done
echo '{}' >node_modules/tiny/package.json
ln -s ../../../hardhat node_modules/.bin/hardhat
cat ../record.json >node_modules/.package-lock.json
`;

/** Its artifact names the sources that it comes from. Does nothing with an artifact at hand, like Hardhat's cache. */
const FAKE_HARDHAT = `
echo 'Compiled 1 Solidity file'
artifact=artifacts/contracts/Oracle.json
mkdir -p artifacts/contracts artifacts/build-info
[ -z "\${HARDHAT_HANGS:-}" ] || { : >"$artifact"; exec sleep 60; }
[ -z "\${HARDHAT_FAILS:-}" ] || { echo 'ParserError' >&2; exit 1; }
cat contracts/deep/Oracle.sol >"$artifact"
date >artifacts/build-info/time.json 2>/dev/null
exit 0
`;

const COMMAND = `
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const args: string[] = process.argv.slice(2);
const artifact = new URL("../../artifacts/contracts/Oracle.json", import.meta.url);
if (args[0] === "stay") {
  process.on("SIGTERM", () => process.exit(5));
  setInterval(() => undefined, 1000);
}
if (args[0] === "leave-child") spawn("sleep", ["3"], { detached: true, stdio: "ignore" }).unref();
const report = {
  arguments: args,
  cwd: process.cwd(),
  pid: process.pid,
  node: process.env["FAKE_NODE"],
  artifact: existsSync(artifact) ? readFileSync(artifact, "utf8") : null,
  vectors: process.env["ED25519_VECTORS_DIR"] ?? null,
};
process.stdout.write(JSON.stringify(report) + "\\n");
if (args[0] === "exit") process.exit(Number(args[1]));
`;
