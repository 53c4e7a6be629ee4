import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { defined, type JsonObject } from '@proffer/core/json';
import { AGENTS, ourEvents } from '../agents/index.js';
import { missingReports } from '../install/index.js';
import { NotAnObjectError, readSettings, UnreadableTextError } from '../settings/index.js';
import { isGuardedAt, isSame, serverAt } from './connect-text.js';
import type { Ledger } from './ledger.js';
import {
  formatOf,
  type Machine,
  PROGRAM_IDS,
  PROGRAMS,
  type Program,
  type ProgramId,
  type ServerKeys,
} from './programs.js';
import { readServer } from './server-command.js';
import { readSettingsFile } from './settings-files.js';

/** Whether calls are asked about. */
export type Coverage =
  /** Since when, in milliseconds since 1970; unknown for what somebody set up by hand. */
  | { readonly type: 'covered'; readonly by: 'hook' | 'guard'; readonly since?: number }
  /** The program could be connected, and is not. */
  | { readonly type: 'open' }
  | { readonly type: 'uncovered'; readonly why: string };

/** Something on this machine that makes calls: an agent with hooks, or an MCP server of a program. */
export interface FoundItem {
  readonly program: ProgramId;
  /** `tools` stands for what the program itself can do, where Proffer has no hook for it. */
  readonly kind: 'hook' | 'server' | 'file' | 'tools';
  /** The name of the server; `hook` for the hook. */
  readonly name: string;
  readonly path: string;
  /** For a server. */
  readonly keys?: ServerKeys;
  readonly coverage: Coverage;
}

/** A program that is used on this machine. */
export interface FoundProgram {
  readonly program: Program;
  readonly items: readonly FoundItem[];
}

/** The programs on this machine that run agents, their MCP servers, and what of them asks Proffer. */
export function surveyMachine(machine: Machine, ledger: Ledger): readonly FoundProgram[] {
  return PROGRAM_IDS.map((id) => PROGRAMS[id])
    .filter((program) => program.signs(machine).some((path) => existsSync(path)))
    .map((program) => {
      const hook = hookOf(program, machine, ledger);
      const servers = program.files(machine).flatMap((path) => itemsIn(path, { program, ledger, hook }));
      return { program, items: [hook ?? withoutHook(program), ...servers] };
    });
}

function hookOf(program: Program, { home, env }: Machine, { files }: Ledger): FoundItem | undefined {
  if (program.agent === undefined) return undefined;
  const agent = AGENTS[program.agent];
  const found = readSettingsFile(agent.settings.user(home, env));
  const item = { program: program.id, kind: 'hook', name: 'hook', path: found.path } as const;
  if (found.type === 'missing') return { ...item, coverage: { type: 'open' } };
  if (found.type === 'unusable') return { ...item, coverage: { type: 'uncovered', why: found.why } };
  try {
    const settings = readSettings(found.content.toString('utf8'), formatOf(found.path));
    const events = ourEvents(settings);
    const isWhole =
      agent.events.some((event) => events.includes(event)) && missingReports(agent, settings).length === 0;
    if (!isWhole) return { ...item, coverage: { type: 'open' } };
    const since = files.find(({ path }) => path === found.path)?.hookSince;
    return { ...item, coverage: { type: 'covered', by: 'hook', ...defined({ since }) } };
  } catch (error) {
    return { ...item, coverage: { type: 'uncovered', why: whyUnreadable(error, found.path) } };
  }
}

function withoutHook({ id, label }: Program): FoundItem {
  const why = `MCP servers only: Proffer has no hook for ${label}`;
  return { program: id, kind: 'tools', name: 'tools', path: '', coverage: { type: 'uncovered', why } };
}

interface Around {
  readonly program: Program;
  readonly ledger: Ledger;
  readonly hook: FoundItem | undefined;
}

function itemsIn(given: string, around: Around): readonly FoundItem[] {
  const found = readSettingsFile(given);
  const { path } = found;
  const { id, serversIn } = around.program;
  const trouble = (why: string): readonly FoundItem[] => [
    { program: id, kind: 'file', name: basename(path), path, coverage: { type: 'uncovered', why } },
  ];
  if (found.type === 'missing') return [];
  if (found.type === 'unusable') return trouble(found.why);
  try {
    const settings = readSettings(found.content.toString('utf8'), formatOf(path));
    return serversIn(settings).map((keys) => ({
      program: id,
      kind: 'server',
      name: keys.at(-1) ?? '',
      path,
      keys,
      coverage: coverageAt(settings, keys, { ...around, path }),
    }));
  } catch (error) {
    return trouble(whyUnreadable(error, path));
  }
}

function coverageAt(
  settings: JsonObject,
  keys: ServerKeys,
  { program: { label, isHookOnly }, ledger, hook, path }: Around & { readonly path: string },
): Coverage {
  if (isGuardedAt(settings, keys)) {
    const connected = ledger.files.find((file) => file.path === path);
    const since = connected?.servers.find((one) => isSame(one.keys, keys))?.since;
    return { type: 'covered', by: 'guard', ...defined({ since }) };
  }
  const { type } = readServer(serverAt(settings, keys));
  if (type === 'command' && isHookOnly !== true) return { type: 'open' };
  // Through the hook, every call of the agent is asked about, whatever runs it.
  if (hook?.coverage.type === 'covered') return hook.coverage;
  return { type: 'uncovered', why: WHY[type](label, hook !== undefined) };
}

const WHY: Readonly<
  Record<ReturnType<typeof readServer>['type'], (label: string, hasHook: boolean) => string>
> = {
  command: (label) => `connect the hook, which asks about all servers of ${label}`,
  remote: (label, hasHook) =>
    hasHook
      ? 'remote server; connect the hook, which asks about its calls'
      : `remote server; ${label} signs in to it and calls it itself`,
  'shell line': () => 'the command contains arguments; put them in args',
  unknown: (label) => `no command in the settings; ${label} gets it from elsewhere`,
};

function whyUnreadable(error: unknown, path: string): string {
  const isExpected = error instanceof UnreadableTextError || error instanceof NotAnObjectError;
  if (!isExpected) throw error;
  const what = error instanceof UnreadableTextError ? error.message : 'it is not an object';
  return `${path} cannot be read (${what}). Correct the file, then connect again`;
}
