import { createHmac } from 'node:crypto';
import { connect, type Participant } from '@proffer/client';
import { type Gateway, loopbackConfig, startGateway } from '@proffer/gateway';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notifyCompanion } from '../companion.js';
import { type HttpReceiver, type Received, receiveHttp } from '../testing/receivers.js';
import { CHANNEL_TYPES } from './registry.js';

const SECRET = 'a signing secret of an app';

interface Blocks {
  readonly blocks: readonly { readonly elements?: readonly { action_id: string; value?: string }[] }[];
}

/** A gateway that notifies the reviewer through our own Slack server, and what its user U1 does there. */
async function setUp(space = '{}') {
  const slack = await receiveHttp((_, count) => ({
    status: 200,
    body: JSON.stringify({ ok: true, channel: 'C1', ts: `${count}.0` }),
  }));
  onTestFinished(() => slack[Symbol.asyncDispose]());
  const yaml = `dev: true
spaces: { main: ${space} }
notify:
  channels:
    team: { type: slack, token: xoxb-1, signing_secret: "${SECRET}", api: "${slack.url}", users: { T1/U1: reviewer, T1/U2: agent } }
  participants: { reviewer: [{ channel: team, to: C1, digest: 0s }] }
`;
  const config = {
    ...loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
    journal: { backend: 'memory' } as const,
  };
  const started = await startGateway({
    config,
    log: pino({ level: 'silent' }),
    companions: [notifyCompanion],
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const gateway: Gateway = started.value;
  onTestFinished(() => gateway.close());
  const url = `http://127.0.0.1:${gateway.address.port}`;
  const join = async (token: string): Promise<Participant> => {
    const participant = await connect({ url, token, space: 'main' });
    onTestFinished(() => participant.close());
    return participant;
  };
  const tools = await join('tools');
  await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
  const agent = await join('agent');

  /** Presses a button of a message, with the request that Slack would send. */
  async function press(
    posted: Received | undefined,
    action: 'proffer_approve' | 'proffer_reject',
    {
      user = 'U1',
      secret = SECRET,
      age = 0,
      value,
    }: { user?: string; secret?: string; age?: number; value?: string } = {},
  ): Promise<number> {
    const { blocks } = JSON.parse(posted?.body ?? '{}') as Blocks;
    const button = blocks
      .flatMap(({ elements = [] }) => elements)
      .find(({ action_id }) => action_id === action);
    const payload = {
      type: 'block_actions',
      user: { id: user, team_id: 'T1', name: 'reviewer' },
      response_url: `${slack.url}/respond`,
      actions: [{ action_id: action, value: value ?? button?.value }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const time = String(Math.floor(Date.now() / 1_000) - age);
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')}`;
    const response = await fetch(`${url}/hooks/slack-team`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': time,
        'x-slack-signature': signature,
      },
      body,
    });
    return response.status;
  }
  const propose = (text: string) =>
    agent.propose('tools/call', { name: 'echo', arguments: { text } }, { ttl: 60_000 });
  return { slack, propose, press, tools };
}

const pathsOf = ({ received }: HttpReceiver): readonly string[] => received.map(({ path }) => path);

describe('a button in Slack', () => {
  it('O-12, O-25: approves exactly what was shown, as the participant, and updates the message', async () => {
    const { slack, propose, press } = await setUp();
    const proposal = propose('hello');
    const [posted] = await slack.until(1);
    expect(await press(posted, 'proffer_approve')).toBe(200);
    expect(await proposal).toMatchObject({ content: [{ text: 'hello' }] });
    const [, updated] = await slack.until(2);
    expect(updated?.path).toBe('/chat.update');
    expect(updated?.body).toContain('Approved by reviewer');
    // Pressed once more, before the message was updated.
    expect(await press(posted, 'proffer_approve', { age: 100 })).toBe(200);
    const [, , remark] = await slack.until(3);
    expect(remark).toMatchObject({ path: '/respond' });
    expect(JSON.parse(remark?.body ?? '{}')).toMatchObject({ response_type: 'ephemeral' });
  });

  it('O-35: approves nothing that changed since the message, or whose message does not say what it showed', async () => {
    const { slack, propose, press, tools } = await setUp();
    const proposal = propose('hello');
    const [posted] = await slack.until(1);
    const { blocks } = JSON.parse(posted?.body ?? '{}') as Blocks;
    const { seen: _, ...old } = JSON.parse(blocks[2]?.elements?.[0]?.value ?? '{}') as { seen: object };
    await press(posted, 'proffer_approve', { value: JSON.stringify(old) });
    await tools.serve([{ name: 'echo', description: 'Deletes the disk.', handler: () => 'other tool ran' }]);
    await press(posted, 'proffer_approve');
    const remarks = (await slack.until(3)).slice(1);
    expect(remarks.map(({ path, body }) => [path, (JSON.parse(body) as { text: string }).text])).toEqual([
      ['/respond', expect.stringContaining('did not show who would run')],
      ['/respond', expect.stringContaining('the definition of the tool changed')],
    ]);
    await proposal.withdraw();
    await expect(proposal).rejects.toThrow('withdrawn');
  });

  it.each([
    ['O-49: has to be signed', '{ signed: true }'],
    [
      'O-53: is given in a session',
      '{ review: [{ call: "*", from: [reviewer], by: { modes: [macp.mode.quorum.v1] } }] }',
    ],
  ])('is not there to approve what %s', async (_, space) => {
    const { slack, propose, press } = await setUp(space);
    const proposal = propose('hello');
    const [posted] = await slack.until(1);
    expect(posted?.body).not.toContain('proffer_approve');
    await press(posted, 'proffer_reject');
    await expect(proposal).rejects.toThrow('reviewer');
  });

  it('O-31: rejects, and the agent is told', async () => {
    const { slack, propose, press } = await setUp();
    const proposal = propose('no');
    const [posted] = await slack.until(1);
    await press(posted, 'proffer_reject');
    await expect(proposal).rejects.toMatchObject({
      rejections: [{ reason: 'disagree', message: 'Rejected in Slack.' }],
    });
  });

  it('O-9, O-29: decides nothing for strangers, with old or invalid signatures, or for another digest', async () => {
    const { slack, propose, press } = await setUp();
    const proposal = propose('guarded');
    const [posted] = await slack.until(1);
    expect(await press(posted, 'proffer_approve', { secret: 'another' })).toBe(401);
    expect(await press(posted, 'proffer_approve', { age: 400 })).toBe(401);
    const { blocks } = JSON.parse(posted?.body ?? '{}') as Blocks;
    const shown = JSON.parse(blocks[2]?.elements?.[0]?.value ?? '{}') as { digest: string };
    expect(await press(posted, 'proffer_approve', { user: 'U9' })).toBe(200);
    expect(await press(posted, 'proffer_approve', { user: 'U2' })).toBe(200);
    const value = JSON.stringify({ ...shown, digest: 'sha256:00' });
    expect(await press(posted, 'proffer_approve', { value })).toBe(200);
    const remarks = (await slack.until(4))
      .slice(1)
      .map(({ body }) => (JSON.parse(body) as { text: string }).text);
    expect(remarks).toEqual([
      expect.stringContaining('Proffer does not know you'),
      expect.stringContaining('"agent" may not send'),
      expect.stringContaining('digest'),
    ]);
    expect(pathsOf(slack)).not.toContain('/chat.update');
    await proposal.withdraw();
    await expect(proposal).rejects.toThrow('withdrawn');
  });
});
