import { isProposalRecord, type Proposal, seesProposal } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../../../delivery/index.js';
import { readProposal, type SpaceCaller } from '../../../operations/index.js';
import { replyText } from '../reply.js';
import type { HttpCall } from '../router.js';
import { fitsQuery, type ProposalListQuery, readProposalQuery } from './proposal-query.js';

/** An answer ends with the proposal that brings it to this many characters (I-7). */
const PAGE_SIZE = 1_048_576;

/**
 * For a long history, the maximum number of records that an answer examines and of streams that it reads
 * again (I-7).
 */
const MAX_RECORDS = 20_000;
const MAX_STREAMS = 2_000;
/** How many records at the end of the journal are examined first for recently ended proposals. */
const FEW = 64;

/** One page: proposals as JSON, and where the next one begins. */
interface Page {
  readonly proposals: readonly string[];
  readonly next?: string;
  /** How many more there are, if known. */
  readonly more?: number;
}

/** Where the list is taken from. */
interface Sources {
  readonly journal: Journal;
  readonly clock: () => number;
}

/**
 * `GET /spaces/{space}/proposals[?state=…][&proposer=…][&decidedBy=…][&since=…][&limit=…][&after=…]`: all that the
 * journal holds, the oldest first, each as it is now. A page may be short, even empty: as long as there
 * is a `next`, there is more to ask for. What is pending comes from memory, with how many `more` there are.
 * With `since`, what is not over comes from memory, and what ended since then from the end of the journal, as far as that is
 * among the last {@link MAX_RECORDS} records. There, the same may come on two pages.
 */
export async function listProposals(call: HttpCall, caller: SpaceCaller, sources: Sources): Promise<void> {
  const read = readProposalQuery(call.query);
  if ('refused' in read) return call.refuse(read.refused);
  const { asked } = read;
  const page = await listPage(caller, asked, sources);
  const { proposals, ...rest } = page;
  // The texts already exist: parsing them just to serialise them again would double the cost.
  const others = Object.entries(rest).map(([key, value]) => `,"${key}":${JSON.stringify(value)}`);
  replyText(
    call.response,
    200,
    'application/json',
    `{"proposals":[${proposals.join()}]${others.join('')}}\n`,
  );
}

async function listPage(
  caller: SpaceCaller,
  asked: ProposalListQuery,
  { journal, clock }: Sources,
): Promise<Page> {
  const { state, since, after } = asked;
  if (state === 'pending') return listInMemory(caller, asked);
  if (since === undefined || (after !== undefined && !after.includes(':')))
    return await listHistory(caller, asked, journal);
  const { proposals, next } = listInMemory(caller, asked);
  if (next !== undefined) return { proposals, next };
  const seq =
    since > clock() ? undefined : await seqBefore(since, journal, caller.liveSpace.host.settings.name);
  return { proposals, ...(seq === undefined ? {} : { next: String(seq) }) };
}

/** A `seq` before everything accepted since a time; the last few records are enough for a recent one. */
async function seqBefore(since: number, journal: Journal, space: string): Promise<number | undefined> {
  const last = await journal.lastSeq(space);
  for (let back = FEW; ; back *= 4) {
    const seq = Math.max(0, last - Math.min(back, MAX_RECORDS));
    if (seq === 0 || back >= MAX_RECORDS) return last === 0 ? undefined : seq;
    for await (const { time } of journal.feed(space, seq, { follow: false })) {
      if (time < since) return seq;
      break;
    }
  }
}

/** Ordered by time, then id, so that a page begins after the last one whatever ended meanwhile. */
function listInMemory({ liveSpace: { host }, ...caller }: SpaceCaller, asked: ProposalListQuery): Page {
  const [, time = '-1', id = ''] = /^(\d+):(.*)$/s.exec(asked.after ?? '') ?? [];
  const cursor = { proposedAt: Number(time), id };
  const found: Proposal[] = [];
  for (const proposal of host.state.proposals.values()) {
    if (!fitsQuery(proposal, asked) || inOrder(proposal, cursor) <= 0) continue;
    if (seesProposal(proposal, caller, host.settings)) found.push(proposal);
  }
  const proposals: string[] = [];
  let size = 0;
  let last: Proposal | undefined;
  for (const proposal of found.sort(inOrder)) {
    if (proposals.length === asked.limit || size >= PAGE_SIZE) break;
    const text = JSON.stringify(host.view(proposal));
    size += text.length;
    proposals.push(text);
    last = proposal;
  }
  const more = found.length - proposals.length;
  return { proposals, more, ...(more > 0 && last ? { next: `${last.proposedAt}:${last.id}` } : {}) };
}

type Place = Pick<Proposal, 'proposedAt' | 'id'>;

function inOrder(left: Place, right: Place): number {
  return left.proposedAt - right.proposedAt || (left.id < right.id ? -1 : Number(left.id > right.id));
}

async function listHistory(
  { liveSpace: { host }, ...caller }: SpaceCaller,
  asked: ProposalListQuery,
  journal: Journal,
): Promise<Page> {
  const { settings } = host;
  const proposals: string[] = [];
  let size = 0;
  let records = 0;
  let streams = 0;
  const listed = new Set<string>();
  for await (const stored of journal.feed(settings.name, Number(asked.after ?? 0), { follow: false })) {
    const record = stored as StoredOperation;
    records++;
    const id = listedBy(record, asked);
    if (id !== undefined && !listed.has(id)) {
      listed.add(id);
      const known = host.state.proposals.get(id);
      if (known === undefined) streams++;
      const proposal = known ?? (await readProposal(journal, settings.name, id));
      // Proposals in memory were listed before.
      const isThere = known !== undefined && asked.since !== undefined;
      if (
        !isThere &&
        typeof proposal === 'object' &&
        fitsQuery(proposal, asked) &&
        seesProposal(proposal, caller, settings)
      ) {
        const text = JSON.stringify(host.view(proposal));
        size += text.length;
        proposals.push(text);
      }
    }
    const isFull = proposals.length === asked.limit || size >= PAGE_SIZE;
    if (isFull || records === MAX_RECORDS || streams === MAX_STREAMS) {
      const isLast = stored.seq >= (await journal.lastSeq(settings.name));
      return { proposals, ...(isLast ? {} : { next: String(stored.seq) }) };
    }
  }
  return { proposals };
}

/**
 * The proposal that is listed at a record: where it was proposed, or, if only changes since a time are
 * wanted, where it changed. The record names the proposer: streams of other proposers need not be read.
 */
function listedBy(record: StoredOperation, { proposer, since }: ProposalListQuery): string | undefined {
  if (!isProposalRecord(record)) return undefined;
  const { type, time, principal, facts } = record;
  if (since === undefined ? type !== 'proposed' : time < since) return undefined;
  return type === 'proposed' && proposer !== undefined && proposer !== principal ? undefined : facts.proposal;
}
