import { createHmac } from 'node:crypto';
import { type Result, success } from '@proffer/core';
import { canonicalJson } from '@proffer/core/json';
import { withSalts } from '@proffer/core/operations';
import type { RecordContent } from '@proffer/core/records';
import { readSignerKeys } from '@proffer/evidence/node';
import { type Journal, nativeSha256 } from '@proffer/journal';
import type { EvidenceConfig } from '../config/index.js';

/** Adds salts to a record of a stream, so that its values can be hidden from others later. */
export type AddSalts = (content: RecordContent, stream: string) => RecordContent;

/** How salts are made: with the key of the log, so that nobody else can. `undefined` if values need not be hideable. */
export async function readSalts(config: EvidenceConfig | undefined): Promise<Result<AddSalts | undefined>> {
  if (config?.hideable !== true) return success(undefined);
  const keys = await readSignerKeys(config.key);
  if (!keys.ok) return keys;
  const [key] = keys.value;
  const secret = createHmac('sha256', key?.seed ?? '')
    .update('salts')
    .digest('hex');
  return success((content, stream) => {
    const { type, envelope } = content;
    return withSalts(content, ({ name, place }, value) => {
      // A value with a name has the same salt throughout a proposal, every other one has its own.
      const whose = name === undefined ? [envelope['id'] ?? '', type, place] : [name];
      // Of a length that never changes, this is as good as an HMAC, and several times as fast.
      return nativeSha256(`${secret}${nativeSha256(canonicalJson([stream, ...whose, value]))}`);
    });
  });
}

/** A journal to which a space appends records with salts. */
export function saltingJournal(
  journal: Journal,
  add: AddSalts | undefined,
): Pick<Journal, 'appendAll' | 'read'> {
  if (add === undefined) return journal;
  return {
    read: (stream, from) => journal.read(stream, from),
    appendAll: (appends, land) =>
      journal.appendAll(
        appends.map(({ records, ...place }) => {
          const salted = records.map((content) => add(content, place.stream));
          return { ...place, records: salted };
        }),
        land,
      ),
  };
}
