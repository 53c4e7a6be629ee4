import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@proffer/core/json';
import { formatVerifierKey, SIGNATURE_TYPES } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { startOnLoopback } from '../../loopback.js';
import { temporaryFolder } from '../../testing/folder.js';
import { journalWith } from '../../testing/journals.js';
import { ask } from '../../testing/peers/http.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { VERSION } from '../../version.js';

const CONFIG = `
dev: true
participants:
  operator: { spaces: { main: [mcpx.pause.approvals] } }
limits: { message_depth: 8 }
`;

it('I-9: says how much of the log is signed, and who is asked to witness it', async () => {
  await using folder = await temporaryFolder();
  const key = makeSignerKey('log.example');
  await writeFile(join(folder.path, 'log.key'), `${formatSignerKey(key)}\n`, { mode: 0o600 });
  const witness = formatVerifierKey(makeSignerKey('witness.example', SIGNATURE_TYPES.witness).verifier);
  const evidence = `{ key: ${join(folder.path, 'log.key')}, witnesses: [{ url: "http://127.0.0.1:9", key: "${witness}" }] }`;
  await using gateway = await startOnLoopback(`${CONFIG}evidence: ${evidence}`);
  const { body } = await ask(`http://127.0.0.1:${gateway.port}/figures`, 'operator');
  expect(body['log']).toEqual({ signed: expect.any(Number), witnesses: ['witness.example'] });
});

it('I-7: only operators see connections, refusals by code, limits that were reached, and the journal', async () => {
  await using gateway = await startOnLoopback(CONFIG);
  const url = `http://127.0.0.1:${gateway.port}`;
  const ask = async (path: string, who: string, body?: string) => {
    const headers = { authorization: `Bearer ${who}` };
    const response = await fetch(
      url + path,
      body === undefined ? { headers } : { method: 'POST', headers, body },
    );
    return (await response.json()) as JsonObject;
  };
  const deep = `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`;
  expect(await ask('/spaces/main/messages', 'agent', deep)).toMatchObject({ code: 'too_deep' });
  const chat = { kind: 'chat.message', payload: { text: 'hello' } };
  expect(await ask('/spaces/main/messages', 'agent', JSON.stringify(chat))).toMatchObject({
    status: 'accepted',
  });
  expect(await ask('/figures', 'agent')).toMatchObject({
    code: 'capability_violation',
    details: { missing: 'mcpx.pause.approvals' },
  });
  const figures = await ask('/figures', 'operator');
  expect(figures).toMatchObject({
    since: expect.any(Number),
    messages: { accepted: 1, refused: 1 },
    connections: { open: {}, dropped: 0, fellBehind: 0 },
    acknowledged: { half: expect.any(Number), most: expect.any(Number) },
    journal: {
      backend: 'memory',
      writable: true,
      records: 1,
      failures: {},
      peers: 0,
      differing: 0,
      differences: [],
    },
  });
  expect(figures['refusals']).toEqual(
    expect.arrayContaining([
      { code: 'too_deep', count: 1, advice: expect.stringContaining('Flatten') },
      { code: 'capability_violation', count: 1, advice: expect.any(String) },
    ]),
  );
  expect(figures['limits']).toEqual(
    expect.arrayContaining([
      { code: 'too_deep', met: 1, limits: [{ name: 'message_depth', value: 8 }] },
      { code: 'fell_behind', met: 0, limits: [{ name: 'unacknowledged_per_connection', value: 16_777_216 }] },
    ]),
  );
});

it('only operators of all spaces learn which gateways differ, and in what', async () => {
  const listeners: ((message: JsonObject) => void)[] = [];
  const listen = (hear: (message: JsonObject) => void) => {
    listeners.push(hear);
    return () => {};
  };
  const journal = journalWith(createMemoryJournal(), { peers: { tell: () => true, listen } });
  const config = `
dev: true
spaces: { main: {}, side: {} }
participants:
  both: { spaces: { main: [mcpx.pause.approvals], side: [mcpx.pause.approvals] } }
  one: { spaces: { main: [mcpx.pause.approvals], side: [chat] } }
`;
  await using gateway = await startTestGateway(config, journal);
  const difference = { version: VERSION, name: 'box (10.0.0.1:7420)', parts: { spaces: { side: 'other' } } };
  for (const message of [{ type: 'begin' }, { type: 'config', ...difference }])
    for (const hear of listeners) hear({ gateway: 'other', ...message });
  const journalSeenBy = async (who: string) => (await ask(`${gateway.http}/figures`, who)).body['journal'];
  expect(await journalSeenBy('both')).toMatchObject({
    differing: 1,
    differences: [{ gateway: 'box (10.0.0.1:7420)', keys: expect.arrayContaining(['spaces.side']) }],
  });
  const seen = await journalSeenBy('one');
  expect(seen).toMatchObject({ differing: 1 });
  expect(JSON.stringify(seen)).not.toMatch(/box|side/);
});
