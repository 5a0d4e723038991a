import * as z from "zod";
import { requestedBit, requestedSwitch } from "../../../relayer/service/schemas/flag.ts";
import { requestedIdentifier } from "../../../relayer/service/schemas/identifier.ts";
import type { ValidationProblem } from "../../answer.ts";
import {
  missingField,
  noBoolean,
  noInteger,
  noList,
  noNumber,
  noObject,
  noSuchWord,
  type Place,
  tooShortList,
  unknownField,
  valueOutOfBounds,
} from "./fieldProblem.ts";

/** How one endpoint takes what is written to it. */
export type FieldReading = {
  /** What stands where the maker's name does, in words of vocabularies too. */
  readonly idPrefix: string;
  /** Whether words of vocabularies may be in small letters, and parameters without a value count as absent. */
  readonly isLenient: boolean;
  /** Collects what is wrong. */
  readonly problems: ValidationProblem[];
};

/** What stands at a place of a request, and in which object. */
export type Given = { readonly input: unknown; readonly loc: Place; readonly container?: unknown };

/** By what defines them: descriptions and wrappers leave that as it is. */
const FLAGS = new Set<unknown>([requestedSwitch.def, requestedBit.def]);

const WORDS_OF_FLAGS = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/**
 * Reads a field by the schema that the client checks it with, as the service's framework would: numbers, ids and flags
 * may be text, `null` is as good as absent, and an id that nobody can have is one that is not found. What is wrong is
 * added to the problems, in the framework's words.
 */
export function readField(schema: z.ZodType, given: Given, reading: FieldReading): unknown {
  const { input, loc, container } = given;
  if (schema instanceof z.ZodOptional) {
    const isAbsent = input === undefined || input === null || (input === "" && reading.isLenient);
    return isAbsent ? undefined : readField(schema.unwrap() as z.ZodType, given, reading);
  }
  if (input === undefined) return fail(reading, missingField(loc, container));
  if (schema.def === requestedIdentifier.def) return readIdentifier(given, reading);
  if (FLAGS.has(schema.def)) return readFlag(schema, given, reading);
  if (schema instanceof z.ZodArray) return readList(schema, given, reading);
  if (schema instanceof z.ZodObject) return readObject(schema, given, reading);
  if (schema instanceof z.ZodEnum) return readWord(schema, given, reading);
  if (schema instanceof z.ZodNumber) return readNumber(schema, given, reading);
  return readValue(schema, given, reading);
}

/** The fields of a nested object; none of their names holds the maker's. */
function readObject(schema: z.ZodObject, { input, loc }: Given, reading: FieldReading): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return fail(reading, noObject(loc, input));
  const shape: Readonly<Record<string, z.ZodType>> = schema.shape as Readonly<Record<string, z.ZodType>>;
  const given = new Map(Object.entries(input));
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    readField(field, { input: given.get(name), loc: [...loc, name], container: input }, reading),
  ]);
  for (const [name, value] of given) {
    if (!Object.hasOwn(shape, name)) reading.problems.push(unknownField([...loc, name], value));
  }
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function readList(schema: z.ZodArray, { input, loc }: Given, reading: FieldReading): unknown {
  if (!Array.isArray(input)) return fail(reading, noList(loc, input));
  const least = fewestOf(schema);
  if (input.length < least) return fail(reading, tooShortList(loc, input, least));
  const element = schema.element as z.ZodType;
  return input.map((value: unknown, index) =>
    readField(element, { input: value, loc: [...loc, index], container: input }, reading),
  );
}

function fewestOf(schema: z.ZodArray): number {
  const [issue] = schema.safeParse([]).error?.issues ?? [];
  return issue?.code === "too_small" ? Number(issue.minimum) : 0;
}

/** Any integer, as number or text: of those that are no ids, too, the service merely finds nothing. */
function readIdentifier({ input, loc }: Given, reading: FieldReading): unknown {
  if (typeof input === "number" && Number.isInteger(input)) return BigInt(input);
  if (typeof input === "string" && /^\s*[+-]?\d{1,40}\s*$/.test(input)) return BigInt(input.trim().replace(/^\+/, ""));
  return fail(reading, noInteger(loc, input));
}

function readFlag(schema: z.ZodType, { input, loc }: Given, reading: FieldReading): unknown {
  const read = schema.safeParse(typeof input === "string" ? WORDS_OF_FLAGS.get(input.toLowerCase()) : input);
  return read.success ? read.data : fail(reading, noBoolean(loc, input));
}

function readWord(schema: z.ZodEnum, { input, loc }: Given, reading: FieldReading): unknown {
  const words = schema.options.map(String);
  const onWire = words.map((word) => word.replace(/^SVC_/, `${reading.idPrefix.toUpperCase()}_`));
  const written = typeof input === "string" && reading.isLenient ? input.toUpperCase() : input;
  const index = onWire.indexOf(written as string);
  return index === -1 ? fail(reading, noSuchWord(loc, input, onWire)) : words[index];
}

function readNumber(schema: z.ZodNumber, { input, loc }: Given, reading: FieldReading): unknown {
  const number = typeof input === "string" ? numberIn(input) : input;
  if (schema.isInt && !Number.isInteger(number)) return fail(reading, noInteger(loc, input));
  if (typeof number !== "number") return fail(reading, noNumber(loc, input));
  return readValue(schema, { input, loc }, reading, number);
}

function readValue(schema: z.ZodType, { input, loc }: Given, reading: FieldReading, value = input): unknown {
  const read = schema.safeParse(value);
  const [issue] = read.error?.issues ?? [];
  return issue ? fail(reading, valueOutOfBounds(loc, input, issue)) : read.data;
}

/** The number that a text is, if it is one. */
function numberIn(text: string): number | undefined {
  return /^\s*[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?\s*$/.test(text) ? Number(text) : undefined;
}

function fail({ problems }: FieldReading, problem: ValidationProblem): undefined {
  problems.push(problem);
  return undefined;
}
