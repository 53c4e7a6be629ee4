import { isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';

/** What a server may say about a tool, as MCP defines it, with what is assumed if it says nothing. */
const HINTS: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** Whether a server says more of a tool than what is assumed anyway. */
export function hasHints({ annotations }: JsonObject): boolean {
  const said = objectOf(annotations);
  return Object.entries(HINTS).some(([hint, assumed]) => said[hint] !== undefined && said[hint] !== assumed);
}

/** A definition without what its server says about the tool: a claim that nobody has trusted yet. */
export function withoutHints(definition: JsonObject): JsonObject {
  const { annotations } = definition;
  if (!isJsonObject(annotations)) return definition;
  const kept = Object.entries(annotations).filter(([name]) => !Object.hasOwn(HINTS, name));
  return { ...definition, annotations: Object.fromEntries(kept) };
}
