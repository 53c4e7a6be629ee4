import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { type JsonValue, objectOf } from '@proffer/core/json';
import type { CopyReport } from '../../backend.js';
import { EVERY_SPACE } from '../../journal.js';
import { JournalError } from '../../journal-error.js';
import { type LocalJournal, openLocalJournal, type RemovedStream } from '../../local/index.js';
import type { StoredRecord } from '../../stored-record.js';
import { copyTree } from '../../tree-store.js';
import { noAccess } from '../access/no-access.js';
import { journalIn } from '../access/stream-settings.js';
import { createAuthentic, type Entry } from '../authenticity/authentic-message.js';
import { createSubjects } from '../messages/subjects.js';
import { type NatsJournalOptions, openConnection } from '../open-nats-journal.js';
import { checkedPast, createPast } from '../read/history.js';
import { createTreeStream } from '../tree-stream.js';
import { Chain, NO_RECORDS } from '../verify/chain.js';

/** How many records wait for the disk together. */
const AT_ONCE = 1_000;

/**
 * Copies a journal from NATS into an empty folder, even while gateways write to it: everything it has
 * when the call starts. Each record keeps its `seq`, and is sealed again, which verifies it. Void
 * records are left out.
 */
export async function copyFromNats(options: NatsJournalOptions, folder: string): Promise<Result<CopyReport>> {
  const { stream = 'proffer' } = options;
  const connected = await openConnection(options);
  if (!connected.ok) return connected;
  const { connection, manager, authenticityOf } = connected.value;
  const opened = await openLocalJournal(folder);
  if (!opened.ok) {
    await connection.close();
    return opened;
  }
  const journal = opened.value;
  try {
    if ((await journal.lastSeq(EVERY_SPACE)) > 0) {
      const message = `${folder} already contains a journal. Copy into an empty folder.`;
      return failure({ code: 'unusable_folder', message, details: { folder } });
    }
    const subjects = createSubjects(stream);
    const all = subjects.below(EVERY_SPACE);
    const { config, state } = await manager.streams.info(stream);
    const { last_seq: end } = state;
    const authentic = createAuthentic(authenticityOf(journalIn(config)), () => {});
    const past = checkedPast(createPast(manager, stream), authentic);
    const each = async (take: (entry: Entry) => Promise<Result<undefined>>): Promise<Result<undefined>> => {
      for (let seq = 0; seq < end; ) {
        const { messages, upTo } = await past.after(all, seq);
        for (const entry of messages) {
          if (entry.seq > end) break;
          const taken = await take(entry);
          if (!taken.ok) return taken;
        }
        seq = upTo;
      }
      return success(undefined);
    };
    // A stream continues after its removed part, so that must be known first.
    const removed = new Map<string, RemovedStream>();
    await each((entry) => {
      const mark = markIn(entry);
      if (mark !== undefined && subjects.of(mark.stream) === entry.subject) removed.set(mark.stream, mark);
      return Promise.resolve(success(undefined));
    });
    await journal.adoptRemoved([...removed.values()]);
    let records = 0;
    let last = Math.max(0, ...Array.from(removed.values(), ({ seq }) => seq));
    let adopting: Promise<Result<undefined>>[] = [];
    const chains = new Map<string, Chain>();
    const adopted = async (): Promise<Result<undefined>> => {
      const results = await Promise.all(adopting);
      adopting = [];
      return results.find(({ ok }) => !ok) ?? success(undefined);
    };
    const taken = await each(async (entry) => {
      const record = authentic.record(entry);
      if (record === undefined || record.version <= (removed.get(record.stream)?.version ?? 0))
        return success(undefined);
      const standing = rightsOf(chains, entry, removed.get(record.stream));
      if (standing === 'void') return success(undefined);
      if (standing === 'apart') return failure(incomplete(record));
      records++;
      last = Math.max(last, record.seq);
      adopting.push(adopt(journal, record));
      return adopting.length < AT_ONCE ? success(undefined) : await adopted();
    });
    const rest = await adopted();
    if (!taken.ok) return taken;
    if (!rest.ok) return rest;
    await copyTree(createTreeStream({ client: manager.jetstream(), manager, stream }), journal.tree, last);
    return success({ records, removed: removed.size, seq: last });
  } catch (error) {
    return failure(error instanceof JournalError ? error.refusal : await noAccess(options, error));
  } finally {
    await journal.close();
    await connection.close();
  }
}

/** Whether a record is valid; each stream is walked from its beginning, or from its mark. */
function rightsOf(
  chains: Map<string, Chain>,
  entry: Entry,
  removed: RemovedStream | undefined,
): ReturnType<Chain['take']> {
  const start = removed && { ...NO_RECORDS, version: removed.version, hash: removed.hash };
  const chain = chains.get(entry.subject) ?? new Chain(start);
  chains.set(entry.subject, chain);
  return chain.take(entry);
}

function incomplete({ stream, version, seq }: StoredRecord): Refusal {
  const what = `Records before ${version} of ${stream} are missing. If retention ran during the copy, copy again into a new folder; otherwise run verify.`;
  return refuse('journal_damaged', what, { stream, version, seq });
}

function markIn({ data, head }: Entry): RemovedStream | undefined {
  if (!head.isMark) return undefined;
  const value = JSON.parse(Buffer.from(data).toString('utf8')) as JsonValue;
  const stream = objectOf(value)['removed'];
  if (typeof stream !== 'string') return undefined;
  return { stream, version: head.version, hash: head.hash, seq: head.recordSeq };
}

/** Appends a record unchanged. Refuses one whose hash differs. */
async function adopt(journal: LocalJournal, record: StoredRecord): Promise<Result<undefined>> {
  const { stream, version, seq, hash, prev: _prev, schema: _schema, ...content } = record;
  journal.skipTo(seq);
  const outcome = await journal.append(stream, version - 1, [content]);
  if (outcome.status === 'unavailable') return failure(outcome.refusal);
  const isSame = outcome.status === 'appended' && outcome.records[0]?.hash === hash;
  if (isSame) return success(undefined);
  const message = `Record ${version} of ${stream} was altered after it was written.`;
  return failure(refuse('wrong_hash', message, { stream, version, seq }));
}
