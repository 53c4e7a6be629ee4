import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { makeSigningKey, registration, type SigningKey, signerWith } from '@proffer/client/participation';
import { canonicalJson, type JsonObject, objectOf, textOf } from '@proffer/core/json';
import { requestToSign, type SignedDecision } from '@proffer/core/operations';
import { formatVerifierKey } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { type Forged, readAll, writeAll } from '../testing/forger.js';
import { runHere } from '../testing/in-process.js';

const log = makeSignerKey('proffer.example/log');

const config = (home: string): string => `dev: true
evidence: { key: ${JSON.stringify(join(home, 'log.key'))} }
participants:
  ann: { spaces: { main: ["*"] } }
  boss: { spaces: { main: ["*"] } }
spaces:
  main:
    review: [{ name: payments, call: "mcp.request.tools/call:pay", signed: true }]
`;

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let honest: readonly Forged[];
/** What ann would have to sign to approve the second payment. */
let wanted: SignedDecision;

/** Ann signs one payment, and leaves another one. */
beforeAll(async () => {
  home = await temporaryFolder();
  const data = join(home.path, 'data');
  await writeFile(join(home.path, 'log.key'), `${formatSignerKey(log)}\n`, { mode: 0o600 });
  {
    await using gateway = await startOnLoopback(config(home.path), { folder: data });
    const url = `http://127.0.0.1:${gateway.port}`;
    const enter = (token: string, key?: SigningKey) =>
      connect({ url, space: 'main', token, ...(key === undefined ? {} : { signer: signerWith(key) }) });
    const key = makeSigningKey();
    await using tools = await enter('tools');
    await using agent = await enter('agent');
    await using ann = await enter('ann', key);
    await using boss = await enter('boss');
    await tools.serve([{ name: 'pay', handler: () => 'paid' }]);
    const code = new Promise<string>((resolve) => {
      boss.on('message', ({ kind, payload }) => {
        if (kind === 'system.key-code') resolve(textOf(payload['code']));
      });
    });
    await boss.send({ kind: 'mcpx.allow.key', payload: { participant: 'ann' } });
    const by = { code: await code };
    const payload = await registration(key, { space: 'main', participant: 'ann', by });
    await ann.send({ kind: 'mcpx.register.key', payload });
    const pay = (id: string, amount: number) =>
      agent.propose('tools/call', { name: 'pay', arguments: { amount } }, { id, onRejection: 'wait' });
    const paid = pay('p-1', 100);
    await paid.accepted;
    const first = { id: 'p-1', method: 'tools/call' };
    await ann.fulfil(first, { name: 'pay', arguments: { amount: 100 } });
    await paid;
    const other = pay('p-2', 9000);
    other.catch(() => {});
    await other.accepted;
    const refused = await boss
      .fulfil({ id: 'p-2', method: 'tools/call' }, { name: 'pay', arguments: { amount: 9000 } })
      .catch((error: { readonly details: JsonObject }) => error.details);
    wanted = { ...(objectOf(refused)['decision'] as SignedDecision), by: 'ann' };
  }
  honest = await readAll(data);
});
afterAll(() => home[Symbol.asyncDispose]());

async function verify(records: readonly Forged[]) {
  const folder = join(home.path, 'forged');
  await writeFile(join(home.path, 'own'), await writeAll(folder, records, log));
  return await runHere([
    'verify',
    '--data',
    folder,
    '--checkpoint',
    join(home.path, 'own'),
    '--log-key',
    formatVerifierKey(log.verifier),
  ]);
}

/** The approval of the first payment, as if it were one of the second, with another signature. */
function forgedApproval(signature: JsonObject | undefined): readonly Forged[] {
  const at = honest.findIndex(({ content }) => content.type === 'fulfilled');
  const ran = honest[at] as Forged;
  const proposed = honest.find(({ content }) => content.envelope['id'] === 'p-2') as Forged;
  const text = canonicalJson(ran.content)
    .replaceAll('p-1', 'p-2')
    .replaceAll('"amount":100', '"amount":9000');
  const content = JSON.parse(text) as Forged['content'];
  const { signature: _old, ...payload } = objectOf(content.envelope['payload']);
  const digest = proposed.content.facts['digest'] ?? '';
  const { signed: _signed, ...facts } = content.facts;
  const time = proposed.content.time + 1;
  const signedAt = signature?.['at'];
  const forged: Forged = {
    stream: proposed.stream,
    content: {
      ...content,
      time,
      envelope: {
        ...content.envelope,
        id: 'forged',
        payload: { ...payload, ...(signature === undefined ? {} : { signature }) },
      },
      facts: {
        ...facts,
        proposedDigest: digest,
        ranDigest: digest,
        ...(signature === undefined || signedAt === undefined
          ? {}
          : { signed: { key: signature['key'] ?? '', at: signedAt, definition: wanted.definition ?? '' } }),
      },
    },
  };
  return [...honest, forged];
}

describe('verify, with everything stolen but the key of the person', () => {
  it('O-49: holds the approval that she signed, and names her key and who vouched for it', async () => {
    const { code, stdout } = await verify(honest);
    expect(stdout).toContain('decided again by the rules then in force: as recorded');
    // A forger who is an operator, or has the token of one, can have let another key be registered: each is named.
    expect(stdout).toMatch(/ann registered an Ed25519 key \(\S+\), with a code of boss, at seq \d+ in main/);
    expect(code).toBe(0);
  });

  it('O-49: finds an approval in her name without a signature', async () => {
    const { code, stdout } = await verify(forgedApproval(undefined));
    expect(stdout).toContain('has to be signed');
    expect(code).toBe(1);
  });

  it('O-49: finds one with the signature that she gave for something else', async () => {
    const ran = honest.find(({ content }) => content.type === 'fulfilled') as Forged;
    const signature = objectOf(objectOf(ran.content.envelope['payload'])['signature']);
    const { code, stdout } = await verify(forgedApproval(signature));
    expect(stdout).toContain('it is about something else');
    expect(code).toBe(1);
  });

  it('O-49: finds one that the forger signed with another key, under her key or its own', async () => {
    const thief = makeSigningKey();
    const ran = honest.find(({ content }) => content.type === 'fulfilled') as Forged;
    const { key = '' } = objectOf(objectOf(ran.content.envelope['payload'])['signature']);
    const signed = await signerWith(thief)(requestToSign([wanted], ran.content.time));
    const own = await verify(forgedApproval({ ...signed }));
    expect(own.stdout).toContain('has no such key');
    const hers = await verify(forgedApproval({ ...signed, key }));
    expect(hers.stdout).toContain('the key did not sign this');
    expect([own.code, hers.code]).toEqual([1, 1]);
  });

  const where = (type: string): number => honest.findIndex(({ content }) => content.type === type);

  /** The same record with other texts, wherever they are. */
  const rewritten = ({ stream, content }: Forged, before: string, after: string): Forged => ({
    stream,
    content: JSON.parse(canonicalJson(content).replaceAll(before, after)) as Forged['content'],
  });

  it.each<readonly [string, () => readonly Forged[], string]>([
    [
      'by a key that was registered afterwards',
      () => {
        const registered = honest[where('key_registered')] as Forged;
        const before = honest.toSpliced(where('key_registered'), 1);
        return before.toSpliced(where('fulfilled'), 0, registered);
      },
      'has no such key',
    ],
    [
      'by a key that was revoked before',
      () => {
        const registered = honest[where('key_registered')] as Forged;
        const { key } = registered.content.facts as { readonly key: JsonObject };
        const { envelope } = registered.content;
        const revoked: Forged = {
          stream: registered.stream,
          content: {
            ...registered.content,
            type: 'key_revoked',
            envelope: {
              ...envelope,
              id: 'revoke',
              kind: 'mcpx.unregister.key',
              payload: { key: key['id'] ?? '' },
            },
            facts: { ...registered.content.facts, key: key['id'] ?? '' },
          },
        };
        return honest.toSpliced(where('key_registered') + 1, 0, revoked);
      },
      'the key was revoked',
    ],
    [
      'an hour before the call ran',
      () =>
        honest.map((record, at) =>
          at < where('fulfilled')
            ? record
            : {
                ...record,
                content: { ...record.content, time: record.content.time + 3_600_000 },
              },
        ),
      'it was made too long ago',
    ],
    [
      'in another space',
      () =>
        honest.map((record) => ({
          ...rewritten(record, '"name":"main"', '"name":"other"'),
          stream: record.stream.replace(/^main\/|(?<=^system:rules\/)main$/, (found) =>
            found.replace('main', 'other'),
          ),
        })),
      'it is about something else',
    ],
    [
      'for a tool that was announced differently',
      () =>
        honest.map((record) =>
          rewritten(record, '"inputSchema":{', '"description":"pays twice","inputSchema":{'),
        ),
      'it is about something else',
    ],
  ])('O-49: finds one that she signed %s', async (_, forge, sentence) => {
    const { code, stdout } = await verify(forge());
    expect(stdout).toContain(sentence);
    expect(code).toBe(1);
  });
});
