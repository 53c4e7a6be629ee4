import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkSignatures,
  MAX_EVIDENCE_SIZE,
  parseCheckpoint,
  parseVerifierKey,
  provesConsistency,
  provesInclusion,
} from '@proffer/evidence';
import { formatSignerKey, makeSignerKey, sha256, treeHashes, verifyEd25519 } from '@proffer/evidence/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, post } from '../../testing/peers/http.js';
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.js';

let home: string;
let gateway: TestGateway;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'proffer-evidence-'));
  const key = join(home, 'log.key');
  await writeFile(key, `${formatSignerKey(makeSignerKey('proffer.example/log'))}\n`);
  gateway = await startTestGateway(`dev: true\nevidence: { key: ${JSON.stringify(key)} }`);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

const chat = (id: string) => ({ id, kind: 'chat', payload: { text: 'Hello.' } });

async function bytesAt(path: string): Promise<Uint8Array> {
  const response = await fetch(`${gateway.http}${path}`, { headers: { authorization: 'Bearer agent' } });
  expect([path, response.status]).toEqual([path, 200]);
  return new Uint8Array(await response.arrayBuffer());
}

async function signed(method: 'GET' | 'POST') {
  const response = await fetch(`${gateway.http}/checkpoint`, {
    method,
    headers: { authorization: 'Bearer agent' },
  });
  const answer = method === 'GET' ? await response.text() : await response.json();
  const checkpoint = parseCheckpoint(
    typeof answer === 'string' ? answer : (answer as { checkpoint: string }).checkpoint,
  );
  if (checkpoint === undefined) throw new Error('The answer is not a checkpoint.');
  return checkpoint;
}

const hashesIn = (body: object): readonly Uint8Array[] =>
  (body as { hashes: string[] }).hashes.map((hash) => Buffer.from(hash, 'base64'));

describe('the signed log of a gateway', () => {
  it('is signed with the keys it names', async () => {
    const { body } = await ask(`${gateway.http}/checkpoint/keys`, 'agent');
    const [key = ''] = (body as { keys: string[] }).keys;
    const verifier = parseVerifierKey(key, sha256);
    if (verifier === undefined) throw new Error('There is no key.');
    const checkpoint = await signed('POST');
    expect(checkpoint.origin).toBe('proffer.example/log');
    expect(await checkSignatures(checkpoint.note, [verifier], verifyEd25519)).toEqual([{ key: verifier }]);
  });

  it('proves each record by its seq, from tiles and by proofs', async () => {
    const { body: accepted } = await post(gateway.http, 'agent', chat('a1'));
    const earlier = await signed('POST');
    await post(gateway.http, 'agent', chat('a2'));
    const { size, root } = await signed('POST');
    expect(size).toBeGreaterThan(earlier.size);

    const seq = (accepted as { seq: number }).seq;
    const { body } = await ask(`${gateway.http}/proof/inclusion?seq=${seq}`, 'agent');
    const { index } = body as { index: number };
    const tile = await bytesAt(`/tile/0/000.p/${size}`);
    const leaf = tile.slice(index * 32, (index + 1) * 32);
    expect(provesInclusion({ leaf, index, size, root }, hashesIn(body), treeHashes)).toBe(true);
    const entries = await bytesAt(`/tile/entries/000.p/${size}`);
    expect(treeHashes.leaf(entries.slice(index * 42 + 2, (index + 1) * 42))).toEqual(leaf);

    const { body: consistency } = await ask(
      `${gateway.http}/proof/consistency?from=${earlier.size}`,
      'agent',
    );
    const states = { earlier: earlier.size, earlierRoot: earlier.root, size, root };
    expect(provesConsistency(states, hashesIn(consistency), treeHashes)).toBe(true);
  });

  it.each([
    ['/tile/0/001', 'unknown_route'],
    ['/tile/9/000', 'unknown_route'],
    ['/tile/0/%2e%2e%2fentries/000', 'unknown_route'],
    ['/tile/entries/x001/000', 'unknown_route'],
    ['/proof/inclusion?seq=999999', 'not_in_log'],
    ['/proof/inclusion?seq=-1', 'invalid_field'],
    ['/proof/consistency?from=5&to=2', 'not_in_log'],
    ['/proof/consistency?from=1e9', 'invalid_field'],
  ])('GET %s is refused with %s', async (path, code) => {
    expect((await ask(`${gateway.http}${path}`, 'agent')).code).toBe(code);
  });
});

it('I-10, O-43: an evidence file shows only what its reader may see', async () => {
  const yaml = 'dev: true\nspaces: { main: { visibility: addressed } }';
  await using hiding = await startTestGateway(yaml);
  const payload = { method: 'tools/call', params: { name: 'pay', arguments: { amount: 9 } } };
  const proposal = { id: 'p-1', kind: 'mcp.proposal.tools/call:pay', to: ['bob'], payload };
  await post(hiding.http, 'agent', proposal);
  const of = (who: string, path: string) => ask(`${hiding.http}/spaces/main${path}`, who);
  expect((await of('bob', '/proposals/p-1/evidence')).status).toBe(200);
  expect((await of('eve', '/proposals/p-1/evidence')).code).toBe('unknown_proposal');
  expect((await of('bob', '/evidence?since=0')).status).toBe(200);
  expect((await of('eve', '/evidence?since=0')).code).toBe('not_in_log');
});

it('I-7, I-10: records that are too large for one evidence file are refused', async () => {
  await using busy = await startTestGateway();
  const text = 'x'.repeat(1_000_000);
  const many = Math.ceil(MAX_EVIDENCE_SIZE / text.length);
  for (let index = 0; index < many; index++)
    await post(busy.http, 'agent', { id: `c${index}`, kind: 'chat', payload: { text } });
  const answer = () => ask(`${busy.http}/spaces/main/evidence?since=0`, 'agent');
  expect(await answer()).toMatchObject({ status: 413, code: 'too_much_evidence' });
});

it('I-12: hides arguments of a proposal and of nothing else, and says why not', async () => {
  const of = (path: string) => ask(`${gateway.http}/spaces/main${path}`, 'agent');
  const since = await of('/evidence?since=0&hide=amount');
  expect(since).toMatchObject({ status: 400, code: 'cannot_hide' });
  const payload = { method: 'tools/call', params: { name: 'pay', arguments: { amount: 9 } } };
  await post(gateway.http, 'agent', { id: 'p-1', kind: 'mcp.proposal.tools/call:pay', payload });
  expect((await of('/proposals/p-1/evidence')).status).toBe(200);
  // It was not asked for before the call was proposed.
  const hidden = await of('/proposals/p-1/evidence?hide=amount');
  expect(hidden).toMatchObject({ status: 400, code: 'cannot_hide' });
});
