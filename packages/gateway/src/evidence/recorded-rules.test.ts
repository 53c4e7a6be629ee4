import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse } from '@proffer/core';
import { isRulesRecord, type RulesRecord, rulesStream } from '@proffer/core/operations';
import { judgeJournal } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { createMemoryJournal, EVERY_SPACE, type Journal, type StoredRecord } from '@proffer/journal';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthenticator } from '../door/index.js';
import { loopbackConfig } from '../loopback.js';
import { journalWith } from '../testing/journals.js';
import { chat, proposal } from '../testing/messages.js';
import { post } from '../testing/peers/http.js';
import { startTestGateway } from '../testing/test-gateway.js';
import { createToken } from '../token.js';
import { createRecordedRules } from './recorded-rules.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proffer-rules-'));
  await writeFile(join(folder, 'log.key'), `${formatSignerKey(makeSignerKey('example/log'))}\n`, {
    mode: 0o600,
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const [ann, bob] = [createToken(), createToken()];
const yaml = (rights: string): string => `
evidence: { key: ${JSON.stringify(join(folder, 'log.key'))} }
participants:
  ann: { tokens: ["${ann.hash}"], spaces: { main: ["*"] } }
  bob: { tokens: ["${bob.hash}"], spaces: { main: [${rights}] } }
`;

async function recordsOf(journal: Journal): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for await (const record of journal.feed(EVERY_SPACE, 0, { follow: false })) found.push(record);
  return found;
}

async function rulesIn(journal: Journal): Promise<readonly RulesRecord[]> {
  const own = (await recordsOf(journal)).filter(({ stream }) => stream === rulesStream('main'));
  return own.filter((record): record is StoredRecord & RulesRecord => isRulesRecord(record));
}

it('I-11: gateways with the same configuration record it once, without tokens', async () => {
  const journal = createMemoryJournal();
  const config = loopbackConfig(yaml('chat.message'));
  for (let start = 0; start < 3; start++) {
    const recorded = createRecordedRules({
      journal,
      authenticator: createAuthenticator(config),
      clock: () => 1,
      log: pino({ level: 'silent' }),
    });
    await Promise.all([recorded.record(config), recorded.record(config)]);
  }
  const records = await rulesIn(journal);
  expect(records).toHaveLength(1);
  expect(records[0]?.facts.rules.participants).toMatchObject({
    ann: { capabilities: ['*'], isConfigured: true },
    bob: { capabilities: ['chat.message'] },
  });
  for (const { hash } of [ann, bob]) expect(JSON.stringify(records)).not.toContain(hash);
});

it('I-11: rules that could not be recorded at first are not recorded after newer ones', async () => {
  const journal = createMemoryJournal();
  const refusal = refuse('unavailable', 'The disk is full.');
  let isFull = true;
  const full = journalWith(journal, {
    append: (...given) =>
      isFull ? Promise.resolve({ status: 'unavailable', refusal }) : journal.append(...given),
  });
  const recordedBy = (rights: string) => {
    const config = loopbackConfig(yaml(rights));
    authenticator.reload(config);
    return recorded.record(config);
  };
  const authenticator = createAuthenticator(loopbackConfig(yaml('chat.message')));
  const recorded = createRecordedRules({
    journal: full,
    authenticator,
    clock: () => 1,
    log: pino({ level: 'silent' }),
  });
  const before = recordedBy('"*"');
  isFull = false;
  await recordedBy('chat.message');
  await before;
  expect((await rulesIn(journal)).at(-1)?.facts.rules.participants).toMatchObject({
    bob: { capabilities: ['chat.message'] },
  });
});

it('I-11: what is decided after a reload is judged by the new rules, what was decided before by the old ones', async () => {
  const journal = createMemoryJournal();
  let now = Date.parse('2030-01-01T00:00:00Z');
  let records: readonly StoredRecord[];
  {
    await using gateway = await startTestGateway(yaml('"*"'), journal, () => now);
    await post(gateway.http, bob.token, proposal('p1'));
    now += 60_000;
    gateway.gateway.reload(loopbackConfig(yaml('chat.message')));
    await post(gateway.http, bob.token, chat('c1'));
    expect(await post(gateway.http, bob.token, proposal('p2'))).toMatchObject({
      code: 'capability_violation',
    });
    records = await recordsOf(journal);
    expect(await rulesIn(journal)).toHaveLength(2);
  }
  const judge = (all: readonly StoredRecord[]) => {
    const judging = judgeJournal({ hasSeveralWriters: false });
    for (const [at, record] of all.entries()) judging.judge(record, all[at + 1]);
    return judging.found;
  };
  expect(judge(records)).toMatchObject({ wrong: 0, beforeRules: 0, rules: [{ space: 'main' }] });
  const first = records.find(({ type }) => type === 'proposed') as StoredRecord;
  const late = {
    ...first,
    time: now + 60_000,
    stream: 'main/proposal/p9',
    envelope: { ...first.envelope, id: 'p9' },
    facts: { ...first.facts, proposal: 'p9' },
  };
  expect(judge([...records, late])).toMatchObject({ wrong: 1, first: [{ code: 'capability_violation' }] });
});
