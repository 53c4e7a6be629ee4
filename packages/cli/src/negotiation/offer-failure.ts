import { MacpError } from '@proffer/client/negotiation';
import type { ProposalProjection, SessionProposalView } from '@proffer/core/negotiation';
import type { FailureWording } from './failures.js';

/** The message about an offer. */
export interface OfferRemark {
  /** As on the command line: `accept`, `counter`, … */
  readonly command: string;
  /** The offer it is about. */
  readonly offer: string;
  /** For a new offer: the one it counters, if any. */
  readonly isNew?: true;
  readonly counters?: string;
}

const FIELDS: ReadonlySet<unknown> = new Set(['payload.proposal_id', 'payload.supersedes_proposal_id']);

/**
 * Words the failure that an offer does not exist, is no longer live, or already exists: with the live offers and the
 * command for one of them. `undefined` for any other failure.
 *
 * @param command - the same command for other offers, with placeholders for the rest
 */
export function tellOffer(
  error: unknown,
  { offer, isNew, counters }: OfferRemark,
  projection: ProposalProjection,
  command: (offers: readonly string[], more?: string) => string,
): FailureWording {
  if (!(error instanceof MacpError) || !FIELDS.has(error.details['field'])) return {};
  const { proposals } = projection;
  const live = projection.liveProposals().map(({ proposalId }) => proposalId);
  if (isNew === true && proposals.has(offer)) {
    const free = freeId(proposals);
    const offers = counters === undefined ? [free] : [free, counters];
    return {
      message: `Offer ${offer} already exists. Each offer needs its own id; ${free} is free.`,
      next: [command(offers, '"…"')],
    };
  }
  const about = isNew === true ? counters : offer;
  if (about === undefined || live.includes(about)) return {};
  const [one] = live;
  const message = `${standing(about, proposals.get(about))} ${liveWords(live)}`;
  if (one === undefined) return { message };
  return { message, next: [isNew === true ? command([offer, one], '"…"') : command([one])] };
}

function standing(offer: string, found: SessionProposalView | undefined): string {
  if (found === undefined) return `There is no offer ${offer} in this session.`;
  return found.supersededBy === undefined
    ? `Offer ${offer} was withdrawn.`
    : `Offer ${offer} was countered by ${found.supersededBy}.`;
}

function liveWords(live: readonly string[]): string {
  if (live.length === 0) return 'There is no live offer; make one first.';
  return live.length === 1 ? `The live offer is ${live[0]}.` : `The live offers are ${live.join(', ')}.`;
}

/** The first of `p1`, `p2`, … that is unused. */
function freeId(proposals: ReadonlyMap<string, unknown>): string {
  let number = proposals.size + 1;
  while (proposals.has(`p${number}`)) number++;
  return `p${number}`;
}
