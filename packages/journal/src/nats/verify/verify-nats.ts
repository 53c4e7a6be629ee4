import { failure, type Result, success } from '@proffer/core';
import type { VerifyReport } from '../../journal.js';
import { nativeSha256 } from '../../native-hash.js';
import { noAccess } from '../access/no-access.js';
import { ensureStream } from '../access/stream-settings.js';
import { createSubjects } from '../messages/subjects.js';
import { type NatsJournalOptions, openConnection } from '../open-nats-journal.js';
import { createPast } from '../read/history.js';
import { verifyMessages } from './verify.js';

/**
 * Checks every message of a journal on NATS, also of one that does not open because somebody else wrote to it. Refuses
 * what {@link openConnection} refuses, and servers without the stream (`no_stream`).
 */
export async function verifyNats(options: NatsJournalOptions): Promise<Result<VerifyReport>> {
  const { stream = 'proffer' } = options;
  const connected = await openConnection({ ...options, name: 'proffer verify' });
  if (!connected.ok) return connected;
  const { connection, manager, authenticityOf } = connected.value;
  try {
    const found = await ensureStream(
      manager,
      { name: stream, prefix: stream, replicas: 1 },
      { create: false },
    );
    if (!found.ok) return found;
    const report = await verifyMessages({
      past: createPast(manager, stream),
      subjects: createSubjects(stream),
      hash: nativeSha256,
      authenticity: authenticityOf(found.value.journal),
    });
    return success(report);
  } catch (error) {
    return failure(await noAccess(options, error));
  } finally {
    await connection.close();
  }
}
