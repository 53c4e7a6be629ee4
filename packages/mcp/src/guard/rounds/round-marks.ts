import type { GatedCallFacts } from '../asked/index.js';

/** A later round of a call. */
export type LaterRound = Pick<GatedCallFacts, 'id'> & { readonly round: number };

/** Whether it is a later round of a call. */
export function isLaterRound<Facts extends Pick<GatedCallFacts, 'id' | 'round'>>(
  facts: Facts,
): facts is Facts & LaterRound {
  return facts.round !== undefined;
}

/** What is kept of a round before the server is asked to run it. */
export function markOfBeginning({ id, round }: LaterRound): string {
  return `${id}#${round}`;
}

/** What is kept of a call or a round when somebody has got its outcome. */
export function markOfDelivery({ id, round }: Pick<GatedCallFacts, 'id' | 'round'>): string {
  return round === undefined ? id : `${id}#${round} told`;
}

/** What is kept when the space was told that nobody can say how a round ended. */
export function markOfNotice(round: LaterRound): string {
  return `${markOfBeginning(round)} unknown`;
}

/**
 * Rounds that an earlier run began without anybody having heard how they ended: so nobody can say (O-23).
 *
 * @param kept - the marks that were kept, the oldest first
 * @returns the last round of each call, at most a hundred calls, the last ones
 */
export function roundsLeft(kept: ReadonlySet<string>): readonly LaterRound[] {
  const left = new Map<string, LaterRound>();
  for (const mark of kept) {
    const [, id, digits] = /^(.+)#(\d+)$/.exec(mark) ?? [];
    if (id === undefined) continue;
    const round = { id, round: Number(digits) };
    if (!kept.has(markOfDelivery(round))) left.set(id, round);
  }
  return [...left.values()].slice(-MOST);
}

/** Each is looked up with a request. */
const MOST = 100;
