import type { JsonObject } from '@proffer/core/json';
import type { HookAnswer } from '../launch/index.js';
import type { AgentTold } from './agent-version.js';
import type { AgentId, HookCall } from './hook-call.js';

/** What was decided about a call, for the agent. */
export type Verdict =
  | { readonly type: 'allow'; readonly by: string; readonly changed?: JsonObject }
  | { readonly type: 'deny'; readonly reason: string };

/** An event that cannot be read, and why. */
export interface Unreadable {
  readonly unreadable: string;
}

/** One entry of an agent's settings: an event, and what is called for it. */
export interface HookEntry {
  readonly event: string;
  /** The command line, or where and with which token it is asked over HTTP. */
  readonly command?: string;
  readonly http?: { readonly url: string; readonly token: string };
  /** How long the agent waits for the hook, in seconds. */
  readonly timeout: number;
}

/** An agent with hooks: how it asks, how it is answered, where its hooks are set. */
export interface HookAgent {
  readonly id: AgentId;
  /** What people call it. */
  readonly label: string;
  /** The events that are hooked, the one before each call first. */
  readonly events: readonly string[];
  /** Whether it can ask over HTTP. */
  readonly hasHttp: boolean;
  /** Reads a parsed event. Unknown fields are ignored. */
  readonly readEvent: (event: JsonObject, named: string) => HookCall | Unreadable;
  /** Its version, where the event does not say so but something else does. */
  readonly version?: (event: JsonObject, told: AgentTold) => string | undefined;
  /** Whether it can run a call with other arguments than it asked about. */
  readonly canChange: (call: HookCall, changed: JsonObject) => boolean;
  /** A change that it cannot make is no part of a verdict. */
  readonly answer: (call: HookCall, verdict: Verdict) => HookAnswer;
  /** The file that its hooks are set in: in a folder of the user, or in a project. */
  readonly settings: {
    readonly user: (home: string, env: Readonly<Record<string, string | undefined>>) => string;
    readonly project: string;
    /**
     * The path suffixes of all files that it reads hooks from, or settings that turn them off; a folder means its
     * contents.
     */
    readonly all: readonly string[];
  };
  /** Its settings with our entries, in place of earlier ones. */
  readonly addEntries: (settings: JsonObject, entries: readonly HookEntry[]) => JsonObject;
  /** Its settings without our entries. */
  readonly removeEntries: (settings: JsonObject) => JsonObject;
  /** An event such as it sends, for a try. */
  readonly sample: (folder: string, command: string) => JsonObject;
}
