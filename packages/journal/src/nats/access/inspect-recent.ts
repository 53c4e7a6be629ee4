import { failure, type Refusal, type Result, success } from '@proffer/core';
import { EVERY_SPACE } from '../../journal.js';
import { headOfMessage } from '../messages/message.js';
import { createSubjects } from '../messages/subjects.js';
import { type NatsJournalOptions, openConnection } from '../open-nats-journal.js';
import { createPast } from '../read/history.js';
import { noAccess } from './no-access.js';
import { journalIn } from './stream-settings.js';

/** Who wrote the last messages of a journal. */
export interface RecentMessages {
  /** How many were looked at, and whether that was all of them. */
  readonly count: number;
  readonly isAll: boolean;
  /** Records that no gateway wrote. */
  readonly foreign: readonly Refusal[];
  /** How many have no MAC, and are accepted. */
  readonly unsigned: number;
}

/** How many are looked at: seconds' worth. `verify` looks at all of them. */
const RECENT = 100_000;

/** Checks the MACs of a journal's last messages, and changes nothing. Refuses what {@link openConnection} refuses. */
export async function inspectRecent(
  options: NatsJournalOptions & { readonly stream: string },
): Promise<Result<RecentMessages>> {
  const { stream } = options;
  const connected = await openConnection({ ...options, name: 'proffer doctor' });
  if (!connected.ok) return connected;
  const { connection, manager, authenticityOf } = connected.value;
  try {
    const { config, state } = await manager.streams.info(stream);
    const authenticity = authenticityOf(journalIn(config));
    const past = createPast(manager, stream);
    const all = createSubjects(stream).below(EVERY_SPACE);
    const start = Math.max(state.first_seq - 1, state.last_seq - RECENT);
    const foreign: Refusal[] = [];
    let count = 0;
    let unsigned = 0;
    for (let seq = start; seq < state.last_seq; ) {
      const { messages, upTo } = await past.after(all, seq);
      for (const message of messages) {
        const head = headOfMessage(message);
        const refusal = authenticity.check(message, head);
        count++;
        if (refusal !== undefined) foreign.push(refusal);
        else if (head?.mac === '') unsigned++;
      }
      seq = upTo;
    }
    return success({ count, isAll: start < state.first_seq, foreign, unsigned });
  } catch (error) {
    return failure(await noAccess(options, error));
  } finally {
    await connection.close();
  }
}
