import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevGateway, startDevGateway } from '../testing/dev-gateway.js';
import { openSession } from '../testing/negotiating.js';

let gateway: DevGateway;
beforeAll(async () => {
  gateway = await startDevGateway();
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

const run = (...args: readonly string[]) => gateway.run('negotiate', ...args);

describe('a session that is over', () => {
  it('N-4: cannot be cancelled: nothing was recorded, and that is said', async () => {
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

  it('is named by its whole id once it left the list, and whoever writes the beginning is told so', async () => {
    const { code, stderr } = await run('show', '00000000-none');
    expect(code).toBe(1);
    expect(stderr).toContain('One that ended more than a minute ago is named by its whole id.');
  });
});

describe('the list of sessions', () => {
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

  it('I-7: says that there are more than one answer holds, and so does what looks for one there', async () => {
    const crowd = Array.from({ length: 999 }, (_, index) => `${index}-`.padEnd(250, 'n'));
    const ids: string[] = [];
    for (let count = 0; count < 18; count++) {
      await using session = await openSession(gateway, { participants: ['buyer', ...crowd] });
      ids.push(session.sessionId);
    }
    const listed = JSON.parse((await run('list', '--json')).stdout);
    expect(listed).toMatchObject({ hasMore: true });
    const { stdout } = await run('list');
    expect(stdout).toMatch(
      /among the newest \d+ sessions: there are older ones, and one answer holds no more/,
    );
    const [oldest = ''] = ids;
    expect(stdout).not.toContain(oldest);
    const { code, stderr } = await run('show', oldest.slice(0, 13));
    expect(code).toBe(1);
    expect(stderr).toContain('None of the newest sessions that you may read begins with');
    expect(stderr).toContain(
      'An older one, or one that ended more than a minute ago, is named by its whole id.',
    );
    expect((await run('show', oldest)).code).toBe(0);
    const newest = ids.at(-1) ?? '';
    const unsure = await run('cancel', newest.slice(0, 13));
    expect(unsure.code).toBe(2);
    expect(unsure.stderr).toContain(`an older one may, too: write the whole id, ${newest}.`);
  });
});
