import { count } from '../text/words.js';
import type { SeenVerdict } from './verify-records.js';

/** How many problems are told. */
const LISTED = 3;

/** What verifying has shown, in words: what is in order or not, what could not be decided again, and why. */
export function describeVerdict(verdict: SeenVerdict): readonly string[] {
  const { records, streams, partial, decided, problems } = verdict;
  if (problems.length > 0) {
    const more = problems.length - LISTED;
    return [
      ...problems.slice(0, LISTED),
      ...(more > 0 ? [`And ${count(more, 'more problem')}.`] : []),
      ...describeOpen(verdict),
    ];
  }
  const seen = partial === 0 ? '' : ` ${count(partial, 'chain')} only partly visible to you.`;
  return [
    `Intact: ${count(records, 'record')} in ${count(streams, 'chain')}, none changed since it was sealed.${seen}`,
    ...(decided === 0
      ? []
      : [`Decided again: ${count(decided, 'record')} about proposals. Each follows from those before it.`]),
    ...describeOpen(verdict),
  ];
}

/** What nobody can conclude from what is visible here. */
function describeOpen({ decided, incomplete, unreadable }: SeenVerdict): readonly string[] {
  return [
    ...(incomplete === 0
      ? []
      : [
          `Not decided again: ${count(incomplete, 'record')} whose proposal is only partly visible to you, or was removed in part.`,
        ]),
    ...(unreadable === 0
      ? []
      : [
          `Not decided again: ${count(unreadable, 'record')} from a record on that this release cannot read.`,
        ]),
    ...(decided === 0
      ? []
      : [
          'Who was allowed to decide is not shown to participants, so it was not checked. The operator can, with proffer verify.',
        ]),
  ];
}
