import { isJsonObject, parseJson } from '@proffer/core/json';
import { AGENTS, type HookCall } from '../agents/index.js';
import { firstEntries, lastEntries } from './transcript-entries.js';

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
