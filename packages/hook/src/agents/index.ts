/** The agents, one file each: how it asks, how it is answered, where its hooks are configured. */

import { CLAUDE_CODE } from './claude-code.js';
import { CODEX } from './codex.js';
import { COPILOT_CLI } from './copilot-cli.js';
import { CURSOR } from './cursor.js';
import { GEMINI_CLI } from './gemini-cli.js';
import type { HookAgent } from './hook-agent.js';
import type { AgentId } from './hook-call.js';

export type { AgentTold, AgentVerdict, HookAgent, HookEntry, Unreadable } from './hook-agent.js';
export {
  AGENT_IDS,
  type AgentId,
  type CallReport,
  type FileGlob,
  type HookCall,
  isAgentId,
  type McpTool,
  type Stage,
  type ToolEffect,
} from './hook-call.js';
export { findMcpTool } from './mcp-tool.js';

export { PATCH_PROGRAMS, patchInLine } from './patch.js';
export { type AgentPlace, fileUpwards, foldersUpwards, type ServerFile } from './server-files.js';
export { ourEvents } from './settings-entries.js';
export { effectOf } from './tool-effects.js';

/** Every agent, by its name on the command line. */
export const AGENTS: Readonly<Record<AgentId, HookAgent>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  'gemini-cli': GEMINI_CLI,
  cursor: CURSOR,
  'copilot-cli': COPILOT_CLI,
};

/** The agent of a name; `undefined` if unknown. */
export function findAgent(name: string): HookAgent | undefined {
  return Object.hasOwn(AGENTS, name) ? AGENTS[name as AgentId] : undefined;
}
