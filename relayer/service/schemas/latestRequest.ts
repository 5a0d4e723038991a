import * as z from "zod";
import { requestedIdentifiers } from "./identifier.ts";

/** Markets whose latest signed prices are wanted. */
export const latestRequest = z.strictObject({
  svc_ids: requestedIdentifiers.describe("market ids, without the rental offset"),
});
