import { EVERY_SPACE } from '@proffer/journal';
import {
  entryOfMessage,
  type HistoryEntry,
  type PastProposal,
  pastProposals,
} from '@proffer/steward/history';
import { usageFailure } from '../command-failure.js';
import type { HistoryOptions } from '../command-options.js';
import { connect } from '../connection/connect.js';
import { resolveEndpoint, sameOptions, withOneUrl } from '../connection/endpoint.js';
import { journalPlace, nameOfPlace } from '../journal/place.js';
import { readJournal } from '../journal/read-journal.js';
import { type Shell, shellWord } from '../terminal/shell.js';

/** Past proposals, oldest first. */
export async function readHistory(given: HistoryOptions, shell: Shell): Promise<readonly PastProposal[]> {
  const options = withOneUrl(given);
  if (options.data === undefined) return await historyOfGateway(options, shell);
  if (options.url !== undefined)
    throw usageFailure('--data and --url both say where to read; use only one of them.');
  const folder = await journalPlace({ data: options.data }, shell);
  const { value } = await readJournal(folder, async (journal) => {
    const entries: HistoryEntry[] = [];
    for await (const record of journal.feed(options.space ?? EVERY_SPACE, 0, { follow: false })) {
      if (/^[^/]+\/(?:proposal|participant)\//.test(record.stream)) {
        entries.push(record as unknown as HistoryEntry);
      }
    }
    return entries;
  });
  return pastProposals(value);
}

/** The options for reading the same history in the next command; starts with a space unless it is empty. */
export function historyPlace({ data, ...given }: HistoryOptions): string {
  if (data === undefined) return sameOptions({ given: withOneUrl(given) });
  const space = given.space === undefined ? '' : ` --space ${shellWord(given.space)}`;
  return ` --data ${shellWord(data)}${space}`;
}

/** Describes the history. */
export async function historyName(options: HistoryOptions, shell: Shell): Promise<string> {
  if (options.data !== undefined) {
    const folder = nameOfPlace(await journalPlace({ data: options.data }, shell));
    return options.space === undefined ? `all spaces in ${folder}` : `${options.space} in ${folder}`;
  }
  const { url, space } = resolveEndpoint(options, shell.env, 'reviewer');
  return `${space} at ${url}`;
}

async function historyOfGateway(options: HistoryOptions, shell: Shell): Promise<readonly PastProposal[]> {
  const connection = connect(options, shell, 'reviewer');
  const entries: HistoryEntry[] = [];
  let cursor = 0;
  for (;;) {
    const { messages, seq } = await connection.feed(cursor);
    for (const message of messages) {
      const entry = entryOfMessage(message);
      if (entry !== undefined) entries.push(entry);
    }
    if (messages.length === 0 || seq <= cursor) return pastProposals(entries);
    cursor = seq;
  }
}
