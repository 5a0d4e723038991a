/** The numbers that every message has. */
export type NumberName = "feedId" | "price" | "publishTime" | "expiry";

/** The five fields in the order of the default layout. */
export const FIELDS: readonly (NumberName | "date")[] = ["feedId", "price", "publishTime", "expiry", "date"];

/** A part of a message; a number stands for the constant region of that index. */
export type PartName = NumberName | "date" | "exponent" | "version" | "padding" | number;
