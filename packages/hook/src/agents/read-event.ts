import { isJsonObject, type JsonObject, type JsonValue, objectOf, parseJson } from '@proffer/core/json';
import { isPermission } from '../launch/index.js';
import type { HookAgent, Unreadable } from './hook-agent.js';
import type { AgentId, CallReport, HookCall, McpTool, Stage } from './hook-call.js';
import { type FoundTool, findMcpTool, type McpNames } from './mcp-tool.js';
import { effectOf } from './tool-effects.js';

/** What an agent's reader found in an event. */
export interface FoundCall {
  readonly agent: AgentId;
  readonly event: string;
  readonly stage: Stage;
  readonly session?: JsonValue | undefined;
  readonly id?: JsonValue | undefined;
  readonly folder?: JsonValue | undefined;
  readonly version?: JsonValue | undefined;
  readonly tool: JsonValue | undefined;
  readonly input: JsonValue | undefined;
  readonly reason?: JsonValue | undefined;
  /** The mode that the agent runs in. */
  readonly mode?: JsonValue | undefined;
  /** How the agent names the tools of MCP servers. */
  readonly names?: McpNames;
  /** The tool of an MCP server, if the event names both. */
  readonly mcp?: McpTool | undefined;
}

const LONGEST_NAME = 200;
const LONGEST_REASON = 1_000;

/** A call from what was found; unreadable if a decisive field is missing or malformed. */
export function callFrom(found: FoundCall): HookCall | Unreadable {
  const { agent, event, stage, tool, input } = found;
  if (typeof tool !== 'string' || tool === '' || tool.length > LONGEST_NAME || /\p{C}/u.test(tool))
    return { unreadable: 'The name of the tool is missing, too long or unreadable.' };
  const given = typeof input === 'string' ? parsedObject(input) : input;
  if (!isJsonObject(given)) return { unreadable: 'The arguments of the tool are not an object.' };
  const { mcp, mayBe } = mcpToolIn(found, tool);
  const reason = textOf(found.reason ?? given['description'], LONGEST_REASON);
  return {
    agent,
    event,
    stage,
    folder: textOf(found.folder, 4_096)?.replace(/(?<=.)\/+$/, '') ?? '/',
    tool,
    arguments: given,
    effect: mcp === undefined ? effectOf({ agent, tool, arguments: given }) : { type: 'other' },
    ...field('session', textOf(found.session, LONGEST_NAME)),
    ...field('id', textOf(found.id, LONGEST_NAME)),
    ...field('version', textOf(found.version, LONGEST_NAME)),
    ...field('reason', reason),
    ...field('asksNobody', asksNobody(found.mode)),
    ...field('mcp', mcp),
    ...field('mayBe', mayBe),
  };
}

/** The modes in which an agent asks its user about commands. Every other one that it names may ask about nothing. */
const ASKING_MODES: ReadonlySet<JsonValue> = new Set(['default', 'acceptEdits', 'plan']);

function asksNobody(mode: JsonValue | undefined): true | undefined {
  return mode === undefined || ASKING_MODES.has(mode) ? undefined : true;
}

function parsedObject(text: string): JsonValue | undefined {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
}

function mcpToolIn({ mcp, names }: FoundCall, tool: string): FoundTool {
  if (mcp !== undefined) return { mcp };
  return names === undefined ? {} : findMcpTool(tool, names, []);
}

function textOf(value: JsonValue | undefined, longest: number): string | undefined {
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  return value.slice(0, longest).toWellFormed();
}

function field<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: Value });
}

/** For an agent that runs replaced arguments: what the model should know. */
export function changedNote(by: string, changed: JsonObject): string {
  return `${by} changed this call while approving it. It runs with these arguments: ${JSON.stringify(changed)}`;
}

/** Reads an event that names itself in `hook_event_name`, as those of Claude Code and Codex do. */
export function readNamedEvent(agent: AgentId, names: McpNames): HookAgent['readEvent'] {
  return (event, named) => {
    const name = typeof event['hook_event_name'] === 'string' ? event['hook_event_name'] : named;
    return callFrom({
      agent,
      event: name,
      stage: isPermission(name) ? 'permission' : 'tool',
      session: event['session_id'],
      id: event['tool_use_id'],
      folder: event['cwd'],
      tool: event['tool_name'],
      input: event['tool_input'],
      mode: event['permission_mode'],
      names,
    });
  };
}

/** How much of an agent's message is kept, in characters. Outputs stay with the agent. */
const LONGEST = 200;

export const OK: CallReport = { type: 'ok' };

/** A failure, with the first line of what the agent says about it. */
export function failed(said: JsonValue | undefined): CallReport {
  return { type: 'failed', why: firstLine(said) };
}

export function notRun(said: JsonValue | undefined): CallReport {
  return { type: 'not run', why: firstLine(said) };
}

/** A failure unless the exit code is 0. */
export function exited(code: number | string): CallReport {
  return Number(code) === 0 ? OK : failed(`Exit code ${code}`);
}

/** What the result of a tool says in the usual fields of MCP and of agents. */
export function readResult(result: JsonValue | undefined): CallReport {
  const { isError, is_error, error, interrupted, exitCode, exit_code } = objectOf(inJson(result));
  const code = exitCode ?? exit_code;
  if (typeof code === 'number' && code !== 0) return exited(code);
  if (interrupted === true) return failed('It was interrupted.');
  if (isJsonObject(error)) return failed(error['message']);
  if (typeof error === 'string' && error !== '') return failed(error);
  return isError === true || is_error === true ? failed('The tool reported an error.') : OK;
}

/** Some agents pass results as JSON text. */
function inJson(result: JsonValue | undefined): JsonValue | undefined {
  if (typeof result !== 'string') return result;
  const parsed = parseJson(result);
  return parsed.ok ? parsed.value : undefined;
}

function firstLine(said: JsonValue | undefined): string {
  const [line = ''] = typeof said === 'string' ? said.trim().split(/\r?\n/, 1) : [];
  const text = line.toWellFormed();
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
