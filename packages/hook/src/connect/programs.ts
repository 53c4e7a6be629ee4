import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import type { AgentId } from '../agents/index.js';
import type { SettingsFormat } from '../settings/index.js';

/** Every program that runs agents and that can be connected, by its name on the command line. */
export const PROGRAM_IDS = [
  'claude-code',
  'claude-desktop',
  'codex',
  'gemini-cli',
  'copilot-cli',
  'cursor',
  'vscode',
  'windsurf',
  'zed',
  'opencode',
] as const;

export type ProgramId = (typeof PROGRAM_IDS)[number];

/** The user whose programs are looked for, and their machine. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Where a server is in the settings: the keys that lead to it, its name last. */
export type ServerKeys = readonly string[];

/** A program that runs agents. */
export interface Program {
  readonly id: ProgramId;
  /** The display name of the program. */
  readonly label: string;
  /** The program's own folders and files: if one of them exists, the program is used here. */
  readonly signs: (machine: Machine) => readonly string[];
  /** The hook that Proffer has for it. */
  readonly agent?: AgentId;
  /** The program's hook does not learn which server a call is for: guards would ask about the same call again. */
  readonly isHookOnly?: true;
  /** The settings files of its user that have MCP servers. */
  readonly files: (machine: Machine) => readonly string[];
  readonly serversIn: (settings: JsonObject) => readonly ServerKeys[];
}

/** The format of a settings file. */
export function formatOf(path: string): SettingsFormat {
  return path.endsWith('.toml') ? 'toml' : 'json';
}

const MCP_SERVERS = under('mcpServers');

/** Every program, with the places that its documentation names for the settings of a user. */
export const PROGRAMS: Readonly<Record<ProgramId, Program>> = {
  'claude-code': {
    id: 'claude-code',
    label: 'Claude Code',
    agent: 'claude-code',
    signs: ({ home, env }) => [
      given(env['CLAUDE_CONFIG_DIR']) ?? join(home, '.claude'),
      join(home, '.claude.json'),
    ],
    files: ({ home, env }) => [join(given(env['CLAUDE_CONFIG_DIR']) ?? home, '.claude.json')],
    serversIn: (settings) => [...MCP_SERVERS(settings), ...ofProjects(settings)],
  },
  'claude-desktop': {
    id: 'claude-desktop',
    label: 'Claude Desktop',
    signs: (machine) => [join(applicationFolder(machine), 'Claude')],
    files: (machine) => [join(applicationFolder(machine), 'Claude', 'claude_desktop_config.json')],
    serversIn: MCP_SERVERS,
  },
  codex: {
    id: 'codex',
    label: 'Codex CLI',
    agent: 'codex',
    signs: (machine) => [codexFolder(machine)],
    files: (machine) => [join(codexFolder(machine), 'config.toml')],
    serversIn: under('mcp_servers'),
  },
  'gemini-cli': {
    id: 'gemini-cli',
    label: 'Gemini CLI',
    agent: 'gemini-cli',
    signs: ({ home }) => [join(home, '.gemini')],
    files: ({ home }) => [join(home, '.gemini', 'settings.json')],
    serversIn: MCP_SERVERS,
  },
  'copilot-cli': {
    id: 'copilot-cli',
    label: 'GitHub Copilot CLI',
    agent: 'copilot-cli',
    signs: (machine) => [copilotFolder(machine)],
    files: (machine) => [join(copilotFolder(machine), 'mcp-config.json')],
    serversIn: MCP_SERVERS,
  },
  cursor: {
    id: 'cursor',
    label: 'Cursor',
    agent: 'cursor',
    isHookOnly: true,
    signs: ({ home }) => [join(home, '.cursor')],
    files: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    serversIn: MCP_SERVERS,
  },
  vscode: {
    id: 'vscode',
    label: 'VS Code',
    signs: vscodeFolders,
    files: (machine) =>
      vscodeFolders(machine).flatMap((folder) =>
        [folder, ...foldersIn(join(folder, 'profiles'))].map((one) => join(one, 'mcp.json')),
      ),
    serversIn: under('servers'),
  },
  windsurf: {
    id: 'windsurf',
    label: 'Windsurf',
    signs: ({ home }) => [join(home, '.codeium', 'windsurf')],
    files: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    serversIn: MCP_SERVERS,
  },
  zed: {
    id: 'zed',
    label: 'Zed',
    signs: (machine) => [zedFolder(machine)],
    files: (machine) => [join(zedFolder(machine), 'settings.json')],
    serversIn: under('context_servers'),
  },
  opencode: {
    id: 'opencode',
    label: 'OpenCode',
    signs: (machine) => [join(configFolder(machine), 'opencode')],
    files: (machine) =>
      ['opencode.json', 'opencode.jsonc', 'config.json'].map((name) =>
        join(configFolder(machine), 'opencode', name),
      ),
    serversIn: ofOpenCode,
  },
};

/** Servers by their names in the object with this key. */
function under(...keys: readonly string[]): Program['serversIn'] {
  return (settings) => {
    const found = keys.reduce<JsonObject>((inner, key) => objectOf(inner[key]), settings);
    return Object.keys(found)
      .filter((name) => isJsonObject(found[name]))
      .map((name) => keys.concat(name));
  };
}

/** Claude Code keeps the servers that a user added for one project only in the user's own settings. */
function ofProjects(settings: JsonObject): readonly ServerKeys[] {
  return Object.keys(objectOf(settings['projects'])).flatMap((folder) =>
    under('projects', folder, 'mcpServers')(settings),
  );
}

/** OpenCode has servers in `mcp`, its second version in `mcp.servers`. */
function ofOpenCode(settings: JsonObject): readonly ServerKeys[] {
  const isServer = (keys: ServerKeys): boolean => {
    const { type, enabled } = keys.reduce<JsonObject>((inner, key) => objectOf(inner[key]), settings);
    return typeof type === 'string' || typeof enabled === 'boolean';
  };
  return [...under('mcp')(settings).filter(isServer), ...under('mcp', 'servers')(settings)];
}

function codexFolder({ home, env }: Machine): string {
  return given(env['CODEX_HOME']) ?? join(home, '.codex');
}

function copilotFolder({ home, env }: Machine): string {
  return given(env['COPILOT_HOME']) ?? join(home, '.copilot');
}

function zedFolder(machine: Machine): string {
  return machine.platform === 'win32'
    ? join(applicationFolder(machine), 'Zed')
    : join(configFolder(machine), 'zed');
}

function vscodeFolders(machine: Machine): readonly string[] {
  return ['Code', 'Code - Insiders', 'VSCodium'].map((name) =>
    join(applicationFolder(machine), name, 'User'),
  );
}

/** Where programs with windows keep their settings. */
function applicationFolder(machine: Machine): string {
  const { home, env, platform } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return given(env['APPDATA']) ?? join(home, 'AppData', 'Roaming');
  return configFolder(machine);
}

/** Where programs of the terminal keep their settings, on every system. */
function configFolder({ home, env }: Machine): string {
  return given(env['XDG_CONFIG_HOME']) ?? join(home, '.config');
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(folder, name))
      .toSorted();
  } catch {
    return [];
  }
}

function given(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
