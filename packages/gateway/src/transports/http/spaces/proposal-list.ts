import { type Proposal, seesProposal } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../../../delivery/index.js';
import { type Guest, readProposal } from '../../../operations/index.js';
import { replyText } from '../reply.js';
import type { Call } from '../router.js';
import { fitsQuery, type ProposalQuery, readProposalQuery } from './proposal-query.js';

/** An answer ends with the proposal that brings it to this many characters (I-7). */
const PAGE_SIZE = 1_048_576;

/** Of a long history, an answer looks at so many records and reads so many streams again, at most (I-7). */
const MOST_RECORDS = 20_000;
const MOST_STREAMS = 2_000;

/** One page: proposals as JSON, and where the next one begins. */
interface Page {
  readonly proposals: readonly string[];
  readonly next?: string;
  /** How many more there are, where that is known. */
  readonly more?: number;
}

/**
 * `GET /spaces/{space}/proposals[?state=…][&proposer=…][&decidedBy=…][&limit=…][&after=…]`: all that the
 * journal holds, the oldest first, each as it is now. A page may be short, even empty: as long as there
 * is a `next`, there is more to ask for. What is pending comes from memory, with how many `more` there are.
 */
export async function listProposals(call: Call, guest: Guest, journal: Journal): Promise<void> {
  const read = readProposalQuery(call.query);
  if ('refused' in read) return call.refuse(read.refused);
  const { asked } = read;
  const page =
    asked.state === 'pending' ? listPending(guest, asked) : await listHistory(guest, asked, journal);
  const { proposals, ...rest } = page;
  // The texts are there already: making values of them again, to make text, would cost as much again.
  const others = Object.entries(rest).map(([key, value]) => `,"${key}":${JSON.stringify(value)}`);
  replyText(
    call.response,
    200,
    'application/json',
    `{"proposals":[${proposals.join()}]${others.join('')}}\n`,
  );
}

/** In the order of time, then id, so that a page begins after the last one whatever ended meanwhile. */
function listPending({ room: { host }, ...guest }: Guest, asked: ProposalQuery): Page {
  const [, time = '-1', id = ''] = /^(\d+):(.*)$/s.exec(asked.after ?? '') ?? [];
  const cursor = { proposedAt: Number(time), id };
  const pending: Proposal[] = [];
  for (const proposal of host.state.proposals.values()) {
    if (!fitsQuery(proposal, asked) || inOrder(proposal, cursor) <= 0) continue;
    if (seesProposal(proposal, guest, host.settings)) pending.push(proposal);
  }
  const proposals: string[] = [];
  let size = 0;
  let last: Proposal | undefined;
  for (const proposal of pending.sort(inOrder)) {
    if (proposals.length === asked.limit || size >= PAGE_SIZE) break;
    const text = JSON.stringify(host.view(proposal));
    size += text.length;
    proposals.push(text);
    last = proposal;
  }
  const more = pending.length - proposals.length;
  return { proposals, more, ...(more > 0 && last ? { next: `${last.proposedAt}:${last.id}` } : {}) };
}

type Place = Pick<Proposal, 'proposedAt' | 'id'>;

function inOrder(left: Place, right: Place): number {
  return left.proposedAt - right.proposedAt || (left.id < right.id ? -1 : Number(left.id > right.id));
}

async function listHistory(
  { room: { host }, ...guest }: Guest,
  asked: ProposalQuery,
  journal: Journal,
): Promise<Page> {
  const { settings } = host;
  const proposals: string[] = [];
  let size = 0;
  let records = 0;
  let streams = 0;
  for await (const stored of journal.feed(settings.name, Number(asked.after ?? 0), { follow: false })) {
    const record = stored as StoredOperation;
    records++;
    if (record.type === 'proposed' && mayFit(record.principal, asked)) {
      const { proposal: id } = record.facts;
      const known = host.state.proposals.get(id);
      if (known === undefined) streams++;
      const proposal = known ?? (await readProposal(journal, settings.name, id));
      if (
        typeof proposal === 'object' &&
        fitsQuery(proposal, asked) &&
        seesProposal(proposal, guest, settings)
      ) {
        const text = JSON.stringify(host.view(proposal));
        size += text.length;
        proposals.push(text);
      }
    }
    const isFull = proposals.length === asked.limit || size >= PAGE_SIZE;
    if (isFull || records === MOST_RECORDS || streams === MOST_STREAMS) {
      const isLast = stored.seq >= (await journal.lastSeq(settings.name));
      return { proposals, ...(isLast ? {} : { next: String(stored.seq) }) };
    }
  }
  return { proposals };
}

/** Who proposed it stands in the record: the stream of somebody else's need not be read. */
function mayFit(proposer: string, asked: ProposalQuery): boolean {
  return asked.proposer === undefined || asked.proposer === proposer;
}
