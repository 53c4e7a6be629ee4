import type { Decision } from '../../decision.js';
import type { Envelope } from '../../envelope/envelope.js';
import { parseKind } from '../../envelope/kind.js';
import { quote } from '../../json/describe.js';
import { objectOf } from '../../json/fields.js';
import { isJsonObject, type JsonObject } from '../../json/json.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ProposalContext } from '../context.js';
import type { ProposalRecord } from '../records.js';
import { refuseUnknownProposal } from './decide-remark.js';
import { fingerprint } from './fingerprint.js';
import type { Fulfilment, Proposal } from './proposal.js';

/**
 * The response to a fulfilment: it settles the proposal and reaches fulfiller and proposer whatever
 * its `to` says (O-14). Only the executor may give it. A second one is late; one after the outcome
 * was declared unknown is welcome, since it makes it known (O-23). The executor may also report that
 * it cannot know ({@link reportsUnknownOutcome}).
 */
export function decideAnswer(
  proposal: Proposal | undefined,
  envelope: Envelope,
  { now, settings }: Pick<ProposalContext, 'now' | 'settings'>,
): Decision<ProposalRecord> {
  if (proposal?.fulfilment === undefined) return { refused: refuseUnknownProposal(envelope) };
  const { fulfilment, outcome } = proposal;
  if (!mayAnswer(proposal, fulfilment, envelope.from)) {
    const who = fulfilment.executor === undefined ? fulfilment.to : [fulfilment.executor];
    const sentence = `${quote(envelope.from)} was not asked to run ${quote(fulfilment.request)}.`;
    // With restricted visibility, not everyone may know who runs it (O-43).
    const executors = settings.visibility === 'all' ? { executors: who } : {};
    return { refused: refuse('not_executor', sentence, { request: fulfilment.request, ...executors }) };
  }
  const isLost = reportsUnknownOutcome(envelope.payload);
  if (outcome !== undefined && (outcome.result !== 'unknown' || isLost)) return { unchanged: 'late' };
  const mismatch = checkKind(envelope.kind, proposal);
  if (mismatch !== undefined) return { refused: mismatch };
  const record: ProposalRecord = {
    type: 'answered',
    time: now,
    principal: envelope.from,
    envelope,
    facts: {
      proposal: proposal.id,
      fingerprint: fingerprint(envelope),
      audience: fulfilment.by === proposal.proposer ? [fulfilment.by] : [fulfilment.by, proposal.proposer],
      outcome: isLost ? 'unknown' : isError(envelope) ? 'error' : 'ok',
      ...(reportsNotRun(envelope.payload) ? { notRun: true } : {}),
      method: proposal.method,
    },
  };
  return { records: [record] };
}

/**
 * True for a response in which the executor reports that it cannot know how the operation ended: a
 * JSON-RPC error with `{ "outcome": "unknown" }` as its data. The process that ran it died in the
 * meantime.
 */
export function reportsUnknownOutcome({ error }: JsonObject): boolean {
  const data = objectOf(error)['data'];
  return isJsonObject(data) && data['outcome'] === 'unknown';
}

/** The key in an error's data by which an executor says that it ran nothing. */
export const NOT_RUN_KEY = 'proffer/notRun';

/** True for a response in which the executor reports that it ran nothing: nobody waited for it any more, for example. */
export function reportsNotRun({ error }: JsonObject): boolean {
  return isJsonObject(objectOf(objectOf(error)['data'])[NOT_RUN_KEY]);
}

/** Without a single executor, the addressees, or anyone if there were none; never the proposer. */
function mayAnswer({ proposer }: Proposal, { executor, to }: Fulfilment, who: string): boolean {
  if (executor !== undefined) return who === executor;
  return who !== proposer && (to.length === 0 || to.includes(who));
}

/** The refusal of a response that claims to answer a different method; it may also leave the method out. */
function checkKind(kind: string, { method, subject }: Proposal): Refusal | undefined {
  const answered = parseKind(kind);
  const sameMethod = answered?.method === undefined || answered.method === method;
  const sameSubject = answered?.context === undefined || answered.context === subject?.name;
  if (sameMethod && sameSubject) return undefined;
  const expected = `mcp.response.${method}`;
  return refuse('kind_mismatch', `${quote(kind)} does not answer ${quote(method)}.`, {
    field: 'kind',
    found: kind,
    expected,
  });
}

/** A JSON-RPC error, or a tool result with `isError`. */
function isError({ payload }: Envelope): boolean {
  const { error, result } = payload;
  if (error !== undefined) return true;
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}
