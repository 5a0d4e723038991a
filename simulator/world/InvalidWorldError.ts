import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";

/** A generated world that cannot be: options or dates that make no sense, or more ZIP codes than five digits have. */
export class InvalidWorldError extends HomePriceError {
  constructor(problem: string, hint: string) {
    super("INVALID_WORLD", problem, { kind: "configuration", hint });
  }
}
