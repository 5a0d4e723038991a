import * as z from "zod";

/** A day of the calendar as the service writes it, `YYYY-MM-DD`. 2026-02-30 is none. */
export const calendarDate = z.iso.date("must be a day of the calendar, written YYYY-MM-DD");
