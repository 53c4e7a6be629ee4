import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, replaceFile } from '@proffer/client/machine';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { makeFolder } from '@proffer/journal';

/** Settings for all hooks of a machine. The file contains tokens, and only its owner can read it. */
export interface HookSettings {
  /** The rule file; by default read-only calls are allowed, and everything else asks. */
  readonly rules?: string;
  /** A remote gateway; by default the one that this machine's guards share. */
  readonly gateway?: { readonly url: string; readonly token: string; readonly space: string };
  /** False: people are asked also about what the agents' own lists allow. */
  readonly agentLists?: boolean;
  /** Where HTTP hooks are served, and the token they must send. */
  readonly http?: { readonly port: number; readonly token: string };
  /** Where phones on the network reach the inbox: an address, or true for the one in the local network. */
  readonly share?: string | true;
}

/** Next to the ports of `proffer up` and of the guards. */
export const DEFAULT_HTTP_PORT = 7422;

/** The hooks' folder inside the guards' folder. */
export function hookFolder(folder: string): string {
  return join(folder, 'hook');
}

/** The settings in the guards' folder; empty if there are none yet. Throws if the file cannot be read. */
export function readHookSettings(folder: string): HookSettings {
  const file = join(hookFolder(folder), 'settings.json');
  const text = readIfThere(file);
  if (text === undefined) return {};
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`${file} is not a JSON object.`);
  const { rules, gateway, agentLists, http, share } = parsed.value;
  return {
    ...(typeof rules === 'string' ? { rules } : {}),
    ...(isGateway(gateway) ? { gateway } : {}),
    ...(typeof agentLists === 'boolean' ? { agentLists } : {}),
    ...(isHttp(http) ? { http } : {}),
    ...(share === true || typeof share === 'string' ? { share } : {}),
  };
}

/** Replaces the stored settings. */
export function writeHookSettings(folder: string, settings: HookSettings): void {
  makeFolder(hookFolder(folder));
  replaceFile(join(hookFolder(folder), 'settings.json'), `${JSON.stringify(settings, undefined, 2)}\n`);
}

/** A token for HTTP hooks. It allows asking about calls, but no decisions. */
export function createHookToken(): string {
  return `prfh_${randomBytes(24).toString('base64url')}`;
}

function isGateway(value: unknown): value is NonNullable<HookSettings['gateway']> {
  return hasTexts(value, 'url', 'token', 'space');
}

function isHttp(value: unknown): value is NonNullable<HookSettings['http']> {
  return hasTexts(value, 'token') && typeof (value as JsonObject)['port'] === 'number';
}

function hasTexts(value: unknown, ...keys: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return keys.every((key) => typeof (value as Record<string, unknown>)[key] === 'string');
}
