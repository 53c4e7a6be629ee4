import type { OwnCallOutcome } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { type CallIds, type GatedCallFacts, qualifiedName } from '../asked/index.js';
import {
  type CallMemory,
  factsInArchive,
  leftBehind,
  leftBySiblings,
  outcomeInArchive,
} from '../recovery/index.js';
import { leftRounds } from '../rounds/index.js';
import type { PendingCallsOptions } from './pending-calls-options.js';

/** A call that an earlier run left behind. */
export interface AdoptedCall {
  readonly facts: GatedCallFacts;
  /** The outcome of the call; `undefined` while it waits for a decision. */
  readonly outcome: OwnCallOutcome | undefined;
  /** How long a repeated call joins it, in milliseconds. */
  readonly window: number;
  /** Whether a caller was promised that it waits until it expires. */
  readonly isPromised?: boolean;
  /** Whether the space must be told that the outcome of this later round is unknown. */
  readonly isUndeclared?: true;
}

/**
 * What an earlier run of this guard left behind: pending calls wait for their callers to return; a caller
 * that repeats a call whose outcome was not delivered learns that outcome.
 */
export async function* callsLeftBehind(
  options: PendingCallsOptions,
  memory: CallMemory,
  { isOwn }: CallIds,
): AsyncGenerator<AdoptedCall> {
  const { archive, participant, window, clock } = options;
  const { name: proposer, welcome } = participant;
  const about = { archive, proposer, isOwn, seq: welcome.seq, memory, window };
  for await (const { proposal, ...left } of leftBehind({ ...about, now: clock.now() }))
    yield promisedBy(memory, { facts: factsOf(proposal, options), ...left });
  for await (const { proposal, outcome, round } of leftRounds(about)) {
    const facts = { ...factsOf(proposal, options), round };
    const isDeclared = memory.has({ type: 'declared', id: facts.id, round });
    yield { facts, outcome, window, ...(isDeclared ? {} : { isUndeclared: true }) };
  }
}

function promisedBy(memory: CallMemory, call: AdoptedCall): AdoptedCall {
  return { ...call, isPromised: memory.has({ type: 'promised', id: call.facts.id }) };
}

/** Calls of other guards of the same server with an unknown outcome. */
export async function* callsOfSiblings(
  options: PendingCallsOptions,
  memory: CallMemory,
): AsyncGenerator<AdoptedCall> {
  const { archive, participant, server, identity, window, clock } = options;
  const about = { archive, proposer: participant.name, server, identity, memory };
  for await (const { facts, proposal } of leftBySiblings({ ...about, now: clock.now() })) {
    const outcome = outcomeInArchive({ proposal, messages: [] });
    if (outcome !== undefined) yield { facts, outcome, window };
  }
}

/** The facts of a proposal of this guard. */
export function factsOf(
  proposal: JsonObject,
  { participant, server, clock }: Pick<PendingCallsOptions, 'participant' | 'server' | 'clock'>,
): GatedCallFacts {
  return factsInArchive(proposal, qualifiedName(participant.name, server, ''), clock.now());
}
