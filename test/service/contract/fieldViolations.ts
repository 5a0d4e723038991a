import * as z from "zod";
import { toDotPath } from "zod/v4/core";
import type { FIELD_RULES } from "../../../relayer/service/checkRequest.ts";
import type { Endpoint } from "../../../relayer/service/endpoints/endpoint.ts";
import { calendarDate } from "../../../relayer/service/schemas/calendarDate.ts";
import { requestedBit, requestedSwitch } from "../../../relayer/service/schemas/flag.ts";
import { requestedIdentifier } from "../../../relayer/service/schemas/identifier.ts";

export type FieldRule = keyof typeof FIELD_RULES;

/** A value that one field cannot have. */
export type FieldViolation = {
  readonly rule: FieldRule;
  readonly path: readonly (string | number)[];
  /** The same as the client names it. */
  readonly at: string;
  /** `undefined`: the field is left out. */
  readonly value: unknown;
  /** What the service says against it, in a body and as text in path or query; absent where it takes the value. */
  readonly inBody?: string;
  readonly asText?: string;
};

type Bad = Omit<FieldViolation, "path" | "at">;

const UNKNOWN = "colour";
const BY_DEFINITION = new Map<unknown, readonly Bad[]>([
  [
    requestedIdentifier.def,
    [
      { rule: "field-type", value: true, inBody: "int_type", asText: "int_parsing" },
      { rule: "field-range", value: "denver", inBody: "int_parsing", asText: "int_parsing" },
      // To the service an id like any other that nobody has.
      { rule: "field-range", value: 0n },
    ],
  ],
  [
    calendarDate.def,
    [
      {
        rule: "calendar-date",
        value: "2026-02-30",
        inBody: "date_from_datetime_parsing",
        asText: "date_from_datetime_parsing",
      },
      {
        rule: "calendar-date",
        value: "1/5/2026",
        inBody: "date_from_datetime_parsing",
        asText: "date_from_datetime_parsing",
      },
    ],
  ],
  ...[requestedSwitch.def, requestedBit.def].map((definition): [unknown, readonly Bad[]] => [
    definition,
    [{ rule: "field-type", value: "perhaps", inBody: "bool_parsing", asText: "bool_parsing" }],
  ]),
]);

/** Everything that can be wrong with single fields of an endpoint's requests, found in its schema. */
export function fieldViolations({ request }: Endpoint): FieldViolation[] {
  return violationsOf(request, []);
}

function violationsOf(schema: z.ZodType, path: readonly (string | number)[]): FieldViolation[] {
  const at = (bad: Bad, within: readonly (string | number)[] = []): FieldViolation => {
    const whole = [...path, ...within];
    return { ...bad, path: whole, at: toDotPath(whole) };
  };
  if (schema instanceof z.ZodOptional) return violationsOf(schema.unwrap() as z.ZodType, path);
  const named = BY_DEFINITION.get(schema.def);
  if (named) return named.map((bad) => at(bad));

  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
    const unknown = at({ rule: "known-fields-only", value: 1, inBody: "extra_forbidden", asText: "extra_forbidden" }, [
      UNKNOWN,
    ]);
    const absent = fields
      .filter(([, field]) => !field.safeParse(undefined).success)
      .map(([name]) => at({ rule: "required-field", value: undefined, inBody: "missing", asText: "missing" }, [name]));
    const wrongType = path.length === 0 ? [] : [at({ rule: "field-type", value: 5, inBody: "model_attributes_type" })];
    const inside = fields.flatMap(([name, field]) => violationsOf(field, [...path, name]));
    return [unknown, ...absent, ...wrongType, ...inside];
  }
  if (schema instanceof z.ZodArray) {
    return [
      at({ rule: "field-type", value: 5, inBody: "list_type" }),
      at({ rule: "field-range", value: [], inBody: "too_short" }),
      ...violationsOf(schema.element as z.ZodType, [...path, 0]),
    ];
  }
  return badValues(schema, toDotPath(path)).map((bad) => at(bad));
}

function badValues(schema: z.ZodType, name: string): readonly Bad[] {
  if (schema instanceof z.ZodEnum) {
    return [{ rule: "allowed-value", value: "NOWHERE", inBody: "enum", asText: "enum" }];
  }
  if (schema instanceof z.ZodNumber) {
    const type: Bad = schema.isInt
      ? { rule: "field-type", value: 1.5, inBody: "int_from_float", asText: "int_parsing" }
      : { rule: "field-type", value: "many", inBody: "float_parsing", asText: "float_parsing" };
    const { minValue: least, maxValue: most } = schema;
    const small = schema.safeParse(least).success ? "greater_than_equal" : "greater_than";
    const above = "less_than_equal";
    return [
      type,
      ...(least === null || least < -1e9
        ? []
        : [{ rule: "field-range", value: least - 1, inBody: small, asText: small } as const]),
      ...(most === null || most > 1e9
        ? []
        : [{ rule: "field-range", value: most + 1, inBody: above, asText: above } as const]),
    ];
  }
  // Text of whatever form: as text, anything is of the right type.
  const type: Bad = { rule: "field-type", value: 5, inBody: "string_type" };
  const [issue] = schema.safeParse(" ").error?.issues ?? [];
  if (issue?.code === "invalid_format") {
    const pattern = "string_pattern_mismatch";
    return [type, { rule: "field-range", value: "?", inBody: pattern, asText: pattern }];
  }
  const [emptyIssue] = schema.safeParse("").error?.issues ?? [];
  if (emptyIssue?.code === "too_small") {
    return [type, { rule: "field-range", value: "", inBody: "string_too_short", asText: "string_too_short" }];
  }
  if (schema.safeParse("").success) return [type];
  throw new TypeError(`${name}: nobody has said what is wrong for a schema of type ${schema.def.type}`);
}
