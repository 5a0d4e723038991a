import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFailed, vi } from "vitest";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { type Installation, makeConsumer } from "./consumerFolder.ts";
import { type PackedPackage, packCheckout } from "./packagedTarball.ts";
import { type Ended, run } from "./runProgram.ts";

/** The program behind `npx hardhat`, which would look for the network. */
const HARDHAT = "node_modules/hardhat/dist/src/cli.js";

// Half a minute in all on an idle machine; programs that compile take their time on a busy one.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 });

let folder: string;
let packed: PackedPackage;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "home-price-consumer-"));
  packed = await packCheckout(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the tarball", () => {
  it("holds what people use", () => {
    expect(packed.files).toEqual(
      expect.arrayContaining([
        "README.md",
        "LICENSE",
        "homeprice.config.schema.json",
        "contracts/HomePriceOracle.sol",
        "contracts/interfaces/IHomePriceOracle.sol",
        "contracts/consumer/HomePriceConsumer.sol",
        "contracts/testing-kit/HomePriceTest.sol",
        "artifacts/contracts/HomePriceOracle.sol/HomePriceOracle.json",
        "artifacts/contracts/ed25519/Ed25519VerifierFactory.sol/Ed25519VerifierFactory.json",
        "dist/sdk/index.js",
        "dist/sdk/index.d.ts",
        "dist/relayer/service/index.js",
        "dist/relayer/service/index.d.ts",
        "dist/testing/index.js",
        "dist/testing/index.d.ts",
        "dist/relayer/command-line/homeprice.js",
      ]),
    );
  });

  it("holds nothing that serves development only", () => {
    const allowed = [
      /^(README|ASSUMPTIONS|docs\/[\w-]+)\.md$|^LICENSE$|^package\.json$|^homeprice\.config\.schema\.json$/,
      /^contracts\/(?!testing\/).+\.sol$/,
      /^artifacts\/contracts\/(?!testing\/).+\.json$/,
      /^dist\/(relayer|sdk|simulator|testing)\/.+\.(js|d\.ts)$/,
      /^ops\/prometheus\/alerts\.yml$/,
    ];
    expect(packed.files.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it("is small", () => {
    const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
    process.stdout.write(
      `package: ${kilobytes(packed.size)}, unpacked ${kilobytes(packed.unpackedSize)}, ${packed.files.length} files\n`,
    );
    expect(packed.size).toBeLessThan(1_500_000);
  });
});

describe("a project outside this repository", () => {
  let consumer: string;
  beforeAll(async () => {
    consumer = join(folder, "consumer");
    const installation: Installation = await makeConsumer(consumer, packed.tarball);
    process.stdout.write(`consumer's dependencies: ${installation}\n`);
  });

  /** Runs a program of the project; whatever it said is shown when the test fails. */
  async function inProject(program: string, ...programArguments: string[]): Promise<Ended> {
    const ended = await run(program, programArguments, consumer);
    onTestFailed(() => {
      process.stdout.write(`${program} ${programArguments.join(" ")}\n${ended.stdout}${ended.stderr}`);
    });
    return ended;
  }

  it("compiles its contracts, which import ours by the name of the package", async () => {
    const { exitCode } = await inProject(process.execPath, HARDHAT, "build");
    expect(exitCode).toBe(0);
    const artifact = await readFile(join(consumer, "artifacts/contracts/IndexedLease.sol/IndexedLease.json"), "utf8");
    expect(JSON.parse(artifact)).toMatchObject({ contractName: "IndexedLease" });
  });

  const compiler = join(CHECKOUT, "node_modules", "typescript", "bin", "tsc");

  it("type-checks its tests", async () => {
    const { exitCode, stdout } = await inProject(process.execPath, compiler, "-p", "tsconfig.json");
    expect(stdout).toBe("");
    expect(exitCode).toBe(0);
  });

  it("finds declarations without an error, where they are checked, too", async () => {
    const entries = ["sdk", "relayer/service", "testing"].map(
      (entry) => `node_modules/home-price-oracle/dist/${entry}/index.d.ts`,
    );
    const strictly = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--types", "node"];
    const { exitCode, stdout } = await inProject(process.execPath, compiler, "--ignoreConfig", ...strictly, ...entries);
    expect(stdout).toBe("");
    expect(exitCode).toBe(0);
  });

  it("passes its test in TypeScript: the real oracle, prices that are really signed, its own contracts", async () => {
    const { exitCode, stdout } = await inProject(
      process.execPath,
      "--test",
      "--test-reporter=tap",
      "test/indexedLease.mts",
    );
    expect(stdout).toMatch(/^# pass 3$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
    expect(exitCode).toBe(0);
  });

  it("asks the service through the client, which loads neither the daemon nor anything of a chain", async () => {
    const { exitCode, stdout } = await inProject(
      process.execPath,
      "--test",
      "--test-reporter=tap",
      "test/allCashSales.mts",
      "test/importsOfTheClient.mts",
    );
    expect(stdout).toMatch(/^# pass 3$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
    expect(exitCode).toBe(0);
  });

  it("passes its test in Solidity, on the oracle from the artifacts of the package", async () => {
    const { exitCode, stdout } = await inProject(process.execPath, HARDHAT, "test", "solidity");
    expect(stdout).toContain("2 passing");
    expect(exitCode).toBe(0);
  });

  it("has the command", async () => {
    const { version } = JSON.parse(await readFile(join(CHECKOUT, "package.json"), "utf8")) as { version: string };
    const { exitCode, stdout } = await inProject(
      process.execPath,
      "node_modules/home-price-oracle/dist/relayer/command-line/homeprice.js",
      "--version",
    );
    expect(stdout.trim()).toBe(version);
    expect(exitCode).toBe(0);
  });
});
