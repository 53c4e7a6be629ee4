import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Participant } from '@proffer/client';
import { loopbackConfig, startGateway } from '@proffer/gateway';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL_TYPES } from '../channels/registry.js';
import { notifyCompanion } from '../companion.js';
import { type HttpReceiver, receiveHttp } from '../testing/receivers.js';

const HOUR = 3_600_000;

/** A gateway whose messages to the reviewer contain decision links. */
async function setUp({ links = 'links: bearer', review = '', redact = '' } = {}) {
  const ntfy = await receiveHttp();
  onTestFinished(() => ntfy[Symbol.asyncDispose]());
  const folder = await mkdtemp(join(tmpdir(), 'proffer-links-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const yaml = `dev: true
${review === '' ? '' : `spaces: { main: { review: [${review}] } }`}
notify:
  ${links}
  redact: [${redact}]
  channels: { phone: { type: ntfy, server: "${ntfy.url}" } }
  participants: { reviewer: [{ channel: phone, to: t, digest: 0s }] }
`;
  let ahead = 0;
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => logged.push(line) });
  async function start() {
    const started = await startGateway({
      config: {
        ...loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
        journal: { backend: 'local', path: folder },
      },
      log,
      companions: [notifyCompanion],
      clock: () => Date.now() + ahead,
    });
    if (!started.ok) throw new Error(started.refusal.message);
    return started.value;
  }
  let gateway = await start();
  onTestFinished(() => gateway.close());
  const url = () => `http://127.0.0.1:${gateway.address.port}`;
  const enter = async (token: string): Promise<Participant> => {
    const participant = await connect({ url: url(), token, space: 'main' });
    onTestFinished(() => participant.close());
    return participant;
  };
  const serve = async () => (await enter('tools')).serve([{ name: 'echo', handler: ({ text }) => text }]);
  await serve();
  const agent = await enter('agent');
  const post = async (body: object) => {
    const response = await fetch(`${url()}/hooks/decision-link`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    ntfy,
    logged,
    folder,
    post,
    url,
    restart: async () => {
      await gateway.close();
      gateway = await start();
      await serve();
    },
    passes: (span: number) => {
      ahead += span;
    },
    propose: (given: Record<string, string>) => {
      const proposal = agent.propose('tools/call', { name: 'echo', arguments: given }, { ttl: 3 * HOUR });
      proposal.catch(() => {});
      return proposal;
    },
  };
}

interface Sent {
  readonly click: string;
  readonly actions: readonly { readonly label: string; readonly url: string; readonly body?: string }[];
}

async function sentTo(ntfy: HttpReceiver, count = 1) {
  const received = await ntfy.until(count);
  const sent = JSON.parse(received[count - 1]?.body ?? '{}') as Sent;
  return { ...sent, key: new URL(sent.click).hash.slice('#decide='.length) };
}

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
