import { generateKeyPairSync, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@proffer/client';
import { createHttpClient } from '@proffer/client/http';
import { type JsonObject, objectOf, textOf } from '@proffer/core/json';
import {
  decisionDigest,
  registrationChallenge,
  type SignedDecision,
  signingChallenge,
} from '@proffer/core/operations';
import { expectedHash, type SealedRecord } from '@proffer/core/records';
import { type EvidenceEntry, type EvidenceStatement, formatVerifierKey } from '@proffer/evidence';
import { formatSignerKey, makeSignerKey, signStatement } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { runHere } from '../testing/in-process.js';

const log = makeSignerKey('proffer.example/log');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = textOf((publicKey.export({ format: 'jwk' }) as JsonObject)['x']);
const write = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64url');

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let statement: EvidenceStatement;
const at = (name: string) => join(home.path, name);

beforeAll(async () => {
  home = await temporaryFolder();
  await writeFile(at('log.key'), `${formatSignerKey(log)}\n`, { mode: 0o600 });
  const review = '[{ name: signing, call: "mcp.request.tools/call:pay", signed: true }]';
  await using gateway = await startOnLoopback(
    `dev: true\nevidence: { key: ${JSON.stringify(at('log.key'))}, hideable: true }\nspaces: { main: { review: ${review} } }`,
    { folder: at('data') },
  );
  const url = `http://127.0.0.1:${gateway.port}`;
  const as = (name: string, ...line: readonly string[]) =>
    runHere([...line, '--as', name], { PROFFER_URL: url });
  const post = async (path: string, body: JsonObject): Promise<JsonObject> => {
    const headers = { authorization: 'Bearer reviewer', 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await fetch(`${url}/spaces/main${path}`, request)).json()) as JsonObject;
  };
  await using tools = await connect({ url, space: 'main', token: 'tools' });
  await tools.serve([{ name: 'pay', handler: () => 'paid' }]);
  const allowed = await post('/keys/codes', { participant: 'reviewer' });
  const code = textOf(objectOf(allowed['key_code'])['code']);
  const when = Date.now();
  const proof = write(registrationChallenge({ space: 'main', participant: 'reviewer', at: when }));
  await post('/keys', { at: when, code, ed25519: { key, signature: proof } });
  await as('agent', 'propose', 'pay', '--arg', 'amount=100', '--id', 'p-1', '--no-wait');
  const reader = createHttpClient({ url, space: 'main', token: 'reviewer' });
  const { digest } = (await reader.proposal('p-1')).proposal;
  const refused = await post('/proposals/p-1/approve', { digest });
  const decision = objectOf(refused['details'])['decision'] as unknown as SignedDecision;
  const content = { at: Date.now(), digests: [decisionDigest(decision)] };
  const signature = { key, ...content, signature: write(signingChallenge(content)) };
  await post('/proposals/p-1/approve', { digest, signature });
  await as('reviewer', 'evidence', 'p-1', '--out', at('p-1.json'));
  await as('reviewer', 'evidence', 'p-1', '--hide', 'amount', '--out', at('hidden.json'));
  const { payload } = JSON.parse(await readFile(at('p-1.json'), 'utf8')) as { readonly payload: string };
  statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as EvidenceStatement;
});
afterAll(() => home[Symbol.asyncDispose]());

/** A file that whoever has everything but the person's key makes: sealed again, with no log that would show it. */
async function forged(edit: (record: SealedRecord) => SealedRecord | undefined) {
  const { log: _log, ...predicate } = statement.predicate;
  const heads = new Map<string, string>();
  const records = predicate.records.flatMap(({ seq, record }): readonly EvidenceEntry[] => {
    const changed = edit(record as unknown as SealedRecord);
    if (changed === undefined) return [];
    const linked = { ...changed, prev: heads.get(changed.stream) ?? changed.prev };
    const hash = expectedHash(linked);
    heads.set(changed.stream, hash);
    return [{ seq, record: { ...linked, hash } }];
  });
  const steps = predicate.summary.steps.map((step) => {
    const found = records.find(({ seq }) => seq === step.seq);
    return { ...step, who: textOf(found?.record['principal']) };
  });
  const summary = { ...predicate.summary, steps };
  const last = records.findLast(({ record }) => record['stream'] === 'main/proposal/p-1');
  const subject = [{ name: 'main/proposal/p-1', digest: { sha256: textOf(last?.record['hash']) } }];
  const made = signStatement({ ...statement, subject, predicate: { ...predicate, summary, records } }, []);
  await writeFile(at('forged.json'), JSON.stringify(made));
  return await runHere(['verify', at('forged.json')]);
}

const replaced =
  (from: string, to: string) =>
  (record: SealedRecord): SealedRecord =>
    JSON.parse(JSON.stringify(record).replaceAll(from, to)) as SealedRecord;

describe('the evidence of a signed approval', () => {
  it('I-10, O-49: shows whose key signed the decision', async () => {
    const { code, stdout } = await runHere([
      'verify',
      at('p-1.json'),
      '--log-key',
      formatVerifierKey(log.verifier),
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Proved:[^]*reviewer signed the decision at seq \d+, with an Ed25519 key \(\S+\) that was registered at seq \d+/,
    );
    expect(stdout).toContain('policy signing: 1 signed approval from');
    expect(stdout).toMatch(
      /reviewer registered an Ed25519 key \(\S+\), with a code of their own, as an operator/,
    );
  });

  it('I-10, O-49: finds another approver, another call and another key, although everything is sealed again', async () => {
    expect((await forged((record) => record)).code).toBe(0);
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) as JsonObject;
    const ran = statement.predicate.summary.ran ?? '';
    for (const [from, to, why] of [
      ['reviewer"', 'mallory"', 'it is about something else'],
      [`"ranDigest":"${ran}"`, `"ranDigest":"sha256:${'0'.repeat(64)}"`, 'it is about something else'],
      [`"x":"${key}"`, `"x":"${textOf(other['x'])}"`, 'the key did not sign this'],
    ] as const) {
      const { code, stdout } = await forged(replaced(from, to));
      expect(stdout).toContain(`: ${why}`);
      expect(code).toBe(1);
    }
  });

  const edited = (stream: string, edit: (record: SealedRecord) => SealedRecord) => (record: SealedRecord) =>
    record.stream.startsWith(stream) ? edit(record) : record;

  it.each([
    [
      'one that was kept for later',
      edited('main/proposal/', (record) => ({ ...record, time: record.time + 3_600_000 })),
      'the signature was not made then',
    ],
    [
      'one for another definition of the tool',
      replaced('"inputSchema":{', '"description":"pays twice","inputSchema":{'),
      'tools had announced another definition of the tool',
    ],
    [
      'one by a key that somebody else registered',
      edited('main/participant/reviewer', (record) => ({ ...record, stream: 'main/participant/mallory' })),
      'nothing rests on it',
    ],
  ])('I-10, O-49: finds %s, although everything is sealed again', async (_, edit, why) => {
    const { code, stdout } = await forged(edit);
    expect(stdout).toContain(why);
    expect(code).toBe(1);
  });

  it('I-12, O-49: says that a signature is hidden with the call, which nobody could check without it', async () => {
    const text = await readFile(at('hidden.json'), 'utf8');
    const { payload } = JSON.parse(text) as { readonly payload: string };
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString()) as EvidenceStatement;
    const approval = predicate.records.find(({ record }) => 'signed' in objectOf(record['facts']));
    const { payload: said } = objectOf(approval?.record['envelope']);
    expect(textOf(objectOf(said)['signature'])).toMatch(/^hidden:/);
    const { code, stdout } = await runHere([
      'verify',
      at('hidden.json'),
      '--log-key',
      formatVerifierKey(log.verifier),
    ]);
    expect(stdout).toMatch(/The signature of the record at seq \d+ \(fulfilled, reviewer\) is hidden/i);
    expect(stdout).not.toContain('reviewer signed the decision');
    expect(code).toBe(0);
  });

  it('I-10, O-49: says that an approval is not signed that had to be', async () => {
    const { stdout } = await forged((record) => {
      if (record.type === 'key_registered') return undefined;
      const { signed: _signed, ...facts } = record.facts ?? {};
      return { ...record, facts };
    });
    expect(stdout).not.toContain('signed the decision');
    expect(stdout).toMatch(/\(fulfilled, reviewer\) is not signed, although "signing" demanded that/);
  });

  it('I-10, O-49: checks the signatures in a file of everything since a time, also by keys from before that', async () => {
    const line = ['evidence', '--since', new Date(approvedAt()).toISOString(), '--out', at('since.json')];
    await runHere([...line, '--data', at('data')]);
    const { code, stdout } = await runHere(['verify', at('since.json')]);
    expect(stdout).toMatch(/reviewer signed the decision at seq \d+, with an Ed25519 key/);
    expect(code).toBe(0);
  });
});

/** When the first record of the proposal was accepted: after the key was registered. */
function approvedAt(): number {
  const first = statement.predicate.records.find(({ record }) => record['type'] === 'proposed');
  return Number(first?.record['time']);
}
