import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measurePeers, parsePeerOption } from "../../scripts/benchmark/measuredPeer.ts";
import { readToolchain } from "../../scripts/benchmark/toolchain.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "homeprice-peer-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A verifier in a library of its own that any compiler may see, whose verdict is an expression. */
async function writePeer(verdict: string, description = "{}"): Promise<void> {
  await writeFile(
    join(folder, "Verifier.sol"),
    `pragma solidity 0.8.19;
     library Verifier {
       function verify(bytes memory message) external pure returns (bool) { return ${verdict}; }
     }`,
  );
  await writeFile(
    join(folder, "PeerBenchmark.sol"),
    `import {Verifier} from "./Verifier.sol";
     contract PeerBenchmark {
       function gasOfVerification(bytes32, bytes memory message, bytes32, bytes32) external view returns (bool valid, uint256 gasUsed) {
         uint256 gasBefore = gasleft();
         valid = Verifier.verify(message);
         gasUsed = gasBefore - gasleft();
       }
     }`,
  );
  await writeFile(join(folder, "peer.json"), description);
}

const measure = async () => await measurePeers([{ name: "other", folder }], await readToolchain());

describe("another verifier", () => {
  it("is compiled, linked and measured", async () => {
    await writePeer("message.length == 74", '{ "signatures": "own" }');
    const [peer] = await measure();
    expect(peer).toMatchObject({ name: "other", sha512: undefined });
    // The library is warm, which makes the call cost 100 instead of 2,600.
    expect(peer?.gas.mean).toBeGreaterThan(100);
    expect(peer?.gas.most).toBeLessThan(2_600);
  });

  it("is no verifier when it accepts the signature of another message", async () => {
    await writePeer("message.length == 74");
    await expect(measure()).rejects.toThrow("other accepts a signature of another message");
  });

  it("is no verifier when it refuses a signature that is right", async () => {
    await writePeer("message.length == 73");
    await expect(measure()).rejects.toThrow("other refuses a signature that is right");
  });

  it("is reported with the compiler's words when it does not compile", async () => {
    await writePeer("nonsense");
    await expect(measure()).rejects.toThrow("Undeclared identifier");
  });
});

describe("--peer", () => {
  it("has a name and a folder", () => {
    expect(parsePeerOption("other=/checkouts/a=b")).toEqual({ name: "other", folder: "/checkouts/a=b" });
  });

  it.each(["other", "=folder", "other="])("%s is refused", (option) => {
    expect(() => parsePeerOption(option)).toThrow("NAME=FOLDER");
  });
});
