import { digestJson, type JsonObject } from '@proffer/core';

/** The tools as a server showed them first, or as somebody accepted them since, by name. */
export type ToolPins = ReadonlyMap<string, JsonObject>;

/** A tool that is not what it was. */
export interface ChangedTool {
  readonly tool: string;
  readonly was: JsonObject;
  readonly is: JsonObject;
}

/** What a caller and an approver go by: changing any of it makes another tool of it. */
export function pinOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: JsonObject): JsonObject {
  const kept = Object.entries({ name, title, description, inputSchema, outputSchema, annotations });
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

/** The digest that a pin is compared by. */
export function pinDigest(pin: JsonObject): string {
  return digestJson(pinOf(pin));
}

/** Compares a server's tools with what was pinned. Those seen for the first time are pinned as they are. */
export function comparePins(
  pins: ToolPins,
  tools: readonly JsonObject[],
): { readonly fresh: ToolPins; readonly changed: readonly ChangedTool[] } {
  const fresh = new Map<string, JsonObject>();
  const changed: ChangedTool[] = [];
  for (const definition of tools) {
    const { name } = definition;
    if (typeof name !== 'string') continue;
    const is = pinOf(definition);
    // One that stands twice in the list cannot be both.
    const was = pins.get(name) ?? fresh.get(name);
    if (was === undefined) fresh.set(name, is);
    else if (pinDigest(was) !== pinDigest(is)) changed.push({ tool: name, was, is });
  }
  return { fresh, changed };
}
