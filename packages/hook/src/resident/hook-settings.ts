import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson } from '@proffer/core/json';
import { makeFolder } from '@proffer/journal';

/** What holds for all hooks of a machine. It has tokens in it, and only its owner can read it. */
export interface HookSettings {
  /** The file with the rules; default what only reads is allowed, the rest is asked. */
  readonly rules?: string;
  /** A gateway elsewhere; default the one that the guards of this machine share. */
  readonly gateway?: { readonly url: string; readonly token: string; readonly space: string };
  /** Where HTTP hooks are served, and what they must send. */
  readonly http?: { readonly port: number; readonly token: string };
}

/** Beside the ports of `proffer up` and of the guards. */
export const USUAL_HTTP_PORT = 7422;

/** The folder of the hooks in that of the guards. */
export function hookFolder(folder: string): string {
  return join(folder, 'hook');
}

/** The settings in the guards' folder; none if there are none yet. Fails for a file that cannot be read. */
export function readHookSettings(folder: string): HookSettings {
  const file = join(hookFolder(folder), 'settings.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`${file} is not a JSON object.`);
  const { rules, gateway, http } = parsed.value;
  return {
    ...(typeof rules === 'string' ? { rules } : {}),
    ...(isGateway(gateway) ? { gateway } : {}),
    ...(isHttp(http) ? { http } : {}),
  };
}

/** Stores the settings in place of those from before. */
export function writeHookSettings(folder: string, settings: HookSettings): void {
  makeFolder(hookFolder(folder));
  const file = join(hookFolder(folder), 'settings.json');
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

/** A token for HTTP hooks. With it, calls can be asked about; nothing can be decided. */
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
