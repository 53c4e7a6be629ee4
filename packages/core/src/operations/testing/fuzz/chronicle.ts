import { isProposalRecord, type OperationRecord } from '../../records.js';
import { type Call, callIn } from './call.js';

/** An offer: a proposal, or a counter-offer to one. */
export interface Offered {
  readonly id: string;
  readonly proposal: string;
  readonly by: string;
  readonly call: Call;
}

/** What senders of messages know: what they could have read in the space. */
export interface Chronicle {
  readonly proposals: Offered[];
  readonly counters: Offered[];
  /** Requests that run something, and who runs it. */
  readonly running: { readonly id: string; readonly executor: string }[];
  readonly grants: { readonly id: string; readonly granter: string; readonly to: string }[];
  /** Those who have someone's part. */
  readonly delegates: string[];
  /** How many records there are about each proposal. */
  readonly versions: Map<string, number>;
}

export function createChronicle(): Chronicle {
  return { proposals: [], counters: [], running: [], grants: [], delegates: [], versions: new Map() };
}

export function note(chronicle: Chronicle, record: OperationRecord): void {
  const { envelope, principal: by } = record;
  if (record.type === 'granted')
    chronicle.grants.push({ id: envelope.id, granter: by, to: record.facts.participant });
  if ((record.type === 'delegated' || record.type === 'review_delegated') && record.facts.to !== undefined)
    chronicle.delegates.push(record.facts.to);
  if (!isProposalRecord(record)) return;
  const { proposal } = record.facts;
  chronicle.versions.set(proposal, (chronicle.versions.get(proposal) ?? 0) + 1);
  switch (record.type) {
    case 'proposed':
      chronicle.proposals.push({ id: proposal, proposal, by, call: callIn(envelope.payload['params']) });
      break;
    case 'countered':
      chronicle.counters.push({ id: envelope.id, proposal, by, call: callIn(envelope.payload['params']) });
      break;
    case 'fulfilled':
      chronicle.running.push({ id: envelope.id, executor: record.facts.executor ?? 'tools' });
      break;
    default:
  }
}
