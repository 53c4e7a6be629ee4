import { describe, expect, it } from 'vitest';
import { JournalError } from '../journal-error.js';
import { nativeSha256 } from '../native-hash.js';
import type { StoredRecord } from '../stored-record.js';
import { sealAhead } from '../stored-record.js';
import { appended, collect, sample, texts } from '../testing/index.js';
import { createKeyLine } from './authenticity/index.js';
import { openNatsJournal } from './open-nats-journal.js';
import { copied, STREAM, unsigned, useForger } from './testing/forger.js';
import { opened } from './testing/open.js';
import { verifyNats } from './verify/verify-nats.js';

const { forge, manager, options, stored, subject, write } = useForger('keys');

describe('keys', () => {
  it('I-9: are replaced while gateways run, and the old one can be limited to what it has signed', async () => {
    const [old, young] = [createKeyLine(), createKeyLine()];
    const openWith = (...keys: readonly string[]) =>
      opened({ ...options(), keys: { text: keys.join('\n') } });
    const first = await openWith(old);
    appended(await first.append(STREAM, 0, [sample('old')]));
    // Every gateway accepts the new key before the first one signs with it.
    const second = await openWith(old, young);
    await first.close();
    const third = await openWith(young, old);
    const [last] = appended(await third.append(STREAM, 1, [sample('young')]));
    expect(texts(await collect(second.feed('main', 0), 2))).toEqual(['old', 'young']);
    const [late] = appended(await second.append('main/proposal/2', 0, [sample('old again')]));
    expect(await third.verify()).toMatchObject({ records: 3, faults: [] });
    await second.close();
    await third.close();
    const limited = { ...options(), keys: { text: `${young} ${old}:${last?.seq}` } };
    expect(await verifyNats(limited)).toMatchObject({
      value: { records: 2, faults: [{ refusal: { code: 'forged_record', details: { seq: late?.seq } } }] },
    });
    expect(await verifyNats({ ...options(), keys: { text: young } })).toMatchObject({
      value: { faults: [{ refusal: { code: 'unusable_keys' } }, { refusal: { code: 'unusable_keys' } }] },
    });
  });

  it('I-9: are needed', async () => {
    const { keys: _keys, ...without } = options();
    expect(await openNatsJournal(without)).toMatchObject({ ok: false, refusal: { code: 'unusable_keys' } });
  });
});

describe('a stream of an older release', () => {
  /** Two records without codes, in a stream as the first release created it. */
  async function createOld(): Promise<readonly StoredRecord[]> {
    const journal = await opened(options());
    await journal.close();
    const { config } = await manager().streams.info(options().stream);
    await manager().streams.update(options().stream, { ...config, metadata: { 'proffer-format': '1' } });
    const one = sealAhead(sample('one'), { stream: STREAM, version: 0, hash: '' }, nativeSha256);
    const two = sealAhead(sample('two'), one.head, nativeSha256);
    const written: StoredRecord[] = [];
    for (const sealed of [one, two]) {
      const made = unsigned(sealed);
      written.push(sealed.at(await write(subject(), sealed.text, made)));
    }
    return written;
  }

  it('I-3, I-9: opens once its operator has accepted what is in it, and nothing later', async () => {
    const [, last] = await createOld();
    const seq = last?.seq ?? 0;
    const refused = await openNatsJournal(options());
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'forged_record' } });
    if (!refused.ok) expect(refused.refusal.message).toContain('journal.nats.accept_unsigned');
    expect(await verifyNats(options())).toMatchObject({
      value: { faults: [{}, {}], unsigned: { count: 2, lastSeq: seq, isAccepted: false } },
    });
    const accepting = { ...options(), acceptUnsigned: seq };
    const journal = await opened(accepting);
    const [third] = appended(await journal.append(STREAM, 2, [sample('three')]));
    expect(texts(await collect(journal.read(STREAM)))).toEqual(['one', 'two', 'three']);
    expect(await journal.verify()).toMatchObject({ faults: [], unsigned: { count: 2, isAccepted: true } });
    const following = collect(journal.feed('main', 0), 4);
    await forge(third);
    await expect(following).rejects.toBeInstanceOf(JournalError);
    await journal.close();
  });

  it('I-3: is shared with gateways of that release while they are replaced, if that is allowed', async () => {
    const [, last] = await createOld();
    const journal = await opened({ ...options(), acceptUnsigned: 'all' });
    const following = collect(journal.feed('main', 0), 4);
    await forge(last, 'three');
    await expect.poll(() => journal.headNow(STREAM).version).toBe(3);
    const [fourth] = appended(await journal.append(STREAM, 3, [sample('four')]));
    expect(texts(await following)).toEqual(['one', 'two', 'three', 'four']);
    // Even then, a wrong code is wrong.
    const { data, header } = await stored(fourth?.seq);
    const stopped = collect(journal.feed('main', fourth?.seq ?? 0), 1);
    await write(`${options().stream}.main.proposal.9`, data, copied(header));
    await expect(stopped).rejects.toBeInstanceOf(JournalError);
    await journal.close();
  });

  it('I-9: has no successor that accepts records without codes', async () => {
    const journal = await opened({ ...options(), acceptUnsigned: 'all' });
    const following = collect(journal.feed('main', 0), 1);
    await forge(undefined);
    await expect(following).rejects.toBeInstanceOf(JournalError);
    await journal.close();
  });
});
