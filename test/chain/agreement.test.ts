import fc from "fast-check";
import { expect, test } from "vitest";
import { agreementOf } from "../../relayer/chain/agreement.ts";

const answersOf = (values: readonly unknown[]) => values.map((value, index) => ({ host: `host ${index}`, value }));

test("most endpoints are right", () => {
  expect(agreementOf(answersOf([7n, 9n, 9n]))).toEqual({
    value: 9n,
    hosts: ["host 1", "host 2"],
    otherHosts: ["host 0"],
  });
});

test("the first one asked is right where none has more votes than another", () => {
  expect(agreementOf(answersOf([7n, 9n]))).toEqual({ value: 7n, hosts: ["host 0"], otherHosts: ["host 1"] });
  expect(agreementOf(answersOf([1, 2, 3])).value).toBe(1);
  expect(agreementOf(answersOf(["a", "b", "b", "c", "c"])).value).toBe("b");
});

test("answers are compared by value", () => {
  const block = (hash: string) => ({ hash, number: 5n, topics: ["0x1"], parent: undefined });
  expect(agreementOf(answersOf([block("0xa"), block("0xb"), block("0xb")]))).toMatchObject({
    value: block("0xb"),
    otherHosts: ["host 0"],
  });
  expect(agreementOf(answersOf([null, undefined, undefined])).value).toBeUndefined();
});

test("nothing to agree on is an error", () => {
  expect(() => agreementOf([])).toThrow(RangeError);
});

const value = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n }),
  fc.record({ n: fc.bigInt({ min: 0n, max: 1n }) }, { noNullPrototype: true }),
  fc.constant(null),
);

test("the agreed answer is one that was given, by as many as any other", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 7 }), (values) => {
      const answers = answersOf(values);
      const { value: agreed, hosts, otherHosts } = agreementOf(answers);
      expect([...hosts, ...otherHosts].toSorted()).toEqual(answers.map(({ host }) => host).toSorted());
      const votes = (wanted: unknown) => values.filter((given) => key(given) === key(wanted)).length;
      expect(hosts.length).toBe(votes(agreed));
      for (const given of values) expect(votes(given)).toBeLessThanOrEqual(hosts.length);
      const firstOfMost = values.find((given) => votes(given) === hosts.length);
      expect(key(agreed)).toBe(key(firstOfMost));
    }),
  );
});

function key(given: unknown): string {
  return JSON.stringify(given, (_, inner) => (typeof inner === "bigint" ? `${inner}n` : inner));
}
