import { digestJson } from '@proffer/core';
import { isJsonObject, type JsonObject } from '@proffer/core/json';

/** A tool call that an agent would like to make. */
export interface AgentCall {
  readonly tool: string;
  /**
   * The arguments, as the framework has them; anything that JSON cannot represent is left out of what
   * people see.
   */
  readonly arguments: unknown;
  /**
   * The framework's id of this call. Stable across restarts within a session, and unique among its
   * calls.
   */
  readonly callId: string;
  /** The conversation, run or thread it belongs to. Default: the gate's session. */
  readonly session?: string;
  /** Why the agent wants it, in its own words; shown to the reviewer. */
  readonly reason?: string;
  /** Aborting withdraws the question; it does not stop a call that is already running. */
  readonly signal?: AbortSignal;
}

/** The prefix of every proposal id made by a gate. */
const PREFIX = 'ask-';
const ALGORITHM = 'sha256:';
const DIGITS = 32;

/**
 * The id of the proposal for a call: the same for the same call of the same session, so that a
 * restarted process finds its own proposal instead of asking twice (O-3). Different arguments make a
 * different proposal: an approval never counts for something that was not shown.
 */
export function proposalId(
  proposer: string,
  { tool, callId, session }: Pick<AgentCall, 'tool' | 'callId'> & { readonly session: string },
  args: JsonObject,
): string {
  const digest = digestJson({ proposer, session, callId, tool, arguments: args });
  return `${PREFIX}${digest.slice(ALGORITHM.length, ALGORITHM.length + DIGITS)}`;
}

/** Whether a proposal was made by a gate. */
export function isGateProposal(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Arguments as JSON, for a proposal; `undefined` if JSON cannot represent them. */
export function jsonArguments(args: unknown): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(JSON.stringify(args ?? {}));
    return isJsonObject(value) ? value : { input: value as never };
  } catch {
    return undefined;
  }
}
