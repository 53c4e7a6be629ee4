import { digestJson } from '@proffer/core';
import { isJsonObject, type JsonObject } from '@proffer/core/json';

/** A tool call that an agent would like to make. */
export interface AgentCall {
  readonly tool: string;
  /** The arguments, as the framework has them; what cannot be said in JSON is left out of what people see. */
  readonly arguments: unknown;
  /**
   * The framework's id of this call. Within a session it is the same after a restart, and another for every other
   * call.
   */
  readonly callId: string;
  /** Which conversation, run or thread it belongs to. Default the gate's session. */
  readonly session?: string;
  /** Why the agent wants it, in its own words; shown to the reviewer. */
  readonly reason?: string;
  /** Aborting withdraws the question; a call that has begun is not stopped by it. */
  readonly signal?: AbortSignal;
}

/** Begins the id of every proposal that a gate makes. */
const PREFIX = 'ask-';
const ALGORITHM = 'sha256:';
const DIGITS = 32;

/**
 * The id of the proposal for a call: the same for the same call of the same session, so that a restarted process finds
 * its own proposal instead of asking twice (O-3). Other arguments make another proposal: an approval never counts for
 * what was not shown.
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

/** Arguments as JSON, for a proposal; `undefined` if they cannot be said in JSON. */
export function jsonArguments(args: unknown): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(JSON.stringify(args ?? {}));
    return isJsonObject(value) ? value : { input: value as never };
  } catch {
    return undefined;
  }
}
