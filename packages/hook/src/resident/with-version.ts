import { closeSync, fstatSync, readSync } from 'node:fs';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { AGENTS, type HookCall } from '../agents/index.js';
import { openRegular } from '../settings/index.js';

/**
 * A call with its agent's version, if the agent provides it anywhere. Looked up only for calls that
 * people are asked about: it may require reading a file.
 *
 * @param bytes - the event
 * @param env - what the environment of the hook says about the agent
 */
export function withVersion(
  call: HookCall,
  bytes: Buffer,
  env: Readonly<Record<string, string>> = {},
): HookCall {
  if (call.version !== undefined) return call;
  const event = parseJson(bytes.toString('utf8'));
  if (!event.ok || !isJsonObject(event.value)) return call;
  const version = AGENTS[call.agent].version?.(event.value, { env, firstEntries, lastEntries });
  return version !== undefined && /^[\w.+-]{1,100}$/.test(version) ? { ...call, version } : call;
}

/** How much of a file is read, in bytes: an agent's instructions may be in its first line. */
const MAX_BYTES = 131_072;

/** The JSON objects in the first whole lines of a file; none if it cannot be read. */
function firstEntries(path: string): readonly JsonObject[] {
  return entriesIn(read(path, 'start').split('\n').slice(0, -1));
}

/** The JSON objects in the last whole lines of a file; none if it cannot be read. */
export function lastEntries(path: string): readonly JsonObject[] {
  return entriesIn(read(path, 'end').split('\n'));
}

/** A line that was cut is no JSON object. */
function entriesIn(lines: readonly string[]): readonly JsonObject[] {
  return lines.flatMap((line) => {
    const parsed = parseJson(line);
    return parsed.ok && isJsonObject(parsed.value) ? [parsed.value] : [];
  });
}

function read(path: string, where: 'start' | 'end'): string {
  let file: number | undefined;
  try {
    file = openRegular(path);
    const buffer = Buffer.alloc(MAX_BYTES);
    const from = where === 'start' ? 0 : Math.max(0, fstatSync(file).size - MAX_BYTES);
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, MAX_BYTES, from));
  } catch {
    return '';
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
