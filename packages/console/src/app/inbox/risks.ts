import type { Proposal } from '@proffer/core/operations';
import type { Risk } from '@proffer/core/words';
import { assessRisk } from '../card/risk.js';
import type { Space } from '../space/space.js';
import { type Served, serversOf } from '../space/tools.js';

const ORDER: readonly Risk['level'][] = ['low', 'some', 'high'];

/** The highest of some risks. */
export function highestOf(risks: readonly Risk[]): Risk | undefined {
  return risks.reduce<Risk | undefined>(
    (highest, risk) =>
      highest === undefined || ORDER.indexOf(risk.level) > ORDER.indexOf(highest.level) ? risk : highest,
    undefined,
  );
}

/**
 * The risk of proposals in a list, in the words of their cards. Until a card is opened, nobody asks who would run it: if
 * several serve it, the highest risk counts. What is new about a call is left to the card.
 */
export function riskReader({ participant }: Pick<Space, 'participant'>): (proposal: Proposal) => Risk {
  const known = new WeakMap<Proposal, Risk>();
  const servers = new Map<string, readonly Served[]>();
  return (proposal) => {
    const before = known.get(proposal);
    if (before !== undefined) return before;
    const { subject, executor } = proposal;
    const key = `${subject?.list} ${subject?.name}`;
    const all = servers.get(key) ?? serversOf(proposal, participant);
    servers.set(key, all);
    const could = executor === undefined ? all : all.filter(({ by }) => by === executor);
    const risks = could.map((served) => assessRisk(proposal, { served, past: undefined }));
    const risk = highestOf(risks) ?? assessRisk(proposal, { served: undefined, past: undefined });
    known.set(proposal, risk);
    return risk;
  };
}
