/** A row of the service's endpoint table for which the simulator has no data: a mistake in this program. */
export class MissingDataError extends Error {
  constructor(name: string, remedy: string) {
    super(`the simulator has no data for ${name}: ${remedy}`);
  }
}
