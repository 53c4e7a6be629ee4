import { describe, expect, it } from 'vitest';
import { useDevGateway } from '../../testing/dev-gateway.js';
import { openSession } from '../../testing/negotiating.js';

const gateway = useDevGateway();

const run = (...args: readonly string[]) => gateway.run('negotiate', ...args);

describe('closed session', () => {
  it('N-4: cannot be cancelled: it reports that nothing was recorded', async () => {
    await using session = await openSession(gateway);
    const { sessionId } = session;
    expect((await run('cancel', sessionId, '--as', 'buyer')).stdout).toContain('✓ Recorded.  CANCELLED');
    const again = await run('cancel', sessionId, '--as', 'buyer');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('The session is already CANCELLED; nothing was recorded.');
    expect(again.stderr).toContain(`proffer negotiate show ${sessionId}`);
    const { code, stdout } = await run('cancel', sessionId, '--as', 'buyer', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'SESSION_NOT_OPEN' } });
  });

  it('N-8: is found by a prefix of its id, and listed with who ended it and why', async () => {
    await using cancelled = await openSession(gateway);
    const { sessionId } = cancelled;
    await run('cancel', sessionId, '--as', 'buyer', '--reason', 'the budget is gone');
    const { stdout } = await run('list', '--all');
    const line = stdout.split('\n').find((text) => text.startsWith(sessionId)) ?? '';
    expect(line).toMatch(/CANCELLED.*by buyer.*a price.*the budget is gone/);
    expect((await run('list')).stdout).not.toContain(sessionId);
    const shown = await run('show', sessionId.slice(0, 13));
    expect(shown.stdout).toContain('Ended  CANCELLED by buyer: the budget is gone');
    const [last] = JSON.parse((await run('list', '--all', '--limit', '1', '--json')).stdout).sessions;
    expect(last).toMatchObject({ session_id: sessionId, ending: { by: 'buyer' } });
  });

  it('reports a session that does not exist', async () => {
    const { code, stderr } = await run('show', '00000000-none');
    expect(code).toBe(1);
    expect(stderr).toContain('No session that you may read has an id that begins with "00000000-none".');
  });
});

describe('session list', () => {
  it('names a few of many participants', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const parties = names.flatMap((name) => ['-p', name]);
    expect((await run('start', 'a crowd', ...parties, '--as', 'p0')).code).toBe(0);
    const { stdout } = await run('list');
    expect(stdout.replace(/\s+/g, ' ')).toContain('p0, p1, p2, p3, p4 and 35 more');
    expect(stdout).not.toContain('p39');
    const all = await run('list', '--json');
    expect(all.stdout).toContain('p39');
    expect(JSON.parse(all.stdout)).toMatchObject({ hasMore: false });
  });

  it('I-7, I-8: says when there are more than one answer holds, and pages through all of them', async () => {
    const crowd = Array.from({ length: 999 }, (_, index) => `${index}-`.padEnd(250, 'n'));
    const ids: string[] = [];
    for (let count = 0; count < 18; count++) {
      await using session = await openSession(gateway, { participants: ['buyer', ...crowd] });
      ids.push(session.sessionId);
    }
    const listed = JSON.parse((await run('list', '--json')).stdout);
    expect(listed).toMatchObject({ hasMore: true });
    const { stdout } = await run('list');
    expect(stdout).toContain('There are older sessions:  proffer negotiate list --all');
    const [oldest = ''] = ids;
    expect(stdout).not.toContain(oldest);
    expect((await run('show', oldest.slice(0, 13))).code).toBe(0);
    const page = JSON.parse((await run('list', '--all', '--limit', '3', '--json')).stdout);
    const before = ['--before', String(page.next)];
    const older = JSON.parse((await run('list', '--all', '--limit', '3', '--json', ...before)).stdout);
    const listedIds = [...older.sessions, ...page.sessions].map(({ session_id }) => session_id);
    expect(listedIds).toEqual(ids.slice(-6));
  });
});

describe('any mode', () => {
  it('N-3: is named at the start, and its messages are sent by their type', async () => {
    const parties = ['-p', 'buyer', '-p', 'seller', '--as', 'buyer'];
    const unknown = await run('start', 'lunch', '--mode', 'macp.mode.vote.v1', ...parties);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('"macp.mode.vote.v1"') });
    await using session = await openSession(gateway);
    const { sessionId } = session;
    const offer = JSON.stringify({ proposal_id: 'p1', title: 'Ten' });
    const sent = await run('send', sessionId, 'Proposal', offer, '--as', 'seller');
    expect(sent.stdout).toContain('✓ Recorded.  OPEN  Negotiating');
    const wrong = await run('send', sessionId, 'Vote', '{}', '--as', 'seller');
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"Vote" is not a message of this session'),
    });
    const replayed = await run('replay', sessionId, '--as', 'seller');
    expect(replayed.stdout).toContain('seller proposes p1  Ten\n');
  });
});
