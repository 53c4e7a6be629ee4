import { encodeEnvelope } from '@proffer/core';
import {
  deliveredEnvelope,
  emptySpace,
  evolveSpace,
  type OperationRecord,
  proposalStream,
  spaceSettings,
  viewProposal,
} from '@proffer/core/operations';
import { type Journal, spaceOf } from '@proffer/journal';
import { isShortened } from '../display/short-ids.js';
import { meaningsOf, noSuchProposal, readTypedId } from '../proposals/find-proposal.js';
import type { LoggedMessage, ProposalStep, ProposalView } from '../proposals/proposal-view.js';
import { shellWord } from '../terminal/shell.js';
import { foldJournal, isOperation } from './fold.js';
import { type JournalPlace, nameOfPlace } from './place.js';
import { readJournal } from './read-journal.js';

/**
 * Every proposal of a space from a journal's folder, the oldest first, as a gateway would show it to someone who sees
 * everything. One that has expired since is still pending there: no gateway has recorded it.
 *
 * @throws CommandFailure for a journal that cannot be read
 */
export async function readProposals(folder: JournalPlace, space: string): Promise<readonly ProposalView[]> {
  const { spaces } = await foldJournal(folder, { space });
  const proposals = spaces.get(space)?.proposals.values() ?? [];
  return Array.from(proposals, (proposal) => viewProposal(proposal) as unknown as ProposalView);
}

/** Where in a journal to look, and the program's name as the user calls it. */
interface Place {
  readonly folder: JournalPlace;
  readonly space: string;
  readonly name: string;
}

/**
 * The life of a proposal from a journal's folder, as a gateway would show it to someone who sees everything.
 *
 * @param text - its id, or a prefix of it
 * @param isExact - it is a whole id
 * @throws CommandFailure for a journal that cannot be read, and a proposal that is not in it
 */
export async function readProposal(
  { folder, space, name }: Place,
  text: string,
  isExact = false,
): Promise<{ readonly proposal: ProposalView; readonly history: readonly ProposalStep[] }> {
  const { value } = await readJournal(folder, async (journal) => {
    const next = [`${name} replay --data ${shellWord(nameOfPlace(folder))}   # lists what is in it`];
    const id = await findProposalId(journal, text, { space, isExact, next });
    let state = emptySpace(spaceSettings({ name: space }));
    const history: ProposalStep[] = [];
    for await (const stored of journal.read(proposalStream(space, id), 1)) {
      const record = stored as unknown as OperationRecord;
      state = evolveSpace(state, record);
      history.push({
        type: stored.type,
        time: stored.time,
        facts: stored.facts ?? {},
        message: messageOf(record, stored.seq),
      });
    }
    const proposal = state.proposals.get(id);
    if (proposal === undefined) throw noSuchProposal(text, [], next);
    return { proposal: viewProposal(proposal) as unknown as ProposalView, history };
  });
  return value;
}

/**
 * The proposal in a journal that an id, or the beginning of one, means.
 *
 * @throws CommandFailure if there is none, or several
 */
export async function findProposalId(
  journal: Journal,
  text: string,
  {
    space,
    isExact,
    next,
  }: { readonly space: string; readonly isExact: boolean; readonly next: readonly string[] },
): Promise<string> {
  const typed = readTypedId(text);
  // A long id that exists is not searched for as a prefix: that would mean reading the whole journal.
  const isWhole = isShortened(text) && (await journal.head(proposalStream(space, text))).version > 0;
  const found =
    isExact || isWhole ? [text] : meaningsOf(typed, await findProposals(journal, space, typed.text));
  const [id] = found;
  if (id === undefined || found.length > 1) throw noSuchProposal(text, found, next);
  return id;
}

/** The messages of a space, from a journal's folder, in order, each with its `time`. */
export async function readMessages(
  { folder, space }: Pick<Place, 'folder' | 'space'>,
  after: number,
  each: (message: LoggedMessage) => void,
): Promise<void> {
  await readJournal(folder, async (journal) => {
    for await (const stored of journal.feed(space, after, { follow: false })) {
      if (!isOperation(stored.stream, spaceOf(stored.stream))) continue;
      each({ ...messageOf(stored as unknown as OperationRecord, stored.seq), time: stored.time });
    }
  });
}

/** Other programs write journals, too: a message that does not name its sender is its principal's. */
function messageOf(record: OperationRecord, seq: number): LoggedMessage {
  const { principal: from } = record;
  const message = encodeEnvelope(deliveredEnvelope(record), 'mcpx', { seq });
  return { from, ...message } as unknown as LoggedMessage;
}

async function findProposals(journal: Journal, space: string, beginning: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const stem = proposalStream(space, '');
  for await (const { stream } of journal.feed(space, 0, { follow: false })) {
    if (stream.startsWith(`${stem}${beginning}`)) found.add(stream.slice(stem.length));
  }
  return [...found];
}
