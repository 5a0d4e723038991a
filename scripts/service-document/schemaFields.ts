import * as z from "zod";
import { calendarDate } from "../../relayer/service/schemas/calendarDate.ts";
import { flag, requestedBit, requestedSwitch } from "../../relayer/service/schemas/flag.ts";
import { identifier, requestedIdentifier } from "../../relayer/service/schemas/identifier.ts";
import { money, quantity } from "../../relayer/service/schemas/quantity.ts";
import { vocabularyOf } from "./vocabularies.ts";

/** One field of a request or a record. */
export type Field = {
  readonly name: string;
  /** In words, with bounds and allowed values. */
  readonly type: string;
  /** Whether a request has to give it, and whether every record has it. */
  readonly isRequired: boolean;
  readonly meaning: string | undefined;
  /** Of an object, or of a list of objects. */
  readonly fields: readonly Field[];
};

/** A schema that no words are known for: the document would be silent about a field's type. */
export class UndescribedTypeError extends Error {
  constructor(path: string, kind: string) {
    super(`${path}: no words are known for a schema of type ${kind}`);
  }
}

/** Types that have a name in the document, by what defines them: descriptions and wrappers leave that as it is. */
const NAMED_TYPES = new Map<unknown, string>([
  [calendarDate.def, "date"],
  [identifier.def, "id"],
  [requestedIdentifier.def, "id"],
  [quantity.def, "number"],
  [money.def, "money"],
  [flag.def, "flag"],
  [requestedSwitch.def, "yes or no"],
  [requestedBit.def, "1 or 0"],
]);

/**
 * The fields of an object, nested ones with them.
 * @param path Of the object, for errors.
 * @throws UndescribedTypeError
 */
export function fieldsOf(schema: z.ZodType, path: string): Field[] {
  if (!(schema instanceof z.ZodObject)) throw new UndescribedTypeError(path, schema.def.type);
  return Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).map(([name, field]) => ({
    name,
    isRequired: !field.safeParse(undefined).success,
    meaning: meaningOf(field),
    ...typeOf(field, `${path}.${name}`),
  }));
}

function typeOf(schema: z.ZodType, path: string): Pick<Field, "type" | "fields"> {
  const named = NAMED_TYPES.get(schema.def);
  if (named !== undefined) return { type: named, fields: [] };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return typeOf(schema.unwrap() as z.ZodType, path);
  }
  if (schema instanceof z.ZodObject) return { type: "object", fields: fieldsOf(schema, path) };
  if (schema instanceof z.ZodArray) {
    const element = typeOf(schema.element as z.ZodType, `${path}[]`);
    return { type: listOf(element.type), fields: element.fields };
  }
  return { type: valueType(schema, path), fields: [] };
}

function listOf(type: string): string {
  return /^(id|date|number)$/.test(type) ? `list of ${type}s` : type === "object" ? "list" : `list of: ${type}`;
}

/** A single value, with the bounds that its JSON Schema knows. */
function valueType(schema: z.ZodType, path: string): string {
  const {
    type,
    enum: words,
    minimum,
    maximum,
    exclusiveMinimum,
  } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  });
  if (words !== undefined) return vocabularyOf(words.map(String)) ?? words.map((word) => `\`${word}\``).join(", ");
  switch (type) {
    case "string":
      return "text";
    case "integer":
    case "number": {
      const name = type === "integer" ? "whole number" : "number";
      if (exclusiveMinimum !== undefined) return `${name} above ${exclusiveMinimum}`;
      if (minimum === undefined) return name;
      const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
      return isBounded ? `${name} from ${minimum} to ${maximum}` : `${name} from ${minimum}`;
    }
    default:
      throw new UndescribedTypeError(path, schema.def.type);
  }
}

/** The outermost words that a schema was given. */
function meaningOf(schema: z.ZodType): string | undefined {
  if (schema.description !== undefined) return schema.description;
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper ? meaningOf(schema.unwrap() as z.ZodType) : undefined;
}
