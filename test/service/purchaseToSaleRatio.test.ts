import { expect, test } from "vitest";
import { purchaseToSaleRatio, readPurchaseToSaleRatio } from "../../relayer/service/schemas/metricItems.ts";

test.each([
  [1.55, "more purchases"],
  ["1.01", "more purchases"],
  [1, "as many purchases as sales"],
  [0.99, "more sales"],
  [0, "no purchases"],
  ["0.0", "no purchases"],
  [null, "no sales"],
  [undefined, "not given"],
])("a ratio of %j: %s", (purchase_to_sale_ratio, meaning) => {
  const month = purchaseToSaleRatio.parse({ date: "2026-10-01", purchase_to_sale_ratio });
  expect(readPurchaseToSaleRatio(month.purchase_to_sale_ratio)).toBe(meaning);
});
