import type { OwnCallOutcome } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { objectAt, textAt } from '../../json-rpc.js';
import { outcomeInArchive } from './archived-outcome.js';
import type { CallMemory } from './kept-facts.js';
import { isRunning, wasApprovedAfter } from './left-running.js';
import type { ProposalArchive } from './proposal-archive.js';

/** A call of an earlier run that a repeated call should join. */
export interface LeftBehind {
  readonly proposal: JsonObject;
  /** The outcome of the call; `undefined` while it waits for a decision. */
  readonly outcome: OwnCallOutcome | undefined;
  /** How long it can be joined, in milliseconds. */
  readonly window: number;
}

export interface LeftBehindOptions {
  readonly archive: ProposalArchive;
  readonly proposer: string;
  /** Whether a proposal is for this server; those for another of the same name are left alone. */
  readonly isOwn: (id: string) => boolean;
  /** The space's `seq` when we entered: what was approved later is ours to run. */
  readonly seq: number;
  /** What guards of this server stored about their calls. */
  readonly memory: CallMemory;
  /** How long a call without a caller waits for one to return, in milliseconds. */
  readonly window: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The maximum number of results to look up, each with a request: those of the calls that ended last. */
const MAX_RESULTS = 500;

/**
 * What an earlier run for the same server left behind: pending calls, calls with an unknown outcome, and
 * calls that ended within the window. Not those whose outcome was delivered, since repeating them is a new
 * call, and not those that ended without a rejection (withdrawn, approved when nobody waited any more, or
 * changed into something that the rules deny), which can simply be made again.
 */
export async function* leftBehind(options: LeftBehindOptions): AsyncGenerator<LeftBehind> {
  const { archive, proposer, isOwn, seq, memory, window, now } = options;
  const settled: { readonly id: string; readonly window: number }[] = [];
  const others: JsonObject[] = [];
  for await (const proposal of archive.open({ since: now - window, proposer })) {
    const id = textAt(proposal, 'id');
    if (proposal['proposer'] !== proposer || !isOwn(id)) continue;
    const waits = proposal['phase'] === 'pending';
    // First, because of two equal calls, the waiting one is the one to join.
    if (waits || (isRunning(proposal) && (await wasApprovedAfter(seq, archive, id))))
      yield { proposal, outcome: undefined, window };
    else others.push(proposal);
  }
  for (const proposal of others) {
    const { phase, changedAt } = proposal;
    const id = textAt(proposal, 'id');
    const left = typeof changedAt === 'number' ? changedAt + window - now : 0;
    if (memory.has({ type: 'heard', id })) continue;
    else if (isUnknown(proposal)) yield { proposal, outcome: endOf(proposal), window };
    else if (left > 0 && phase === 'settled') settled.push({ id, window: left });
    else if (left > 0) yield* ended(proposal, left);
  }
  settled.sort((one, other) => other.window - one.window);
  for (const { id, window: left } of settled.slice(0, MAX_RESULTS)) {
    const found = await archive.find(id);
    const outcome = found === undefined ? undefined : outcomeInArchive(found);
    if (found !== undefined && outcome !== undefined && !isAskedAnew(outcome))
      yield { proposal: found.proposal, outcome, window: left };
  }
}

/** Whether the outcome of a proposal is unknown: it was declared so, or its executor has not answered. */
export function isUnknown(proposal: JsonObject): boolean {
  return isRunning(proposal) || objectAt(proposal, 'outcome')['result'] === 'unknown';
}

function endOf(proposal: JsonObject): OwnCallOutcome | undefined {
  return outcomeInArchive({ proposal, messages: [] });
}

function* ended(proposal: JsonObject, window: number): Generator<LeftBehind> {
  const outcome = endOf(proposal);
  if (outcome === undefined || !isAskedAnew(outcome)) yield { proposal, outcome, window };
}

/**
 * Calls that did not run although nobody rejected them as they were made. And what the server asked for
 * (2026-07-28) was lost with its process.
 */
function isAskedAnew(outcome: OwnCallOutcome): boolean {
  if (outcome.type === 'ran') return outcome.result['resultType'] === 'input_required';
  return outcome.type === 'withdrawn' || outcome.type === 'denied';
}
