import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { TreeKeeper } from '@proffer/evidence';
import { treeHashes } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { EVERY_SPACE, openLocalJournal } from '@proffer/journal';
import { collect } from '@proffer/journal/testing';
import { describe, expect, it } from 'vitest';
import { createConnection } from '../connection/connection.js';
import { proposalMessage, rejectionMessage, withdrawalMessage } from '../connection/envelopes.js';
import { temporaryFolder } from '../testing/cli.js';
import { startDevGateway } from '../testing/dev-gateway.js';
import { runHere } from '../testing/in-process.js';

const DAY = 86_400_000;

/** A journal with entries that ended 40 and 10 days ago, and older pending ones. */
async function agedJournal(folder: string): Promise<void> {
  const clock = { now: Date.now() - 40 * DAY };
  await using started = await startOnLoopback('dev: true\nlisten: { grpc: off }', {
    folder,
    clock: () => clock.now,
  });
  const url = `http://127.0.0.1:${started.port}`;
  const as = (token: string) =>
    createConnection({ url, space: 'main', token, assumed: false, given: {} }, 'proffer');
  const params = { name: 'echo', arguments: {} };
  const propose = (id: string) => as('agent').send(proposalMessage(id, { method: 'tools/call', params }, {}));
  for (const id of ['old-1', 'old-2', 'young', 'pending']) await propose(id);
  await as('reviewer').send(rejectionMessage(['old-1'], 'busy', undefined));
  await as('agent').send(withdrawalMessage(['old-1', 'old-2'], undefined));
  await cancelledSession(url);
  clock.now += 30 * DAY;
  await as('agent').send(withdrawalMessage(['young'], undefined));
}

/** A session with two records: started and cancelled. */
async function cancelledSession(url: string): Promise<void> {
  const session_id = randomUUID();
  const post = async (path: string, body: object): Promise<void> => {
    const headers = { authorization: 'Bearer agent', 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(await answer.json()).toMatchObject({ ok: true });
  };
  await post('/macp/envelope', {
    macp_version: '1.0',
    mode: 'macp.mode.proposal.v1',
    message_type: 'SessionStart',
    message_id: 'start',
    session_id,
    sender: 'agent',
    payload: {
      intent: 'agree',
      participants: ['agent', 'other'],
      mode_version: '1.0.0',
      configuration_version: '1',
      ttl_ms: 60_000,
    },
  });
  await post(`/macp/session/${session_id}/cancel`, { reason: 'enough' });
}

async function idsIn(data: string): Promise<readonly string[]> {
  const { stdout } = await runHere(['replay', '--data', data, '--json']);
  const { spaces } = JSON.parse(stdout) as { spaces: { main: { proposals: Record<string, unknown> } } };
  return Object.keys(spaces.main.proposals);
}

describe('proffer compact', () => {
  it('removes what ended before the given age, and never what is pending', async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'journal');
    await agedJournal(data);
    const all = ['old-1', 'old-2', 'young', 'pending'];

    const dry = await runHere(['compact', '--data', data, '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      folder: data,
      dryRun: true,
      proposals: 2,
      sessions: 1,
      records: 7,
    });
    expect(await idsIn(data)).toEqual(all);

    const done = await runHere(['compact', '--journal', data]);
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Removed 2 proposals and 1 session with 7 records'),
    });
    expect(await idsIn(data)).toEqual(['young', 'pending']);
    expect(await runHere(['verify', '--data', data])).toMatchObject({ code: 0 });

    const again = await runHere(['compact', '--data', data]);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is removed') });
    const more = await runHere(['compact', '--data', data, '--older-than', '5d', '--json']);
    expect(JSON.parse(more.stdout)).toMatchObject({ dryRun: false, proposals: 1, sessions: 0, records: 2 });
    expect(await idsIn(data)).toEqual(['pending']);
  });

  it('refuses a folder that a gateway has open, with advice; a dry run still counts', async () => {
    await using gateway = await startDevGateway();
    await gateway.run('propose', 'echo', '--arg', 'text=x', '--id', 'p1', '--no-wait');
    const refused = await runHere(['compact', '--data', gateway.data]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('is using the journal in');
    expect(refused.stderr).toContain('retention: 30d');
    const dry = await runHere(['compact', '--data', gateway.data, '--dry-run', '--json']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ proposals: 0, records: 0 });
  });

  it('rejects nonsensical ages before touching anything', async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'nowhere');
    const short = await runHere(['compact', '--data', data, '--older-than', '5m']);
    expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('at least 1h') });
    const none = await runHere(['compact', '--data', data]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('not found.') });
  });

  it('keeps what a signed log says about removed records', async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'journal');
    await agedJournal(data);
    const opened = await openLocalJournal(data);
    if (!opened.ok) throw new Error(opened.refusal.message);
    const tree = await TreeKeeper.open(opened.value.tree, treeHashes);
    const [first] = await collect(opened.value.feed(EVERY_SPACE, 0, { follow: false }), 1);
    if (first !== undefined) tree.add([first]);
    await tree.save();
    await opened.value.close();
    expect(await runHere(['compact', '--data', data])).toMatchObject({ code: 0 });
    const { code, stdout } = await runHere(['verify', '--data', data]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\d records are gone: the journal says that retention removed them/);
  });
});
