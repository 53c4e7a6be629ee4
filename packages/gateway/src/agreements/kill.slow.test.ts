import { setImmediate as turn } from 'node:timers/promises';
import { scopeOf } from '@proffer/core/agreement';
import { canonicalJson, objectOf } from '@proffer/core/json';
import { judgeJournal } from '@proffer/evidence';
import { EVERY_SPACE, type StoredRecord } from '@proffer/journal';
import { expect, it } from 'vitest';
import { agreeOn, announcePay, PAYMENTS, payCall, payment } from '../testing/across/agreements.js';
import { openJournal, temporaryFolder } from '../testing/folder.js';
import { startChild } from '../testing/kill/child.js';
import { commitPayload, macpEnvelope, openTable, postEnvelope } from '../testing/macp.js';
import { connectPeer } from '../testing/peers/peer.js';
import { createRandom } from '../testing/random.js';

const ROUNDS = process.env['PROFFER_LONG'] === undefined ? 15 : 150;
const SEED = Number(process.env['PROFFER_SEED']);

const YAML = `dev: true
spaces: { main: ${PAYMENTS} }
participants: { sales: &all { spaces: { main: ["*"] } }, finance: *all, ops: *all }
`;

it(`I-1, I-2, O-53: killed ${ROUNDS} times around a commitment, it pays each agreement once (PROFFER_SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  await using folder = await temporaryFolder();
  const start = () => startChild({ folder: folder.path, yaml: YAML });
  let child = await start();
  for (let amount = 1; amount <= ROUNDS; amount++) {
    const bank = await connectPeer(child.ws, 'bank', { space: 'main' });
    await announcePay(bank, `n${amount}`);
    const table = openTable(child.http);
    const call = payCall('main', amount);
    await agreeOn(call, [table]);
    const payload = commitPayload({ authority_scope: scopeOf(call) });
    const commitment = JSON.stringify(macpEnvelope(table.id, 'sales', 'Commitment', payload));
    const acknowledged = postEnvelope(child.http, 'sales', commitment).catch(() => undefined);
    // Before, in the middle of it, or right after it.
    if (random() < 0.5) await acknowledged;
    for (let turns = Math.floor(random() * 40); turns > 0; turns--) await turn();
    await child.kill();
    await acknowledged;
    await bank.closed;
    child = await start();
    await using back = await connectPeer(child.ws, 'bank', { space: 'main', after: '0' });
    expect(await postEnvelope(child.http, 'sales', commitment)).toMatchObject({ ok: true });
    const isPaid = canonicalJson(payment(amount));
    await back.next(
      ({ kind, payload: { params } }) =>
        kind.startsWith('mcp.request.tools/call') && canonicalJson(params ?? null) === isPaid,
    );
  }
  await child.kill();
  const journal = await openJournal(folder.path);
  const paid: StoredRecord[] = [];
  for await (const record of journal.feed('main', 0, { follow: false }))
    if (record.type === 'fulfilled') paid.push(record);
  const { faults } = await journal.verify();
  const judge = judgeJournal({ hasSeveralWriters: false });
  const all: StoredRecord[] = [];
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) all.push(record);
  for (const [at, record] of all.entries()) judge.judge(record, all[at + 1]);
  await journal.close();
  expect(faults).toEqual([]);
  expect(judge.found.first).toEqual([]);
  const amounts = paid.map(({ envelope }) => objectOf(envelope['payload'])['params']);
  expect(amounts).toEqual(Array.from({ length: ROUNDS }, (_, index) => payment(index + 1)));
});
