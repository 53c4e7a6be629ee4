import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentId, AgentPlace, HookCall } from '../agents/index.js';
import {
  type ListedPermission,
  type OwnRules,
  ownRulesOf,
  PERMISSION_FILES,
  type PermissionFile,
} from '../permissions/index.js';
import { readRegularFile, versionOf } from '../settings/index.js';

/** The own lists of the agent that makes a call, where it makes it. */
export type OwnLists = (call: Pick<HookCall, 'agent' | 'folder'>) => OwnRules | undefined;

/** Reads them where agents have them; again when one of the files has changed. */
export function createOwnLists({ home, env }: Omit<AgentPlace, 'folder'>): OwnLists {
  const seen = new Map<string, { readonly version: string; readonly rules: OwnRules | undefined }>();
  return ({ agent, folder }) => {
    const files = listFiles(agent, { home, env, folder });
    const version = JSON.stringify(files.map(({ path }) => [path, versionOf(path)]));
    const key = JSON.stringify([agent, folder]);
    const known = seen.get(key);
    if (known?.version === version) return known.rules;
    const rules = ownRulesOf(agent, files.flatMap(entriesIn));
    if (seen.size >= MOST) seen.clear();
    seen.set(key, { version, rules });
    return rules;
  };
}

/** The entries of an agent's lists that are understood, for an agent in this place. */
export function listedPermissions(agent: AgentId, place: AgentPlace): readonly ListedPermission[] {
  return listFiles(agent, place).flatMap(entriesIn);
}

/** How many folders are remembered. */
const MOST = 200;
/** How many files of a folder are read, and how much each may have, in bytes: every call of every agent waits for it. */
const MAX_FILES = 100;
const LARGEST = 1_048_576;

/** The files that exist, those of a folder one by one. */
function listFiles(agent: AgentId, place: AgentPlace): readonly PermissionFile[] {
  return PERMISSION_FILES[agent](place).flatMap((file) => {
    const { path, ending } = file;
    if (versionOf(path) === undefined) return [];
    if (ending === undefined) return [file];
    const names = namesIn(path).filter((name) => name.endsWith(ending));
    return names
      .slice(0, MAX_FILES)
      .map((name): PermissionFile => ({ path: join(path, name), read: file.read }));
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function entriesIn({ path, read }: PermissionFile): readonly ListedPermission[] {
  try {
    return read(readRegularFile(path, LARGEST).toString('utf8'));
  } catch {
    return [];
  }
}
