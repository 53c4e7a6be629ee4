import type { JsonObject } from '@proffer/core/json';

/** The agents that have hooks. */
export const AGENT_IDS = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'copilot-cli'] as const;
export type AgentId = (typeof AGENT_IDS)[number];

/**
 * When an agent asks. `tool`: before each call, whatever its own rules say. `permission`: when it would ask its user, or
 * once more about a call that it has asked about.
 */
export type Stage = 'tool' | 'permission';

/** What a call does, as far as its tool is known. */
export type Effect =
  /** A line, and the folder that it is run in, if not the agent's. */
  | { readonly type: 'shell'; readonly line: string; readonly folder?: string }
  | { readonly type: 'files'; readonly paths: readonly string[]; readonly isReading: boolean }
  | { readonly type: 'web'; readonly urls: readonly string[] }
  /** Nothing outside of the agent itself: a plan, a list of tasks. */
  | { readonly type: 'inner' }
  /** A question to the agent's own user, which no one else can answer. */
  | { readonly type: 'question' }
  | { readonly type: 'other' };

/** A call that an agent asks about, the same for every agent. */
export interface HookCall {
  readonly agent: AgentId;
  /** What the agent calls the event, to answer in its form. */
  readonly event: string;
  readonly stage: Stage;
  /** The agent's version, where it says so. */
  readonly version?: string;
  readonly session?: string;
  /** The folder that the agent works in. */
  readonly folder: string;
  readonly tool: string;
  /** The MCP server that has the tool, and what the tool is called there. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly arguments: JsonObject;
  readonly effect: Effect;
  /** Why, in the agent's own words. */
  readonly reason?: string;
}
