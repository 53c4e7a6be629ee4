import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { approvalOf, HOUR, sentTo, setUp } from '../testing/decision-links.js';

describe('a decision link', () => {
  it('shows everything as often as asked, decides once, and says so from then on', async () => {
    const { ntfy, post, propose, url, logged, folder, restart } = await setUp();
    const proposal = propose({ text: 'hello' });
    const { key, click } = await sentTo(ntfy);
    expect(click).toContain('/console/#decide=');

    const looked = await post({ key });
    expect(looked).toMatchObject({
      status: 200,
      body: {
        participant: 'reviewer',
        space: 'main',
        proposal: { phase: 'pending', params: { name: 'echo', arguments: { text: 'hello' } } },
        served: { by: 'tools' },
      },
    });
    // Following the link, as mail scanners do, decides nothing.
    expect((await fetch(`${url()}/hooks/decision-link`)).status).toBe(405);
    expect(await post({ key })).toEqual(looked);

    const { digest } = looked.body['proposal'] as { digest: string };
    const wrong = await post({ key, decision: 'approve', digest: 'sha256:00' });
    expect(wrong.body['code']).toBe('digest_mismatch');
    expect(await post({ key, decision: 'approve', digest })).toMatchObject({ status: 200 });
    expect(await proposal).toMatchObject({ content: [{ text: 'hello' }] });
    for (const again of [{ key }, { key, decision: 'approve', digest }, { key, decision: 'reject' }])
      expect((await post(again)).body['code']).toBe('used_link');
    await restart();
    expect(await post({ key })).toMatchObject({ status: 409, body: { code: 'used_link' } });

    // Only a hash is stored, and no log contains the key.
    const [, secret = ''] = key.split('.');
    expect(logged.join('')).not.toContain(secret);
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (file.isFile())
        expect(await readFile(join(file.parentPath, file.name), 'latin1')).not.toContain(secret);
  });

  it('approves what the page showed, whatever else is posted', async () => {
    const { ntfy, post, propose, enter } = await setUp();
    const proposal = propose({ text: 'hello' });
    const { key } = await sentTo(ntfy);
    const shown = approvalOf(key, (await post({ key })).body);
    // Another participant that serves the same tool, and would answer anything.
    const other = await enter('other');
    await other.serve([{ name: 'echo', handler: () => 'forged' }]);
    for (const [more, code] of [
      [{ executor: 'other' }, 'changed_since_shown'],
      [{ executor: ['other'] }, 'changed_since_shown'],
      [{ definition: 'sha256:00' }, 'changed_since_shown'],
      [{ params: { name: 'echo', arguments: { text: 'bye' } } }, 'invalid_field'],
      [{ seen: { insteadOf: 'tools' } }, 'invalid_field'],
      [{ to: ['other'] }, 'invalid_field'],
      [{ batch: 'b' }, 'invalid_field'],
      [{ proposal: 'p2', space: 'lab', participant: 'agent' }, 'invalid_field'],
      [{ reason: 'unsafe' }, 'invalid_field'],
      [{ decision: 'reject', reason: 'unsafe' }, 'invalid_field'],
      [{ decision: 'counter', params: {} }, 'invalid_field'],
      [{ digest: 'sha256:00' }, 'digest_mismatch'],
    ] as const)
      expect([more, (await post({ ...shown, ...more })).body['code']]).toEqual([more, code]);
    expect((await post({ key })).body['proposal']).toMatchObject({ phase: 'pending', approvals: [] });
    expect((await post(shown)).status).toBe(200);
    expect(await proposal).toMatchObject({ content: [{ text: 'hello' }] });
  });

  it('O-26, O-35: approves nothing that changed while the page was open', async () => {
    const { ntfy, post, propose, enter, tools } = await setUp();
    void propose({ text: 'hello' });
    const { key } = await sentTo(ntfy);
    const shown = async () => approvalOf(key, (await post({ key })).body);
    const first = await shown();
    const reviewer = await enter('reviewer');
    await reviewer.reject(reviewer.pending[0]?.id ?? '', 'busy');
    expect((await post(first)).body).toMatchObject({ code: 'changed_since_shown' });
    const second = await shown();
    await tools().serve([{ name: 'echo', description: 'Sends it to everyone.', handler: () => '' }]);
    expect((await post(second)).body).toMatchObject({ details: { changed: ['definition'] } });
    // Somebody new would run it: a link does not let them in.
    const third = await shown();
    await tools().close();
    const other = await enter('other');
    await other.serve([{ name: 'echo', handler: () => 'forged' }]);
    await expect
      .poll(async () => (await post({ key })).body)
      .toMatchObject({ may: ['reject'], signIn: expect.stringContaining('tools') });
    for (const decision of [third, await shown()])
      expect((await post(decision)).body).toMatchObject({ code: 'sign_in_required' });
  });

  it('O-35: a button approves nothing that changed since its message', async () => {
    const { ntfy, post, propose, enter, tools } = await setUp();
    const pressed = async (count: number) => {
      const { actions } = await sentTo(ntfy, count);
      return JSON.parse(actions.find(({ label }) => label === 'Approve')?.body ?? '{}') as object;
    };
    const first = propose({ text: 'one' });
    const one = await pressed(1);
    const reviewer = await enter('reviewer');
    await reviewer.reject(first.id, 'busy');
    expect((await post(one)).body).toMatchObject({ details: { changed: ['objection'] } });
    const second = propose({ text: 'two' });
    const two = await pressed(2);
    await tools().serve([
      { name: 'echo', description: 'Deletes the disk.', handler: () => 'other tool ran' },
    ]);
    expect((await post(two)).body).toMatchObject({
      code: 'changed_since_shown',
      details: { changed: ['definition'] },
    });
    await first.withdraw();
    await second.withdraw();
  });

  it('of two different decisions at the same moment, one counts', async () => {
    const { ntfy, post, propose } = await setUp();
    const proposal = propose({ text: 'race' });
    const { key } = await sentTo(ntfy);
    const { digest } = (await post({ key })).body['proposal'] as { digest: string };
    const both = await Promise.all([
      post({ key, decision: 'approve', digest }),
      post({ key, decision: 'reject', reason: 'disagree' }),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    await proposal.catch(() => {});
  });

  it('expires after an hour, and with the proposal', async () => {
    const { ntfy, post, propose, passes } = await setUp();
    const first = propose({ text: 'one' });
    const { key } = await sentTo(ntfy);
    await first.withdraw();
    expect((await post({ key })).body).toMatchObject({
      code: 'proposal_not_pending',
      details: { space: 'main' },
    });
    const second = propose({ text: 'two' });
    const { key: late } = await sentTo(ntfy, 3);
    passes(HOUR);
    expect((await post({ key: late })).body).toMatchObject({ code: 'expired_link' });
    expect((await post({ key: late, decision: 'reject', reason: 'unsafe' })).status).toBe(409);
    await second.withdraw();
  });

  it("is refused without the right key: a guess, someone else's key, or a removed route", async () => {
    const { ntfy, post, propose } = await setUp();
    void propose({ text: 'x' });
    const { key } = await sentTo(ntfy);
    const [place] = key.split('.');
    for (const guess of ['', 'x', `${place}.`, `${place}.${'A'.repeat(43)}`, key.slice(0, -1), `${key}A`])
      expect((await post({ key: guess })).body['code']).toBe('unknown_link');
    expect((await post({})).body['code']).toBe('missing_field');
    expect((await post({ key, decision: 'both' })).body['code']).toBe('invalid_field');
  });

  it('O-49: rejects, and does not approve what has to be signed; nor is there a button for that', async () => {
    const { ntfy, post, propose } = await setUp({
      review: '{ name: signing, call: "mcp.request.tools/call:*", signed: true }',
    });
    propose({ text: 'x' }).catch(() => {});
    const { key, actions } = await sentTo(ntfy);
    expect(actions.map(({ label }) => label)).toEqual(['Review', 'Reject']);
    const looked = await post({ key });
    expect(looked.body).toMatchObject({
      may: ['reject'],
      signIn: expect.stringContaining('has to be signed'),
    });
    expect((await post(approvalOf(key, looked.body))).body['code']).toBe('sign_in_required');
    expect(await post({ key, decision: 'reject', reason: 'unsafe' })).toMatchObject({ status: 200 });
  });

  it('never counts if more than one approval is needed', async () => {
    const { ntfy, post, propose } = await setUp({
      review: '{ name: two, call: "mcp.request.tools/call:*", approvals: 2 }',
    });
    void propose({ text: 'x' });
    const { key } = await sentTo(ntfy);
    const looked = await post({ key });
    expect(looked.body).toMatchObject({ may: [], signIn: expect.stringContaining('needs 2 approvals') });
    const { digest } = looked.body['proposal'] as { digest: string };
    for (const decision of [
      { decision: 'approve', digest },
      { decision: 'reject', reason: 'unsafe' },
    ])
      expect(await post({ key, ...decision })).toMatchObject({
        status: 403,
        body: { code: 'sign_in_required' },
      });
  });

  it('hides redacted fields, and cannot approve a call that has them', async () => {
    const { ntfy, post, propose, url } = await setUp({ redact: 'password' });
    const { id } = propose({ text: 'x', password: 'hunter2' });
    const { key, actions } = await sentTo(ntfy);
    expect(actions.map(({ label }) => label)).toEqual(['Review', 'Reject']);
    const countered = await fetch(`${url()}/spaces/main/proposals/${id}/counter`, {
      method: 'POST',
      headers: { authorization: 'Bearer reviewer' },
      body: JSON.stringify({ arguments: { text: 'y', password: 'hunter22' }, reason: 'Longer.' }),
    });
    expect(countered.status).toBe(200);
    const looked = await post({ key });
    expect(JSON.stringify(looked)).not.toContain('hunter2');
    const { digest } = looked.body['proposal'] as { digest: string };
    expect((await post({ key, decision: 'approve', digest })).body['code']).toBe('sign_in_required');
    expect((await post({ key, decision: 'reject', reason: 'unsafe' })).status).toBe(200);
  });

  it('shows the reason without its secrets', async () => {
    const { ntfy, post, propose } = await setUp();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    void propose({ text: 'x' }, `deploy with ${token}`);
    const { key } = await sentTo(ntfy);
    const looked = await post({ key });
    expect(looked.body['reason']).toBe('deploy with [redacted]');
    expect(JSON.stringify(looked)).not.toContain(token);
  });

  it("is used in a phone's buttons only if the operator enables it", async () => {
    const { ntfy, propose } = await setUp();
    const proposal = propose({ text: 'pressed' });
    const { actions } = await sentTo(ntfy);
    const approve = actions.find(({ label }) => label === 'Approve');
    expect(approve?.url).not.toContain('decide=');
    const pressed = await fetch(approve?.url ?? '', { method: 'POST', body: approve?.body ?? '' });
    expect(pressed.status).toBe(200);
    expect(await proposal).toMatchObject({ content: [{ text: 'pressed' }] });

    const careful = await setUp({ links: '' });
    void careful.propose({ text: 'x' });
    const sent = await sentTo(careful.ntfy);
    expect(sent.click).toMatch(/\/console\/main\/inbox\/[^#]+$/);
    expect(sent.actions.map(({ label }) => label)).toEqual(['Review']);
    expect((await careful.post({ key: 'x' })).status).toBe(404);
  });
});
