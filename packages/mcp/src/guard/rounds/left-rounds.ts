import type { JsonObject } from '@proffer/core';
import type { Outcome } from '../outcomes/index.js';
import { editInArchive, type LeftBehindOptions } from '../recovery/index.js';
import { roundsLeft } from './round-marks.js';

/** A later round of a call of an earlier run: the same call made again is told that its outcome is unknown. */
export interface LeftRound {
  readonly proposal: JsonObject;
  readonly outcome: Outcome;
  readonly round: number;
}

/** Later rounds that an earlier run began and nobody heard of. The history has only what came before them. */
export async function* leftRounds({
  archive,
  proposer,
  isOwn,
  delivered,
}: Pick<LeftBehindOptions, 'archive' | 'proposer' | 'isOwn' | 'delivered'>): AsyncGenerator<LeftRound> {
  for (const { id, round } of roundsLeft(delivered)) {
    const { proposal } = (isOwn(id) ? await archive.find(id) : undefined) ?? {};
    if (proposal === undefined || proposal['proposer'] !== proposer) continue;
    const why = 'whoever ran a later round of it went away without an answer';
    yield { proposal, outcome: { type: 'unknown', why, ...editInArchive(proposal) }, round };
  }
}
