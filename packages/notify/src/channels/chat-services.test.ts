import { describe, expect, it } from 'vitest';
import type { Notification } from '../content/notification.js';
import { receiveHttp } from '../testing/receivers.js';
import { discord } from './discord.js';
import { teams } from './teams.js';

const HOSTILE = '@everyone [click](https://evil.example) **bold** ```x```';
const LINK = 'https://proffer.example/console/main/inbox/p1';

function notification(more: Partial<Notification> = {}): Notification {
  return {
    id: 'msg_1',
    kind: 'asked',
    recipient: 'reviewer',
    items: [],
    title: 'agent wants to run echo',
    text: HOSTILE,
    link: LINK,
    sentAt: 1_000_000,
    ...more,
  };
}
const soon = (): AbortSignal => AbortSignal.timeout(10_000);

describe('Discord', () => {
  /** A webhook with Discord's rules: 10015 for an unknown one, lengths of an embed, mentions. */
  const webhook = () =>
    receiveHttp(({ path, body }) => {
      if (!path.startsWith('/api/webhooks/1/secret')) return { status: 404, body: '{"code":10015}' };
      const { embeds, allowed_mentions: mentions } = JSON.parse(body) as {
        embeds: { title: string; description: string }[];
        allowed_mentions: { parse: string[] };
      };
      const [{ title, description } = { title: '', description: '' }] = embeds;
      if (title.length > 256 || description.length > 4_096) return { status: 400, body: '{"code":50035}' };
      if (mentions.parse.length > 0) return { status: 400 };
      return { status: 200, body: JSON.stringify({ id: '99' }) };
    });

  it('shows what an agent wrote as text, links to the card, and changes the message once it ended', async () => {
    await using server = await webhook();
    const channel = discord({ url: `${server.url}/api/webhooks/1/secret` });
    expect(await channel.deliver(notification(), soon())).toEqual({ ok: true, receipt: { id: '99' } });
    const [sent] = server.received;
    expect(sent?.path).toBe('/api/webhooks/1/secret?wait=true&with_components=true');
    const { embeds, components } = JSON.parse(sent?.body ?? '{}') as {
      embeds: { description: string; url: string }[];
      components: unknown;
    };
    expect(embeds[0]?.description).toBe(
      '\\@everyone \\[click\\]\\(https\\://evil.example\\) \\*\\*bold\\*\\* \\`\\`\\`x\\`\\`\\`',
    );
    expect(embeds[0]?.url).toBe(LINK);
    expect(JSON.stringify(components)).toContain(LINK);
    const long = notification({ title: '*'.repeat(9_000), text: '*'.repeat(9_000) });
    expect(await channel.deliver(long, soon())).toMatchObject({ ok: true });
    const items = [{ summary: {} as never, link: LINK, receipt: { id: '99' } }];
    await channel.deliver(notification({ kind: 'ended', items }), soon());
    expect(server.received[2]?.path).toContain('/api/webhooks/1/secret/messages/99?');
  });

  it('waits as long as it is told to, gives up on a webhook that is gone, and never says its address', async () => {
    await using server = await receiveHttp((_, count) =>
      count === 1
        ? { status: 429, retryAfter: 2, body: '{"message":"You are being rate limited.","retry_after":1.5}' }
        : { status: 404, body: '{"code":10015}' },
    );
    const channel = discord({ url: `${server.url}/api/webhooks/1/secret` });
    expect(await channel.deliver(notification(), soon())).toMatchObject({ final: false, retryAt: 1_002_000 });
    const gone = await channel.deliver(notification(), soon());
    expect(gone).toMatchObject({ ok: false, final: true });
    expect(JSON.stringify((gone as { why: string }).why)).not.toContain('secret');
  });
});

describe('Microsoft Teams', () => {
  it('posts an adaptive card with the text as it is and a link, within the limit of 28 KB', async () => {
    await using server = await receiveHttp(({ body }) => ({
      status: Buffer.byteLength(body) > 28 * 1_024 ? 413 : 202,
    }));
    const channel = teams({ url: `${server.url}/workflows/secret` });
    expect(await channel.deliver(notification(), soon())).toEqual({ ok: true });
    const { type, attachments } = JSON.parse(server.received[0]?.body ?? '{}') as {
      type: string;
      attachments: { contentType: string; content: { body: unknown; actions: unknown } }[];
    };
    expect([type, attachments[0]?.contentType]).toEqual([
      'message',
      'application/vnd.microsoft.card.adaptive',
    ]);
    expect(attachments[0]?.content.body).toMatchObject([
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: 'agent wants to run echo' }] },
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: HOSTILE }] },
    ]);
    expect(attachments[0]?.content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open', url: LINK }]);
    const long = notification({ title: '語'.repeat(9_000), text: '🙈'.repeat(9_000) });
    expect(await channel.deliver(long, soon())).toEqual({ ok: true });
  });

  it('tries again if it was too fast, also where the answer is 200 and says so only in its text', async () => {
    await using server = await receiveHttp((_, count) =>
      count === 1
        ? { status: 429, retryAfter: 3 }
        : {
            status: 200,
            body: `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${count === 2 ? 429 : 413}.`,
          },
    );
    const channel = teams({ url: `${server.url}/workflows/secret` });
    expect(await channel.deliver(notification(), soon())).toMatchObject({ final: false, retryAt: 1_003_000 });
    expect(await channel.deliver(notification(), soon())).toMatchObject({ ok: false, final: false });
    expect(await channel.deliver(notification(), soon())).toMatchObject({ ok: false, final: true });
  });
});
