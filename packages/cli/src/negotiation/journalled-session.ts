import {
  isSessionId,
  NEGOTIATION_SPACE,
  type SessionRecord,
  sessionOfStream,
  sessionStream,
} from '@proffer/core/negotiation';
import type { Journal } from '@proffer/journal';
import type { JournalPlace } from '../journal/place.js';
import { readJournal } from '../journal/read-journal.js';
import { noSuchSession } from './failures.js';

/**
 * The records of a session in a journal's folder, with or without its gateway.
 *
 * @param text - the id of the session, or a prefix of it
 * @throws CommandFailure for a journal that cannot be read, and a session that is not in it
 */
export async function readJournalledSession(
  folder: JournalPlace,
  text: string,
  name: string,
): Promise<readonly SessionRecord[]> {
  const { value } = await readJournal(folder, async (journal) => {
    const found = isSessionId(text) ? [text] : await findSessions(journal, text);
    const [id = text] = found;
    if (found.length > 1) throw noSuchSession(text, found, `${name} negotiate list --all`);
    const records: SessionRecord[] = [];
    for await (const record of journal.read(sessionStream(id), 1))
      records.push(record as unknown as SessionRecord);
    if (records.length === 0) throw noSuchSession(text, [], `${name} negotiate list --all`);
    return records;
  });
  return value;
}

async function findSessions(journal: Journal, beginning: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const { stream } of journal.feed(NEGOTIATION_SPACE, 0, { follow: false })) {
    const id = sessionOfStream(stream);
    if (id?.startsWith(beginning) === true) found.add(id);
  }
  return [...found];
}
