import type { JsonObject } from '@proffer/core/json';

/**
 * A proposal for programs, as every command prints it: what HTTP shows, with its phase under the name `state`, as
 * everywhere else.
 */
export function proposalJson({ phase, ...rest }: JsonObject): JsonObject {
  return { ...rest, state: phase };
}
