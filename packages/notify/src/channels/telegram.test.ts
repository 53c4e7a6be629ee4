import { connect, type Participant } from '@proffer/client';
import { loopbackConfig, startGateway } from '@proffer/gateway';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notifyCompanion } from '../companion.js';
import { telegramServer } from '../testing/telegram-server.js';
import { CHANNEL_TYPES, openChannel } from './registry.js';

const TOKEN = '123:a-token-of-a-bot';
const CHAT = 42;

/** A gateway that notifies the reviewer through our own Telegram. */
async function setUp(links = 'sign-in') {
  const telegram = await telegramServer(TOKEN, CHAT);
  onTestFinished(() => telegram[Symbol.asyncDispose]());
  const yaml = `dev: true
notify:
  url: https://proffer.example
  links: ${links}
  channels:
    chat: { type: telegram, token: "${TOKEN}", api: "${telegram.url}", users: { 7: reviewer, 8: agent } }
  participants: { reviewer: [{ channel: chat, to: "${CHAT}", digest: 0s }] }
`;
  const started = await startGateway({
    config: { ...loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }), journal: { backend: 'memory' } },
    log: pino({ level: 'silent' }),
    companions: [notifyCompanion],
  });
  if (!started.ok) throw new Error(started.refusal.message);
  onTestFinished(() => started.value.close());
  const url = `http://127.0.0.1:${started.value.address.port}`;
  const join = async (token: string): Promise<Participant> => {
    const participant = await connect({ url, token, space: 'main' });
    onTestFinished(() => participant.close());
    return participant;
  };
  const tools = await join('tools');
  await tools.serve([{ name: 'echo', handler: ({ text }) => text }]);
  const agent = await join('agent');
  const propose = (text: string, name = 'echo') => {
    const proposal = agent.propose('tools/call', { name, arguments: { text } }, { ttl: 60_000 });
    proposal.catch(() => {});
    return proposal;
  };
  /** The data of a button in the newest message. */
  const button = (label: string): string =>
    telegram.messages.at(-1)?.buttons.find(({ text }) => text === label)?.callback_data ?? '';
  return { telegram, propose, button, url, tools };
}

describe('Telegram', () => {
  it('O-12, O-25: a button approves what the message showed, and the message says how it ended', async () => {
    const { telegram, propose, button } = await setUp();
    telegram.limit(1);
    const proposal = propose('*hello*');
    await telegram.until(() => telegram.messages.length === 1);
    const [message] = telegram.messages;
    expect(message?.text).toContain('text: *hello*');
    expect(message?.text).toMatch(/https:\/\/proffer\.example\/console\/main\/inbox\/\S+$/);
    expect(message?.buttons.map(({ text }) => text)).toEqual(['Approve', 'Reject']);
    expect(await telegram.press(7, button('Approve'))).toBe('Decided.');
    expect(await proposal).toMatchObject({ content: [{ text: '*hello*' }] });
    await telegram.until(() => message?.buttons.length === 0);
    expect(message?.text).toContain('Approved by reviewer');
    expect(telegram.messages).toHaveLength(1);
  });

  it('O-35: approves nothing that changed since the message, and has no button for what nobody could run', async () => {
    const { telegram, propose, button, tools } = await setUp();
    const proposal = propose('hello');
    await telegram.until(() => telegram.messages.length === 1);
    await tools.serve([{ name: 'echo', description: 'Deletes the disk.', handler: () => 'other tool ran' }]);
    expect(await telegram.press(7, button('Approve'))).toContain('the definition of the tool changed');
    const nobody = propose('unserved', 'served-by-nobody');
    await telegram.until(() => telegram.messages.length === 2);
    expect(button('Approve')).toBe('');
    expect(await telegram.press(7, button('Reject').replace('r:', 'a:'))).toContain(
      'did not show who would run',
    );
    await proposal.withdraw();
    await nobody.withdraw();
  });

  it('O-31: rejects, also where the message does not show everything, which nothing approves there', async () => {
    const { telegram, propose, button } = await setUp();
    const proposal = propose('x'.repeat(5_000));
    await telegram.until(() => telegram.messages.length === 1);
    expect(button('Approve')).toBe('');
    const forged = button('Reject').replace('r:', 'a:');
    expect(await telegram.press(7, forged)).toContain('does not show everything');
    expect(await telegram.press(7, button('Reject'))).toBe('Decided.');
    await expect(proposal).rejects.toMatchObject({
      rejections: [{ reason: 'disagree', message: 'Rejected in Telegram.' }],
    });
  });

  it('O-9, O-29: decides nothing for strangers, for those who may not, or for data that was made up', async () => {
    const { telegram, propose, button, url } = await setUp('bearer');
    const proposal = propose('guarded');
    await telegram.until(() => telegram.messages.length === 1);
    const data = button('Approve');
    expect(await telegram.press(9, data)).toContain('does not know you');
    expect(await telegram.press(8, data)).toContain('may not send');
    for (const made of ['', 'a:', 'a:x', `${data}A`, data.slice(0, -1), `x${data}`])
      expect(await telegram.press(7, made)).toContain('no longer works');
    // Nor is it a link, for somebody who reads the data of the button.
    const posted = await fetch(`${url}/hooks/decision-link`, {
      method: 'POST',
      body: JSON.stringify({ key: data.slice(2) }),
    });
    expect(await posted.json()).toMatchObject({ code: 'unknown_link' });
    await proposal.withdraw();
    expect(await telegram.press(7, data)).not.toBe('Decided.');
  });

  it('is checked without sending anything, and says what Telegram says', async () => {
    const telegram = await telegramServer(TOKEN, CHAT);
    onTestFinished(() => telegram[Symbol.asyncDispose]());
    const check = (token: string, to: string) =>
      openChannel(
        { type: 'telegram', token: { value: token }, users: new Map(), api: telegram.url } as never,
        { to, token: undefined },
      ).check(AbortSignal.timeout(10_000));
    expect(await check(TOKEN, String(CHAT))).toBeUndefined();
    expect(await check(TOKEN, '1')).toBe('Telegram answered: Bad Request: chat not found');
    expect(await check('wrong', String(CHAT))).toBe('Telegram answered: Unauthorized');
    expect(telegram.messages).toEqual([]);
  });
});
