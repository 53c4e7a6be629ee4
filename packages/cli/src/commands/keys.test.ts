import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { makeSigningKey, registration, signerWith } from '@proffer/client/participation';
import { startOnLoopback } from '@proffer/gateway';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../testing/in-process.js';

const SIGNED = `
dev: true
capabilities: { all: ['*'] }
participants:
  ann: { spaces: { main: all } }
  bob: { spaces: { main: all } }
  sdk: { spaces: { main: all } }
spaces:
  main:
    review: [{ name: echoes, call: "mcp.request.tools/call:echo", signed: true }]
`;

let started: Awaited<ReturnType<typeof startOnLoopback>>;
let tools: Participant;
let home = '';
let url = '';
beforeAll(async () => {
  started = await startOnLoopback(SIGNED);
  url = `http://127.0.0.1:${started.port}`;
  home = mkdtempSync(join(tmpdir(), 'proffer-keys-'));
  tools = await connect({ url, space: 'main', token: 'tools' });
  await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
});
afterAll(async () => {
  await tools.close();
  await started[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

/** Runs a command as a participant, each with a home of its own. */
const as = (name: string, ...line: readonly string[]) =>
  runHere([...line, '--as', name], { PROFFER_URL: url, PROFFER_HOME: join(home, name) });
const propose = (id: string) =>
  as('agent', 'propose', 'echo', '--arg', `text=${id}`, '--id', id, '--no-wait');

async function codeFor(name: string): Promise<string> {
  const { stdout } = await as('bob', 'keys', 'allow', name, '--json');
  return (JSON.parse(stdout) as { key_code: { code: string } }).key_code.code;
}

/** What the signature under the approval of a proposal covers, as recorded. */
async function digestsOf(proposal: string): Promise<unknown> {
  const answer = await fetch(`${url}/spaces/main/feed?records=true`, {
    headers: { authorization: 'Bearer bob' },
  });
  const { messages } = (await answer.json()) as { messages: readonly Recorded[] };
  const found = messages.find(
    ({ record }) => record.type === 'fulfilled' && record.facts.proposal === proposal,
  );
  return found?.record.envelope?.payload.signature.digests;
}

describe('keys', () => {
  it('O-49: approve signs by itself with a key on this machine, and says how to make one', async () => {
    await propose('first');
    const unsigned = await as('ann', 'approve', 'first');
    expect(unsigned).toMatchObject({ code: 1, stderr: expect.stringContaining('has to be signed') });
    expect(unsigned.stderr).toContain('keys add --code CODE');
    expect(await as('ann', 'keys', 'add')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('keys allow NAME'),
    });
    expect(await as('ann', 'keys', 'add', '--code', 'wrong')).toMatchObject({ code: 1 });
    const added = await as('ann', 'keys', 'add', '--code', await codeFor('ann'), '--label', 'laptop');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('ann signs with the key') });
    expect((await as('bob', 'keys')).stdout).toMatch(/ann {2}key {2}laptop/);
    expect((await as('ann', 'keys', 'list')).stdout).toContain('key on this machine');
    expect(await as('ann', 'approve', 'first')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('first'),
    });
    const { stdout: listed } = await as('bob', 'keys', '--json');
    const { keys } = JSON.parse(listed) as { keys: readonly { readonly id: string }[] };
    expect((await as('bob', 'show', 'first')).stdout).toContain(
      `approved this call, signed with the key ${keys[0]?.id.slice(0, 12)}…; tools runs it`,
    );
    // Another one needs no code: the first key signs for it.
    expect(await as('ann', 'keys', 'add', '--label', 'spare')).toMatchObject({ code: 0 });
  });

  it('O-35, O-49: several are signed together', async () => {
    for (const id of ['one', 'two']) await propose(id);
    expect(await as('ann', 'approve', 'one', 'two')).toMatchObject({ code: 0 });
    expect(await digestsOf('one')).toHaveLength(2);
    expect(await digestsOf('two')).toEqual(await digestsOf('one'));
  });

  it('O-49: a revoked key no longer counts, and its private part is gone; the file is only for its owner', async () => {
    const file = join(home, 'ann', 'signing-keys.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { stdout } = await as('ann', 'keys', '--json');
    const { keys } = JSON.parse(stdout) as { keys: readonly { readonly id: string }[] };
    for (const { id } of keys) {
      // As with a variable of a script that is not set.
      expect(await as('bob', 'keys', 'revoke', '')).toMatchObject({ code: 1 });
      expect(await as('bob', 'keys', 'revoke', id.slice(0, 12))).toMatchObject({ code: 0 });
    }
    await propose('late');
    expect(await as('ann', 'approve', 'late')).toMatchObject({ code: 1 });
    expect(readFileSync(file, 'utf8')).toContain(keys[0]?.id);
    expect(await as('ann', 'keys', 'revoke', 'nothing')).toMatchObject({ code: 1 });
    chmodSync(file, 0o644);
    const { stderr } = await as('ann', 'keys', 'add', '--code', 'any');
    expect(stderr).toContain('others can read it');
    chmodSync(file, 0o600);
  });

  it('O-49: no key has an id that a command line takes for an option', () => {
    const ids = Array.from({ length: 1000 }, () => makeSigningKey().x);
    expect(ids.filter((id) => id.startsWith('-'))).toEqual([]);
  });

  it('O-49: a program passes a signer to connect, and signs only what it was shown', async () => {
    const key = makeSigningKey();
    const participant = await connect({ url, space: 'main', token: 'sdk', signer: signerWith(key) });
    const by = { code: await codeFor('sdk') };
    const payload = await registration(key, { space: 'main', participant: 'sdk', by });
    await participant.send({ kind: 'mcpx.register.key', payload });
    for (const id of ['s1', 's2', 's3']) await propose(id);
    const params = { name: 'echo', arguments: { text: 's1' } };
    const proposal = { id: 's1', method: 'tools/call', params };
    const shown = { executor: 'tools', definition: `sha256:${'0'.repeat(64)}` };
    await expect(participant.approve(proposal, { seen: shown })).rejects.toMatchObject({
      code: 'changed_since_shown',
    });
    expect(await participant.approve(proposal)).toMatchObject({ isComplete: true });
    const pending = participant.pending.filter(({ id }) => id === 's2' || id === 's3');
    const outcomes = await participant.approveAll(pending);
    expect(outcomes).toMatchObject([{ outcome: 'approved' }, { outcome: 'approved' }]);
    await participant.close();
  });
});

interface Recorded {
  readonly record: {
    readonly type: string;
    readonly facts: { readonly proposal?: string };
    readonly envelope?: { readonly payload: { readonly signature: { readonly digests: unknown } } };
  };
}
