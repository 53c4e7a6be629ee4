import type { Refusal } from '@proffer/core';
import { JournalError } from '../../journal-error.js';
import type { StoredRecord } from '../../stored-record.js';
import { headOfMessage, type ReadHead, type ReadMessage, recordOfMessage } from '../messages/message.js';
import type { Authenticity } from './index.js';

/** A message that a gateway wrote, and what it says about its stream. */
export interface Entry extends ReadMessage {
  readonly head: ReadHead;
}

/** The only way from a message to what is folded and delivered. */
export interface Authentic {
  /**
   * The entry in a message; `undefined` if it means nothing.
   *
   * @throws JournalError if no gateway wrote it
   */
  entry(message: ReadMessage): Entry | undefined;
  /**
   * The record of an entry; `undefined` for a mark.
   *
   * @throws JournalError if its data was altered
   */
  record(entry: Entry): StoredRecord | undefined;
}

/** @param onForged - called with each message that no gateway wrote, before the error is thrown */
export function createAuthentic(
  authenticity: Pick<Authenticity, 'check'>,
  onForged: (message: ReadMessage, refusal: Refusal) => void,
): Authentic {
  function reject(message: ReadMessage, refusal: Refusal): never {
    onForged(message, refusal);
    throw new JournalError(refusal);
  }
  return {
    entry(message) {
      const head = headOfMessage(message);
      const refusal = authenticity.check(message, head);
      if (refusal !== undefined) reject(message, refusal);
      const { subject, seq, data, headers } = message;
      return head && { subject, seq, data, headers, head };
    },
    record(entry) {
      try {
        return recordOfMessage(entry, entry.head);
      } catch (error) {
        if (error instanceof JournalError) reject(entry, error.refusal);
        throw error;
      }
    },
  };
}
