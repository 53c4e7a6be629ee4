import { mayBeRemoved, streamsAwaitedBy } from '@proffer/core';
import { sessionOfStream } from '@proffer/core/negotiation';
import { count } from '@proffer/core/words';
import { completeTree } from '@proffer/evidence';
import { treeHashes } from '@proffer/evidence/node';
import { EVERY_SPACE, folderOf, type Journal, noFileAccess, openLocalJournal } from '@proffer/journal';
import { CommandFailure, EXIT, usageFailure } from '../../command-failure.js';
import type { DataOptions } from '../../command-options.js';
import { journalFailure, reportCutOff } from '../../journal/damaged.js';
import { journalPlace, nameOfPlace } from '../../journal/place.js';
import { openShared, readJournal } from '../../journal/read-journal.js';
import { printJson, type Shell, shellWord } from '../../terminal/shell.js';
import { formatMoment } from '../../terminal/visible.js';

/** Command-line options of `compact`. */
export interface CompactFlags extends DataOptions {
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

const HOUR = 3_600_000;

/**
 * Removes what ended long ago from a journal that is shared, or that no process has open; or reports what it
 * would remove.
 */
export async function compact(options: CompactFlags, shell: Shell): Promise<void> {
  const { olderThan, dryRun = false } = options;
  if (olderThan < HOUR) {
    throw usageFailure('--older-than must be at least 1h, so that resent messages are still recognised.', [
      `${shell.name} compact --older-than 1h`,
    ]);
  }
  const place = await journalPlace(options, shell);
  const name = nameOfPlace(place);
  const folder = folderOf(place);
  const before = shell.now() - olderThan;
  const removed = dryRun
    ? (await readJournal(place, (read) => countRemovable(read, before))).value
    : folder === undefined
      ? await removeAndClose(await openShared(place), before)
      : await removeFromFolder(folder, before, shell);
  if (options.json === true) {
    printJson({ folder: name, before, dryRun, ...removed }, shell);
    return;
  }
  const { proposals, sessions, records } = removed;
  const when = `ended before ${formatMoment(before, shell.now())}`;
  const ended = [
    ...(proposals > 0 ? [count(proposals, 'proposal')] : []),
    ...(sessions > 0 ? [count(sessions, 'session')] : []),
  ];
  const what = `${ended.join(' and ')} with ${count(records, 'record')}`;
  if (ended.length === 0) shell.print(`Nothing in ${name} ${when}, so nothing is removed.`);
  else if (dryRun) shell.print(`Would remove ${what} from ${name}: they ${when}.`);
  else shell.print(`${shell.style.green('✓')} Removed ${what} from ${name}: they ${when}.`);
}

async function removeFromFolder(folder: string, before: number, shell: Shell): Promise<Removable> {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) {
    const { code, message, details } = opened.refusal;
    const next: Readonly<Record<string, readonly string[]>> = {
      journal_locked: [
        'journal: { retention: 30d }   # in the configuration: the gateway then does it by itself',
        'Or stop the gateway and try again.',
      ],
      journal_damaged: [`${shell.name} verify --data ${shellWord(folder)}   # shows where`],
    };
    throw new CommandFailure({ exit: EXIT.refused, code, message, details, next: next[code] ?? [] });
  }
  const { value: journal } = opened;
  reportCutOff(journal.recovery.dropped, 'dropped', shell);
  try {
    return await removeAndClose(journal, before);
  } catch (error) {
    const refusal = noFileAccess(folder, error, 'write');
    throw refusal === undefined ? error : journalFailure(refusal, folder, shell);
  }
}

async function removeAndClose(journal: Journal, before: number): Promise<Removable> {
  try {
    return await removeFrom(journal, before);
  } finally {
    await journal.close();
  }
}

/** How much retention removes, or would remove. */
interface Removable {
  readonly proposals: number;
  readonly sessions: number;
  readonly records: number;
}

/**
 * Dependencies of open proposals (O-37). No gateway is running that would look at them in time, so they must
 * stay. Reads the journal once, from the beginning.
 */
async function awaitedIn(journal: Journal): Promise<ReadonlySet<string>> {
  const awaitedBy = new Map<string, readonly string[]>();
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    const streams = streamsAwaitedBy(record);
    if (streams.length > 0) awaitedBy.set(record.stream, streams);
    else if (mayBeRemoved(record)) awaitedBy.delete(record.stream);
  }
  return new Set([...awaitedBy.values()].flat());
}

/** Counts what `compact` would remove, without changing anything. Reads the journal twice, from the beginning. */
export async function countRemovable(journal: Journal, before: number): Promise<Removable> {
  let proposals = 0;
  let sessions = 0;
  let records = 0;
  const awaited = await awaitedIn(journal);
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) {
    if (record.time >= before || !mayBeRemoved(record) || awaited.has(record.stream)) continue;
    const { version, removed } = await journal.head(record.stream);
    if (version !== record.version) continue;
    if (sessionOfStream(record.stream) === undefined) proposals++;
    else sessions++;
    records += version - removed;
  }
  return { proposals, sessions, records };
}

/** Removes what ended before a time, in milliseconds since 1970. */
export async function removeFrom(journal: Journal, before: number): Promise<Removable> {
  let sessions = 0;
  const awaited = await awaitedIn(journal);
  await completeTree(journal, treeHashes);
  const { streams, records } = await journal.compact({
    before,
    keep(last) {
      if (!mayBeRemoved(last) || awaited.has(last.stream)) return true;
      if (sessionOfStream(last.stream) !== undefined) sessions++;
      return false;
    },
  });
  return { proposals: streams - sessions, sessions, records };
}
