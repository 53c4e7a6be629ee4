import { digestJson } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import { textAt } from '../../json-rpc.js';
import { LONGEST_NAME } from '../asked/index.js';
import { isReserved } from '../wait-tool.js';
import { ALL_TOOLS } from './hints-pin.js';
import { pinOf } from './tool-pins.js';

/**
 * The maximum size of a remembered definition, in bytes: two of them fit into the proposal to accept a
 * change.
 */
export const MAX_IN_ONE = 262_144;

/** The parts of a definition that matter. */
export interface ReadDefinition {
  readonly tool: string;
  readonly definition: JsonObject;
  readonly digest: string;
  /** The size of the definition as JSON. */
  readonly bytes: number;
}

/** Reads the definitions in a list of tools, except for those with names that cannot be called. */
export function readDefinitions(shown: readonly JsonObject[]): readonly ReadDefinition[] {
  return shown.filter(({ name }) => isCallable(name)).map(readDefinition);
}

/** What is kept of a definition that is too large: the name, and whether it promises structured results. */
export function partOf({ tool, definition }: Pick<ReadDefinition, 'tool' | 'definition'>): JsonObject {
  return { name: tool, ...(definition['outputSchema'] === undefined ? {} : { outputSchema: {} }) };
}

function isCallable(name: unknown): boolean {
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return false;
  return name !== ALL_TOOLS && !isReserved(name);
}

function readDefinition(shown: JsonObject): ReadDefinition {
  const definition = pinOf(shown);
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  return { tool: textAt(shown, 'name'), definition, digest: digestJson(definition), bytes };
}
