import type { JsonObject } from '@proffer/core/json';

/** The agents that have hooks. */
export const AGENT_IDS = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'copilot-cli'] as const;
export type AgentId = (typeof AGENT_IDS)[number];

export function isAgentId(name: string): name is AgentId {
  return (AGENT_IDS as readonly string[]).includes(name);
}

/**
 * When an agent asks. `tool`: before each call, whatever its own rules say. `permission`: when it
 * would ask its user, or a second time about the same call.
 */
export type Stage = 'tool' | 'permission';

/** What a call does, if its tool is known. */
export type ToolEffect =
  /** A shell line, and the folder it runs in, if not the agent's; `null` if the agent does not tell. */
  | { readonly type: 'shell'; readonly line: string; readonly folder?: string | null }
  | {
      readonly type: 'files';
      readonly paths: readonly string[];
      readonly isReading: boolean;
      /** Patterns of the files that it reads. */
      readonly globs?: readonly FileGlob[];
      /** Whether the agent looks for a file elsewhere that is not where the path says. */
      readonly isSearched?: true;
      /** Why it may touch other files, too, as a clause. */
      readonly unclear?: string;
    }
  | { readonly type: 'web'; readonly urls: readonly string[] }
  /** Nothing outside the agent itself: a plan, a list of tasks. */
  | { readonly type: 'inner' }
  /** A question to the agent's own user, which no one else can answer. */
  | { readonly type: 'question' }
  | { readonly type: 'other' };

/** A pattern of files, and the folder that it begins in. */
export interface FileGlob {
  readonly folder: string;
  readonly pattern: string;
}

/** A tool of an MCP server, by the names that both have there. */
export interface McpTool {
  /** Absent if the agent does not name it at all. */
  readonly server?: string;
  readonly tool: string;
}

/** A call that an agent asks about, in one form for all agents. */
export interface HookCall {
  readonly agent: AgentId;
  /** The agent's name for the event, to answer in its format. */
  readonly event: string;
  readonly stage: Stage;
  /** The agent's version, if it says so. */
  readonly version?: string;
  readonly session?: string;
  /** The agent's id of the call, if it tells it: the same when it asks and when it reports. */
  readonly id?: string;
  /** The agent's working folder. */
  readonly folder: string;
  readonly tool: string;
  /** For a tool of an MCP server that is known. */
  readonly mcp?: McpTool;
  /** For a tool of an MCP server that is not known: every way in which its name can be taken apart. */
  readonly mayBe?: readonly McpTool[];
  readonly arguments: JsonObject;
  readonly effect: ToolEffect;
  /** Why, in the agent's own words. */
  readonly reason?: string;
  /** The agent says that it runs in a mode in which it asks its user about nothing. */
  readonly asksNobody?: true;
}

/** How a call ended, as its agent reports it (O-46). */
export type CallReport =
  | { readonly type: 'ok'; readonly note?: string }
  | { readonly type: 'failed'; readonly why: string }
  /** The agent did not run it. */
  | { readonly type: 'not run'; readonly why: string };
