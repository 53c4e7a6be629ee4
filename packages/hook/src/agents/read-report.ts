import { isJsonObject, type JsonValue, objectOf, parseJson } from '@proffer/core/json';
import type { CallReport } from './hook-call.js';

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
