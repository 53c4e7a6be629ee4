import type { OwnCallOutcome } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { editInArchive, type LeftBehindOptions } from '../recovery/index.js';

/** A later round of a call of an earlier run: a repeated call is told that its outcome is unknown. */
export interface LeftRound {
  readonly proposal: JsonObject;
  readonly outcome: OwnCallOutcome;
  readonly round: number;
}

/** Each is looked up with a request. */
const MAX_COUNT = 100;

/**
 * Later rounds that an earlier run started and that were not delivered. The history has only what came before
 * them.
 */
export async function* leftRounds({
  archive,
  proposer,
  isOwn,
  memory,
}: Pick<LeftBehindOptions, 'archive' | 'proposer' | 'isOwn' | 'memory'>): AsyncGenerator<LeftRound> {
  for (const { id, round } of memory.unheardRounds.slice(-MAX_COUNT)) {
    const { proposal } = (isOwn(id) ? await archive.find(id) : undefined) ?? {};
    if (proposal === undefined || proposal['proposer'] !== proposer) continue;
    const why = 'the executor of a later round went away without an answer';
    yield { proposal, outcome: { type: 'unknown', why, ...editInArchive(proposal) }, round };
  }
}
