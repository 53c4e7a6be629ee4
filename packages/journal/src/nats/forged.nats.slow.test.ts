import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../journal.js';
import { JournalError } from '../journal-error.js';
import { nativeSha256 } from '../native-hash.js';
import { sealAhead } from '../stored-record.js';
import { appended, collect, saltedSample, sample, texts } from '../testing/index.js';
import { journalIn } from './access/stream-settings.js';
import { recordHeaders } from './messages/message.js';
import { openNatsJournal } from './open-nats-journal.js';
import { testAuthenticity } from './testing/authenticity.js';
import { copied, STREAM, useForger } from './testing/forger.js';
import { opened } from './testing/open.js';
import { verifyNats } from './verify/verify-nats.js';

const { connection, forge, manager, open, options, stored, subject, write } = useForger('forged');

describe('I-9: a record that no gateway wrote', () => {
  it('is neither delivered nor folded, stops its space and no other, and is named', async () => {
    const journal = await open();
    const events: JournalEvent[] = [];
    journal.watch((event) => events.push(event));
    const [real] = appended(await journal.append(STREAM, 0, [sample('real')]));
    const main = collect(journal.feed('main', 0), 2).catch((error: unknown) => error);
    const lab = collect(journal.feed('lab', 0), 1);
    const seq = await forge(real);
    expect(await main).toBeInstanceOf(JournalError);
    expect(events).toMatchObject([
      {
        type: 'stopped',
        space: 'main',
        refusal: { code: 'forged_record', details: { subject: subject(), seq } },
      },
    ]);
    expect(journal.headNow(STREAM)).toMatchObject({ version: 1, hash: real?.hash });
    for (const [at, version] of [
      [STREAM, 1],
      ['main/proposal/2', 0],
    ] as const)
      expect(await journal.append(at, version, [sample('later')])).toMatchObject({
        status: 'unavailable',
        refusal: { details: { cause: 'forged_record' } },
      });
    await expect(collect(journal.read(STREAM))).rejects.toMatchObject({ refusal: { code: 'forged_record' } });
    appended(await journal.append('lab/proposal/1', 0, [sample('elsewhere')]));
    expect(texts(await lab)).toEqual(['elsewhere']);
    const forged = { stream: STREAM, version: 2, refusal: { code: 'forged_record', details: { seq } } };
    expect(await journal.verify()).toMatchObject({ records: 2, faults: [forged] });
    expect(await verifyNats(options())).toMatchObject({ ok: true, value: { faults: [forged] } });
    expect(await openNatsJournal(options())).toMatchObject({
      ok: false,
      refusal: { code: 'forged_record', details: { seq } },
    });
    // Once it is deleted, everything works again.
    await manager().streams.deleteMessage(options().stream, seq);
    const again = await open();
    appended(await again.append(STREAM, 1, [sample('next')]));
    expect(texts(await collect(again.read(STREAM)))).toEqual(['real', 'next']);
  });

  it('is found while an append finds it in its place', async () => {
    const journal = await open();
    const [real] = appended(await journal.append(STREAM, 0, [sample('real')]));
    await forge(real);
    let outcome = await journal.append(STREAM, 1, [sample('next')]);
    while (outcome.status === 'conflict') outcome = await journal.append(STREAM, 1, [sample('next')]);
    expect(outcome).toMatchObject({
      status: 'unavailable',
      refusal: { details: { cause: 'forged_record' } },
    });
  });

  it.each([
    ['no headers', () => [new TextEncoder().encode('hello'), headers()]],
    [
      'a code that is made up',
      (data: Uint8Array, made: MsgHdrs) => (made.set('Proffer-Mac', 'test:AAAA'), [data, made]),
    ],
    [
      'a code of another key',
      (data: Uint8Array, made: MsgHdrs) => (made.set('Proffer-Mac', 'other:AAAA'), [data, made]),
    ],
  ] as const)('has %s', async (_, change) => {
    const journal = await open();
    const [real] = appended(await journal.append(STREAM, 0, [sample('real')]));
    const { data, header } = await stored(real?.seq);
    const [sent, made] = change(data, copied(header));
    const following = collect(journal.feed('main', 0), 2).catch((error: unknown) => error);
    await write(`${options().stream}.main.proposal.2`, sent as Uint8Array, made as MsgHdrs);
    expect(await following).toBeInstanceOf(JournalError);
    expect(journal.headNow('main/proposal/2').version).toBe(0);
    expect((await journal.verify()).faults).toHaveLength(1);
  });

  it('has another value under the salt of a real one', async () => {
    const journal = await open();
    const [first] = appended(await journal.append(STREAM, 0, [saltedSample('a')]));
    const { data, header } = await stored(first?.seq);
    await manager().streams.deleteMessage(options().stream, first?.seq ?? 0);
    const text = Buffer.from(data).toString();
    await write(subject(), text.replace('"text":"a"', '"text":"b"'), copied(header));
    expect(await verifyNats(options())).toMatchObject({
      value: { faults: [{ stream: STREAM, refusal: { code: 'wrong_hash' } }] },
    });
    const again = await opened(options());
    await expect(collect(again.feed('main', 0, { follow: false }))).rejects.toMatchObject({
      refusal: { code: 'forged_record' },
    });
    await again.close();
  });

  it('has the headers of a real one, and other data', async () => {
    const journal = await open();
    const [first, second] = appended(await journal.append(STREAM, 0, [sample('a'), sample('b')]));
    const { header } = await stored(second?.seq);
    const { data } = await stored(first?.seq);
    await manager().streams.deleteMessage(options().stream, second?.seq ?? 0);
    await write(subject(), data, copied(header));
    expect(await verifyNats(options())).toMatchObject({
      value: { faults: [{ stream: STREAM, refusal: { code: 'record_out_of_order' } }] },
    });
    const again = await opened(options());
    await expect(collect(again.feed('main', 0, { follow: false }))).rejects.toMatchObject({
      refusal: { code: 'forged_record' },
    });
    await again.close();
  });

  it.each([
    ['moved to another stream of the journal', () => `${options().stream}.main.proposal.2`],
    ['moved to another space', () => `${options().stream}.lab.proposal.1`],
  ])('is a real one, %s', async (_, to) => {
    const journal = await open();
    const [real] = appended(await journal.append(STREAM, 0, [sample('real')]));
    const { data, header } = await stored(real?.seq);
    await write(to(), data, copied(header));
    expect(await openNatsJournal(options())).toMatchObject({ ok: false, refusal: { code: 'forged_record' } });
    expect(await verifyNats(options())).toMatchObject({
      value: { faults: [{ refusal: { code: 'forged_record' } }] },
    });
  });

  it('is a real one of another journal with the same name and keys', async () => {
    const before = await open();
    const [real] = appended(await before.append(STREAM, 0, [sample('real')]));
    const { data, header } = await stored(real?.seq);
    await before.close();
    await manager().streams.delete(options().stream);
    const after = await open();
    const events: JournalEvent[] = [];
    after.watch((event) => events.push(event));
    await write(subject(), data, copied(header));
    await expect.poll(() => events).toMatchObject([{ type: 'stopped', refusal: { code: 'forged_record' } }]);
  });

  it('says that records were removed', async () => {
    const journal = await open();
    const [real] = appended(await journal.append(STREAM, 0, [sample('real')]));
    const { data, header } = await stored(real?.seq);
    for (const [name, value] of [
      ['Proffer-Removed', '1'],
      ['Proffer-Last-Seq', String(real?.seq)],
    ] as const) {
      const made = copied(header);
      made.set(name, value);
      const seq = await write(subject(), data, made);
      expect(await verifyNats(options())).toMatchObject({
        value: { faults: [{ refusal: { details: { seq } } }] },
      });
      await manager().streams.deleteMessage(options().stream, seq);
    }
  });
});

it('I-2, I-9: a real record that is written again counts once, and stops nothing', async () => {
  const journal = await open();
  const [first] = appended(await journal.append(STREAM, 0, [sample('first'), sample('second')]));
  const { data, header } = await stored(first?.seq);
  const following = collect(journal.feed('main', 0), 3);
  await write(subject(), data, copied(header));
  let outcome = await journal.append(STREAM, 2, [sample('third')]);
  while (outcome.status === 'conflict') outcome = await journal.append(STREAM, 2, [sample('third')]);
  expect(texts(await following)).toEqual(['first', 'second', 'third']);
  await expect.poll(() => journal.verify()).toMatchObject({ records: 3, faults: [] });
});

it('I-9: what is signed is what a gateway of the same journal writes', async () => {
  const journal = await open();
  const { config } = await manager().streams.info(options().stream);
  const authenticity = testAuthenticity(options().stream, journalIn(config));
  const sealed = sealAhead(sample('outside'), { stream: STREAM, version: 0, hash: '' }, nativeSha256);
  const following = collect(journal.feed('main', 0), 1);
  const made = recordHeaders(sealed, { subject: subject(), removed: 0, authenticity });
  await connection().request(subject(), sealed.text, { headers: made.forClient(), timeout: 5_000 });
  expect(texts(await following)).toEqual(['outside']);
});
