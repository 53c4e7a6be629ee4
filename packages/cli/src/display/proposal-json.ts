import type { JsonObject } from '@proffer/core/json';

/** A proposal for programs, as every command prints it: the HTTP form, with its phase as `state`. */
export function proposalJson({ phase, ...rest }: JsonObject): JsonObject {
  return { ...rest, state: phase };
}
