import type { JsonObject } from '@proffer/core/json';

/**
 * A proposal for programs, as every command prints it: what HTTP shows, with the name `state` for where it
 * is in its life, as it is called wherever one asks for it.
 */
export function proposalJson({ phase, ...rest }: JsonObject): JsonObject {
  return { ...rest, state: phase };
}
