import type { Tool } from '@proffer/client/participation';
import { isToolName } from '@proffer/core';
import { DEFAULT_JSON_LIMITS, isJsonObject, type JsonObject, toJson } from '@proffer/core/json';
import { cutText } from '../excerpt.js';

/** The maximum number of definitions in one announcement (O-26). */
const MAX_ANNOUNCED = 10_000;

/** What is kept of a shortened description, in characters, and how many argument names. */
const DESCRIPTION_KEPT = 200;
const NAMES_KEPT = 100;

/** For the comma, and the schema announced for a tool without one. */
const OVERHEAD = 40;

/**
 * Fits tools into one announcement: unchanged, if possible. Otherwise each has its name, which approvals
 * need; as many as possible also have the start of their description and their argument names, and of those
 * as many as possible are complete. One with content that a gateway does not accept has only its name in any
 * case.
 *
 * @param given - most important first: the last are left out if not even the names fit
 * @param room - in bytes
 */
export function fitTools(given: readonly Tool[], room: number): readonly Tool[] {
  const tools = given.map((tool) => (isTaken(tool) ? tool : bareTool(tool))).filter(isTaken);
  const whole = tools.map(measure);
  if (tools.length <= MAX_ANNOUNCED && sum(whole) <= room) return tools;
  const chosen: Measured[] = [];
  let left = room;
  for (const { tool } of whole) {
    const bare = measure(bareTool(tool));
    if (chosen.length >= MAX_ANNOUNCED || bare.size > left) break;
    chosen.push(bare);
    left -= bare.size;
  }
  for (const better of [shortened, (tool: Tool) => tool]) {
    const steps = tools.slice(0, chosen.length).map((tool, index) => {
      const next = measure(better(tool));
      return { index, next, more: next.size - (chosen[index]?.size ?? 0) };
    });
    for (const { index, next, more } of steps.sort((one, other) => one.more - other.more)) {
      if (more > left) break;
      chosen[index] = next;
      left -= more;
    }
  }
  return chosen.map(({ tool }) => tool);
}

interface Measured {
  readonly tool: Tool;
  readonly size: number;
}

function measure(tool: Tool): Measured {
  return { tool, size: Buffer.byteLength(JSON.stringify(tool)) + OVERHEAD };
}

function bareTool({ name, handler }: Tool): Tool {
  return { name, handler };
}

/** Whether a gateway accepts it at all, whatever its size (O-5). */
function isTaken({ name, description, inputSchema, annotations }: Tool): boolean {
  const definition = { name, description, inputSchema, annotations };
  const limits = { ...DEFAULT_JSON_LIMITS, maxBytes: Number.MAX_SAFE_INTEGER };
  return isToolName(name) && toJson({ payload: { tools: [definition] } }, limits).ok;
}

function sum(measured: readonly Measured[]): number {
  return measured.reduce((total, { size }) => total + size, 0);
}

function shortened({ name, description, inputSchema, handler }: Tool): Tool {
  return {
    name,
    ...(description === undefined ? {} : { description: cutText(description, DESCRIPTION_KEPT) }),
    ...(inputSchema === undefined ? {} : { inputSchema: namesIn(inputSchema) }),
    handler,
  };
}

/** A schema with only the argument names; if these are too many, not even those. */
function namesIn({ properties }: JsonObject): JsonObject {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const description = 'Too long to be announced in full.';
  if (names.length === 0 || names.length > NAMES_KEPT) return { type: 'object', description };
  return { type: 'object', description, properties: Object.fromEntries(names.map((name) => [name, {}])) };
}
