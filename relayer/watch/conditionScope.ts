/** The scope of what concerns the price service, and with it every chain. */
export const SERVICE_SCOPE = "service";

/** The scope of a chain's conditions. */
export function scopeOfChain(name: string): string {
  return `chain:${name}`;
}

/** The scope of what concerns one process alone; several that share a journal have names. */
export function scopeOfProcess(instance: string | undefined): string {
  return instance === undefined ? "self" : `self:${instance}`;
}

export function isScopeOfProcess(scope: string): boolean {
  return scope === "self" || scope.startsWith("self:");
}
