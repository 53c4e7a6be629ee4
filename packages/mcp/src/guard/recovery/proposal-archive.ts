import { createHttpClient, type HttpClientOptions, RefusedError } from '@proffer/client/http';
import { type Edited, notRunIn, type OwnCallOutcome, outcomeOfAnswer } from '@proffer/client/own-calls';
import { type Change, defined, diffJson, type JsonObject, objectOf, objectsIn } from '@proffer/core/json';
import type { ProposalEnding } from '@proffer/core/operations';
import { describeCause, describeEnding, PLAIN } from '@proffer/core/words';
import { answerIn, objectAt, textAt } from '../../json-rpc.js';
import { lostInAnswer } from '../kept-result.js';

/** A gateway's address and the credentials. */
export type GatewayAccess = Pick<HttpClientOptions, 'url' | 'space' | 'token' | 'ca'>;

/** A proposal with its messages, oldest first. */
export interface ArchivedProposal {
  readonly proposal: JsonObject;
  readonly messages: readonly JsonObject[];
}

/** The gateway's memory of proposals, read over HTTP. */
export interface ProposalArchive {
  /**
   * All open proposals, however old: pending, running, or with an unknown outcome; and those that ended since
   * a time, if one is given. Each in its current state, oldest first.
   *
   * @param about - `since`: milliseconds since 1970; `proposer`: only proposals of this one
   */
  open(about: { readonly since?: number; readonly proposer?: string }): AsyncIterable<JsonObject>;
  /** `undefined` if there is no such proposal. */
  find(id: string): Promise<ArchivedProposal | undefined>;
}

/** Later than any end. */
const LATER = 999_999_999_999_999;

export function createProposalArchive(access: GatewayAccess): ProposalArchive {
  const client = createHttpClient(access);
  return {
    async *open({ since = LATER, proposer }) {
      const query = { since: String(since), ...defined({ proposer }) };
      // Page by page, so that only one has to be in memory.
      for await (const page of client.proposals(query)) yield* page;
    },
    async find(id) {
      try {
        const { proposal, history } = await client.proposal(id);
        return { proposal, messages: history.map(({ message }) => message) };
      } catch (error) {
        if (error instanceof RefusedError && error.code === 'unknown_proposal') return undefined;
        throw error;
      }
    },
  };
}

/**
 * The outcome of a proposal according to the gateway; `undefined` while it is pending. A running one has lost
 * its executor, since the guard that asks is not running it: its outcome is unknown (O-23).
 */
export function outcomeInArchive({ proposal, messages }: ArchivedProposal): OwnCallOutcome | undefined {
  const { phase } = proposal;
  const outcome = objectAt(proposal, 'outcome');
  const fulfilment = objectAt(proposal, 'fulfilment');
  if (phase === 'pending') return undefined;
  if (phase === 'expired') return { type: 'expired' };
  const rejections = Object.entries(objectAt(proposal, 'rejections')).map(([by, said]) =>
    rejectionOf(by, said),
  );
  const decision = objectAt(proposal, 'decision');
  // A guard withdraws what was rejected; a withdrawal for another reason is nobody's decision.
  const gaveUp = decision['decision'] === 'rejected';
  if (phase === 'declined' || gaveUp) return { type: 'rejected', rejections, ...whyIn(proposal) };
  if (phase === 'withdrawn') return { type: 'withdrawn', ...reasonIn(decision) };
  const request = fulfilment['request'];
  const response = messages.find(({ correlationId, kind }) => {
    return correlationId === request && typeof kind === 'string' && kind.startsWith('mcp.response');
  });
  const edited = editInArchive(proposal);
  if (phase !== 'settled' || response === undefined || outcome['result'] === 'unknown') {
    return { type: 'unknown', why: describeCause({ cause: 'executor_left' }, PLAIN), ...edited };
  }
  const answer = answerIn(objectAt(response, 'payload'));
  return notRunIn(answer) ?? lostInAnswer(answer, edited) ?? outcomeOfAnswer(answer, edited);
}

/** Why the gateway declined it; nothing if the guard gave up because of a rejection. */
function whyIn(proposal: JsonObject): { readonly why?: string } {
  const ending = objectAt(proposal, 'ending') as unknown as ProposalEnding;
  return ending.why === undefined || ending.why === 'rejected' ? {} : { why: describeEnding(ending, PLAIN) };
}

function rejectionOf(by: string, said: unknown) {
  const { reason, message } = objectOf(said);
  return {
    by,
    reason: typeof reason === 'string' ? reason : 'other',
    ...(typeof message === 'string' ? { message } : {}),
  };
}

function reasonIn({ reason }: JsonObject): { readonly reason?: string } {
  return typeof reason === 'string' ? { reason } : {};
}

const ARGUMENTS = '/arguments';

/** Who approved a proposal, and their changes to the arguments, as recorded by the gateway (O-13). */
export function editInArchive(proposal: JsonObject): Edited {
  const fulfilment = objectAt(proposal, 'fulfilment');
  const changes = objectsIn(fulfilment['amendment']);
  return { by: textAt(fulfilment, 'by'), edit: changes.flatMap(changesOfArguments) };
}

function changesOfArguments({ path, before, after }: JsonObject): readonly Change[] {
  // Too many changes are combined into one: everything changed.
  if (path === '')
    return diffJson(objectAt(objectOf(before), 'arguments'), objectAt(objectOf(after), 'arguments'));
  if (typeof path !== 'string' || (path !== ARGUMENTS && !path.startsWith(`${ARGUMENTS}/`))) return [];
  const change = { path: path.slice(ARGUMENTS.length) };
  return [{ ...change, ...defined({ before, after }) }];
}
