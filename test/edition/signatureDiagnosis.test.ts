import { describe, expect, test } from "vitest";
import { scriptedClient } from "../relay/relayFixture.ts";
import { conditionOf, kindsOf, startEditionFixture } from "./editionFixture.ts";

const IN_TIME = "2026-03-04T12:31:00Z";

describe("before the first failed send it is named", () => {
  test("that the service signs with another key, which one, and what the owner has to do", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("rotated-key").at(IN_TIME).collect();
    const condition = conditionOf(report, "signer-changed");
    expect(condition.severity).toBe("critical");
    expect(condition.message).toContain(`${fixture.service.rotatedPublicKey}, under which the signatures are valid`);
    expect(condition.hint).toMatch(/proposeSigner\(publicKey, messageLayout, validFrom\).*24 h later/);
    expect(kindsOf(report)).not.toContain("price-refused sales");
    expect(report.newPrices).toBe(0);
  });

  test("that it signs with another key and names none: from the signatures alone", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("rotated-key", "no-public-key").at(IN_TIME).collect();
    expect(conditionOf(report, "signer-changed").message).toContain("It names none");
  });

  test("that what is signed is of another form", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("changed-layout").at(IN_TIME).collect();
    const condition = conditionOf(report, "layout-changed");
    expect(condition.message).toContain("UnexpectedConstantBytes");
    expect(condition.hint).toMatch(/discover-layout.*proposeSigner/);
    expect(kindsOf(report)).toEqual(["layout-changed"]);
  });

  test("that key and form have changed together", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("changed-layout", "rotated-key").at(IN_TIME).collect();
    expect(conditionOf(report, "layout-changed").message).toContain(fixture.service.rotatedPublicKey);
  });

  test.each(["short-message", "long-message"])("that messages have another length (%s)", async (fault) => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults(fault).at(IN_TIME).collect();
    expect(conditionOf(report, "layout-changed").message).toContain("InvalidMessageLength");
  });

  test("that without signed bytes and without a key nobody can tell which of the two it is", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("rotated-key", "no-message", "no-public-key").at(IN_TIME).collect();
    expect(conditionOf(report, "signer-changed").message).toContain("either the service signs with another key, or");
  });

  test("that rebuilt bytes verify under the key that the service names: only the key has changed", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("rotated-key", "no-message").at(IN_TIME).collect();
    expect(conditionOf(report, "signer-changed").message).toContain("under which the signatures are valid");
  });
});

describe("what is no change of key or form", () => {
  test.each([
    ["unknown-signer:5826765", "price-refused sales"],
    ["changed-layout:5826765", "price-refused sales"],
    ["bad-signature:5826765", "price-refused sales"],
    ["wrong-kind:5826765", "price-of-another-market sales"],
  ])("one price of four (%s) is %s", async (fault, expected) => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults(fault).at(IN_TIME).collect();
    expect(kindsOf(report)).toEqual([expected]);
  });

  test("signatures that are all bad under our own key are refused prices, critical because they are all", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("bad-signature").at(IN_TIME).collect();
    expect(kindsOf(report)).toEqual(["price-refused sales", "price-refused rental"]);
    expect(conditionOf(report, "price-refused").severity).toBe("critical");
  });

  test("every message with the other kind's id is prices of other markets", async () => {
    const fixture = await startEditionFixture();
    const report = await fixture.faults("wrong-kind").at(IN_TIME).collect();
    expect(kindsOf(report)).toEqual(["price-of-another-market sales", "price-of-another-market rental"]);
  });

  test("items whose fields have other names are another form of the answer", async () => {
    const fixture = await startEditionFixture();
    const client = scriptedClient(() => [{ market: 5_826_765, value: 216.94 }]);
    const report = await fixture.at(IN_TIME).collect({ context: { client } });
    expect(conditionOf(report, "layout-changed")).toMatchObject({
      severity: "critical",
      message: expect.stringContaining("item 0 has no market id in svc_id"),
      hint: expect.stringContaining("responseFields"),
    });
  });
});
