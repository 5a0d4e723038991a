import type * as z from "zod";
import type { RequestRule } from "../rules/requestRule.ts";

/** What an endpoint costs, in credits (specification, limits; observed where it is silent). */
export type CreditCost =
  /** Nothing. */
  | "free"
  /** One for each dated row. */
  | "row"
  /** One for each property, however many events it carries. */
  | "property"
  /** One for each latest price. */
  | "price";

/** How often a series has a row: every day, on Mondays, or on the first of a month. */
export type Cadence = "daily" | "weekly" | "monthly";

/** How the parts of an answer are laid out. `items`: records in `items`. `properties`: either form that v2 answers in. */
export type AnswerForm = "items" | "properties";

/**
 * One endpoint of the service: all that client, simulator, documents and tests know of it. Names are the
 * specification's, with `svc` where the maker's name stands.
 */
export type Endpoint<Request extends z.ZodType = z.ZodType, Item extends z.ZodType = z.ZodType> = {
  /** One sentence. */
  readonly summary: string;
  readonly method: "GET" | "POST";
  /** `{svc_id}` stands for the field of that name in the request. */
  readonly path: string;
  /** Where else the service answers the same. */
  readonly otherPaths: readonly OtherPath[];
  /** What a caller gives: path, query and body together. Strict: a field outside is an error. */
  readonly request: Request;
  /** Which fields travel in the query string of a POST. Those of a GET all do. */
  readonly queryFields: readonly string[];
  /** The field that is the whole body, where the body is a bare list. */
  readonly bodyField?: string;
  /** A record of the answer. Open: fields that are not named are kept. */
  readonly item: Item;
  readonly answer: AnswerForm;
  /** What is checked before a request leaves, beside the schema. */
  readonly rules: readonly RequestRule[];
  /** The list that is split when it is longer than one request takes. */
  readonly idList?: { readonly field: string; readonly most: number };
  /**
   * Rows of a page: when nothing is said, and at most; absent where answers have no pages. `followed`: as many as a
   * client asks for that follows pages to the end, where a page of the most would be a body of a hundred megabytes.
   */
  readonly page?: { readonly usual: number; readonly most: number; readonly followed?: number };
  readonly cost: CreditCost;
  readonly cadence?: Cadence;
  /** First date of the series, where the specification gives one. */
  readonly dataStart?: string;
  /** Whether the service wants it used no more; a sentence that says since when, and what to use. */
  readonly deprecated?: string;
};

/** Another path of an endpoint, and who names it. */
export type OtherPath = {
  readonly path: string;
  readonly why: string;
  /** Whether clients that follow the public ones use it in place of the specification's. */
  readonly isPublicClients?: boolean;
};

/** What a caller gives to an endpoint. */
export type RequestOf<AnyEndpoint extends Endpoint> = z.input<AnyEndpoint["request"]>;

/** A record that an endpoint returns. */
export type ItemOf<AnyEndpoint extends Endpoint> = z.output<AnyEndpoint["item"]>;

/** What an endpoint has when its row says nothing else. */
type RowWithDefaults<Request extends z.ZodType, Item extends z.ZodType> = Omit<
  Endpoint<Request, Item>,
  "otherPaths" | "queryFields" | "answer" | "rules"
> &
  Partial<Pick<Endpoint, "otherPaths" | "queryFields" | "answer" | "rules">>;

/** A row of the endpoint table. */
export function defineEndpoint<Request extends z.ZodType, Item extends z.ZodType>(
  row: RowWithDefaults<Request, Item>,
): Endpoint<Request, Item> {
  return { otherPaths: [], queryFields: [], answer: "items", rules: [], ...row };
}
