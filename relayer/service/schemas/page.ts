import * as z from "zod";

/** Rows of one page. How many an endpoint gives at most is a rule of its own. */
export const pageSizeParameter = z.int().min(1).optional().describe("rows of one page");

/** Rows before the page. */
export const offsetParameter = z.int().min(0).optional().describe("rows before the page");
