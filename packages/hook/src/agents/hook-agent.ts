import { type JsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import type { HookOutput } from '../launch/index.js';
import type { AgentId, CallReport, HookCall } from './hook-call.js';
import type { McpNames } from './mcp-tool.js';
import type { AgentPlace, ServerFile } from './server-files.js';

/** The decision about a call, for the agent. */
export type AgentVerdict =
  | { readonly type: 'allow'; readonly by: string; readonly changed?: JsonObject }
  | { readonly type: 'deny'; readonly reason: string };

/** An unreadable event, and why. */
export interface Unreadable {
  readonly unreadable: string;
}

/** One entry of an agent's settings: an event, and what is called for it. */
export interface HookEntry {
  readonly event: string;
  /** The command line, or the address and token for HTTP. */
  readonly command?: string;
  readonly http?: { readonly url: string; readonly token: string };
  /** How long the agent waits for the hook, in seconds. */
  readonly timeout: number;
}

/** An agent with hooks: how it asks, how it is answered, where its hooks are configured. */
export interface HookAgent {
  readonly id: AgentId;
  /** The display name of the agent. */
  readonly label: string;
  /** The hooked events, the one before each call first. */
  readonly events: readonly string[];
  /** The events in which it reports how a call ended. */
  readonly reports: readonly string[];
  /** Whether it supports HTTP hooks. */
  readonly hasHttp: boolean;
  /** Interprets a parsed event. Unknown fields are ignored. */
  readonly readEvent: (event: JsonObject, named: string) => HookCall | Unreadable;
  /** Interprets an event of `reports`. */
  readonly readReport: (event: JsonObject, named: string, told: Pick<AgentTold, 'lastEntries'>) => CallReport;
  /** The agent's version from elsewhere, if the event does not contain it. */
  readonly version?: (event: JsonObject, told: AgentTold) => string | undefined;
  /** How it names the tools of MCP servers. */
  readonly mcpNames: McpNames;
  /** The files that it has the names of MCP servers in; none if its events name the server, or nothing does. */
  readonly serverFiles: (place: AgentPlace) => readonly ServerFile[];
  /** Whether it can run a call with replaced arguments. */
  readonly canChange: (call: HookCall, changed: JsonObject) => boolean;
  /** A verdict never contains a change that the agent cannot make. */
  readonly answer: (call: HookCall, verdict: AgentVerdict) => HookOutput;
  /** The file that configures its hooks: in the user's folder, or in a project. */
  readonly settings: {
    readonly user: (home: string, env: Readonly<Record<string, string | undefined>>) => string;
    readonly project: string;
    /**
     * The path suffixes of all files that it reads hooks from, settings that turn them off, or its own list of what it
     * may do; a folder means its contents.
     */
    readonly all: readonly string[];
  };
  /** The agent's settings with our entries replacing earlier ones. */
  readonly addEntries: (settings: JsonObject, entries: readonly HookEntry[]) => JsonObject;
  /** The agent's settings without our entries. */
  readonly removeEntries: (settings: JsonObject) => JsonObject;
  /** A sample event, for trying out a hook. */
  readonly sample: (folder: string, command: string) => JsonObject;
}

/** Where to find an agent's version if its events do not contain it. */
export interface AgentTold {
  /** The variables of `VERSION_VARIABLES` that the agent set for its hook command. */
  readonly env: Readonly<Record<string, string>>;
  /** The first and the last entries of a JSON Lines file; none if it cannot be read. */
  readonly firstEntries: (path: string) => readonly JsonObject[];
  readonly lastEntries: (path: string) => readonly JsonObject[];
}

/**
 * Claude Code has its version in the environment of its commands (`claude-code_2-1-197_…`), and in
 * its transcript.
 */
export function claudeVersion({ transcript_path: path }: JsonObject, told: AgentTold): string | undefined {
  const [, ...numbers] = /^claude-code_(\d+)-(\d+)-(\d+)(?:_|$)/.exec(told.env['AI_AGENT'] ?? '') ?? [];
  return numbers.length > 0 ? numbers.join('.') : inTranscript(path, told, ({ version }) => version);
}

/** Codex has its version in the first entry of its transcript. */
export function codexVersion({ transcript_path: path }: JsonObject, told: AgentTold): string | undefined {
  return inTranscript(path, told, ({ payload }) => objectOf(payload)['cli_version']);
}

export function copilotVersion(_event: JsonObject, { env }: AgentTold): string | undefined {
  return env['COPILOT_CLI_BINARY_VERSION'];
}

function inTranscript(
  path: JsonValue | undefined,
  { firstEntries }: AgentTold,
  pick: (entry: JsonObject) => JsonValue | undefined,
): string | undefined {
  if (typeof path !== 'string') return undefined;
  return firstEntries(path)
    .map(pick)
    .find((value) => typeof value === 'string');
}
