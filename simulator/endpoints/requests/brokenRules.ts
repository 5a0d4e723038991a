import type { Endpoint as EndpointRow } from "../../../relayer/service/endpoints/endpoint.ts";
import { toWireName } from "../../../relayer/service/makerNames.ts";
import type { RequestValues } from "../../../relayer/service/rules/requestRule.ts";
import { NATIONWIDE_MARKET_ID } from "../../../relayer/service/serviceClient.ts";
import type { ValidationProblem } from "../../answer.ts";
import { aboveMaximum, brokenRule, tooLongList } from "./fieldProblem.ts";
import { type GivenFields, partOf } from "./givenFields.ts";

/** What is wrong with a request whose fields are each in order: pages and lists first, then the rules of its row. */
export function brokenRules(
  row: EndpointRow,
  values: RequestValues,
  fields: GivenFields["fields"],
  idPrefix: string,
): ValidationProblem[] {
  const limits = brokenLimits(row, values, fields);
  return limits.length > 0 ? limits : brokenRowRules(row, values, fields, idPrefix);
}

function brokenLimits(
  { page, idList }: EndpointRow,
  values: RequestValues,
  fields: GivenFields["fields"],
): ValidationProblem[] {
  const problems: ValidationProblem[] = [];
  const [limit, limitField] = [values["limit"], fields.get("limit")];
  if (page && limitField && typeof limit === "number" && limit > page.most) {
    problems.push(aboveMaximum(limitField.loc, limitField.input, page.most));
  }
  const [list, listField] = [idList && values[idList.field], idList && fields.get(idList.field)];
  if (idList && listField && Array.isArray(list) && list.length > idList.most) {
    problems.push(tooLongList(listField.loc, listField.input as unknown[], idList.most));
  }
  return problems;
}

function brokenRowRules(
  row: EndpointRow,
  values: RequestValues,
  fields: GivenFields["fields"],
  idPrefix: string,
): ValidationProblem[] {
  const rules = row.rules.filter(({ findsNothing }) => !findsNothing);
  const breaches = rules.flatMap(({ breach }) => breach(values, { nationwideMarketId: NATIONWIDE_MARKET_ID }) ?? []);
  return breaches.map(({ at, value, message }) => {
    const [name = "", ...nested] = at.split(".");
    const loc = fields.get(name)?.loc ?? [partOf(row, name), toWireName(name, idPrefix)];
    return brokenRule([...loc, ...nested], jsonOf(value), `${at} ${message}`);
  });
}

/** Ids are read as bigint, which JSON has no word for. */
function jsonOf(value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}
