import { objectOf, parseJson } from '@proffer/core/json';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { Item, Notification } from '../content/notification.js';
import { receiveHttp, receiveMail } from '../testing/receivers.js';
import { email } from './email.js';
import { gotify } from './gotify.js';
import { ntfy } from './ntfy.js';
import { slack } from './slack.js';
import { webhook } from './webhook.js';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const LINK = 'https://proffer.example/console/#/main/p1';

const SEEN = { version: 1, executor: 'tools', definition: 'sha256:1' };

const ASKED: Notification = {
  seen: SEEN,
  id: 'msg_0123456789abcdef0123456789abcdef',
  kind: 'asked',
  recipient: 'alice',
  title: 'agent wants to run write_file',
  text: 'agent wants to run write_file in main.\n  path: <b>/etc/hosts</b>',
  link: LINK,
  sentAt: NOW,
  items: [
    {
      link: LINK,
      summary: {
        proposal: 'p1',
        space: 'main',
        proposer: 'agent',
        method: 'tools/call',
        subject: 'write_file',
        shown: [{ name: 'path', text: '<b>/etc/hosts</b>' }],
        isWhole: true,
        digest: 'sha256:0',
        proposedAt: NOW,
      },
    },
  ],
};
const ENDED: Notification = { ...ASKED, kind: 'ended', ending: { ended: 'fulfilled', by: 'bob' } };

const signal = AbortSignal.timeout(20_000);
const bodyOf = (text: string) => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : undefined;
};

describe('a webhook', () => {
  const [old, current] = [
    `whsec_${btoa('an old secret, 24 bytes!')}`,
    `whsec_${btoa('a new secret of 24 bytes')}`,
  ];

  it('is signed as Standard Webhooks specifies, with every configured secret', async () => {
    await using receiver = await receiveHttp();
    expect(await webhook({ url: receiver.url, secrets: [current, old] }).deliver(ASKED, signal)).toEqual({
      ok: true,
    });
    const [got] = receiver.received;
    const headers = got?.headers as Record<string, string>;
    expect(headers['webhook-id']).toBe(ASKED.id);
    for (const secret of [current, old]) {
      expect(new Webhook(secret).verify(got?.body ?? '', headers)).toMatchObject({
        type: 'proposal.asked',
        data: { recipient: 'alice', proposals: [{ proposal: 'p1', digest: 'sha256:0', link: LINK }] },
      });
    }
    expect(() =>
      new Webhook(`whsec_${btoa('some other secret, of 24')}`).verify(got?.body ?? '', headers),
    ).toThrow('No matching signature found');
  });

  it.each([
    [500, false],
    [503, false],
    [429, false],
    [301, true],
    [400, true],
    [410, true],
  ])('gives up on status %i: %s', async (status, final) => {
    await using receiver = await receiveHttp(() => ({ status, retryAfter: 30 }));
    const delivery = await webhook({ url: receiver.url, secrets: [current] }).deliver(ASKED, signal);
    expect(delivery).toMatchObject({ ok: false, final, retryAt: NOW + 30_000 });
  });

  it('is retried if nothing listens', async () => {
    const delivery = await webhook({ url: 'http://127.0.0.1:9', secrets: [current] }).deliver(ASKED, signal);
    expect(delivery).toMatchObject({
      ok: false,
      final: false,
      why: expect.stringContaining('did not answer'),
    });
  });
});

describe('Slack', () => {
  it('gets buttons that carry what was shown, and has the message updated with the outcome', async () => {
    await using receiver = await receiveHttp(() => ({
      status: 200,
      body: JSON.stringify({ ok: true, channel: 'C1', ts: '17.5' }),
    }));
    const channel = slack({ token: 'xoxb-1', to: 'C1', api: receiver.url, interactive: true });
    const delivery = await channel.deliver(ASKED, signal);
    expect(delivery).toEqual({ ok: true, receipt: { channel: 'C1', ts: '17.5' } });
    const [posted] = receiver.received;
    expect(posted?.path).toBe('/chat.postMessage');
    expect(posted?.headers.authorization).toBe('Bearer xoxb-1');
    const value = JSON.stringify({ space: 'main', proposal: 'p1', digest: 'sha256:0', seen: SEEN });
    expect(bodyOf(posted?.body ?? '')).toMatchObject({
      channel: 'C1',
      blocks: [{}, {}, { elements: [{ action_id: 'proffer_approve', value }, { value }, { url: LINK }] }],
    });

    const items = ENDED.items.map((item) => ({ ...item, receipt: { channel: 'C1', ts: '17.5' } }));
    await channel.deliver({ ...ENDED, items }, signal);
    const updated = receiver.received[1];
    expect(updated?.path).toBe('/chat.update');
    expect(bodyOf(updated?.body ?? '')).toMatchObject({ channel: 'C1', ts: '17.5' });
    expect(updated?.body).not.toContain('proffer_approve');
  });

  it('O-29: gets no approve button for a call that is not shown in full', async () => {
    await using receiver = await receiveHttp(() => ({ status: 200, body: '{"ok":true}' }));
    const channel = slack({ token: 'xoxb-1', to: 'C1', api: receiver.url, interactive: true });
    const partly = ASKED.items.map((item) => ({ ...item, summary: { ...item.summary, isWhole: false } }));
    await channel.deliver({ ...ASKED, items: partly }, signal);
    await channel.deliver({ ...ASKED, text: 'x'.repeat(3_000) }, signal);
    for (const { body } of receiver.received) {
      expect(body).not.toContain('proffer_approve');
      expect(body).toContain('proffer_reject');
    }
  });

  it.each([
    ['ratelimited', false],
    ['channel_not_found', true],
  ])('gives up on the answer %s: %s', async (error, final) => {
    await using receiver = await receiveHttp(() => ({
      status: 200,
      body: JSON.stringify({ ok: false, error }),
    }));
    const channel = slack({ token: 'xoxb-1', to: 'C1', api: receiver.url, interactive: false });
    expect(await channel.deliver(ASKED, signal)).toEqual({
      ok: false,
      final,
      why: `Slack answered ${error}`,
    });
  });
});

describe('phones', () => {
  it('get an ntfy action that opens the page and decides nothing', async () => {
    await using receiver = await receiveHttp();
    await ntfy({ server: receiver.url, topic: 'alice', token: 'tk_1' }).deliver(ASKED, signal);
    const [got] = receiver.received;
    expect(got?.headers.authorization).toBe('Bearer tk_1');
    expect(bodyOf(got?.body ?? '')).toMatchObject({
      topic: 'alice',
      title: ASKED.title,
      click: LINK,
      actions: [{ action: 'view', url: LINK }],
    });
  });

  it('get an ntfy message again in place of the first one, if the answer to that was lost', async () => {
    await using receiver = await receiveHttp();
    const channel = ntfy({ server: receiver.url, topic: 'alice' });
    await channel.deliver(ASKED, signal);
    await channel.deliver(ASKED, signal);
    await channel.deliver({ ...ASKED, id: 'another' }, signal);
    const [first, second, other] = receiver.received.map(({ body }) => objectOf(bodyOf(body))['sequence_id']);
    expect(first).toMatch(/^[-\w]{1,64}$/);
    expect([second === first, other === first]).toEqual([true, false]);
  });

  it('get an ntfy Approve button only if everything is shown and one approval is enough', async () => {
    await using receiver = await receiveHttp();
    const decision = { key: 'k', url: 'https://proffer.example/hooks/decide', link: LINK };
    const [item] = ASKED.items as [Item];
    for (const summary of [{}, { approvals: 2 }, { isWhole: false }]) {
      const items = [{ ...item, summary: { ...item.summary, ...summary } }];
      await ntfy({ server: receiver.url, topic: 'alice' }).deliver({ ...ASKED, items, decision }, signal);
    }
    const labels = receiver.received.map(({ body }) =>
      (JSON.parse(body) as { actions: { label: string }[] }).actions.map(({ label }) => label),
    );
    expect(labels).toEqual([
      ['Review', 'Approve', 'Reject'],
      ['Review', 'Reject'],
      ['Review', 'Reject'],
    ]);
  });

  it('get a Gotify notification that opens the page', async () => {
    await using receiver = await receiveHttp();
    await gotify({ server: `${receiver.url}/base`, token: 'A1' }).deliver(ASKED, signal);
    const [got] = receiver.received;
    expect(got).toMatchObject({ path: '/base/message', headers: { 'x-gotify-key': 'A1' } });
    expect(bodyOf(got?.body ?? '')).toMatchObject({
      extras: { 'client::notification': { click: { url: LINK } } },
    });
  });
});

describe('mail', () => {
  it("is plain text and HTML, with others' text escaped", async () => {
    await using server = await receiveMail();
    const channel = email({
      server: server.url,
      from: 'Proffer <proffer@example.com>',
      to: 'alice@example.com',
    });
    const [mail] = await Promise.all([server.next(), channel.deliver(ASKED, signal)]);
    expect(mail).toContain(`Message-ID: <${ASKED.id}@example.com>`);
    expect(mail).toContain('Subject: agent wants to run write_file');
    expect(mail).toContain('path: <b>/etc/hosts</b>');
    expect(mail).toContain('path: &lt;b&gt;/etc/hosts&lt;/b&gt;');
    expect(mail).toContain(LINK);
  });

  it('is retried if no server accepts it', async () => {
    const channel = email({ server: 'smtp://127.0.0.1:9', from: 'a@example.com', to: 'b@example.com' });
    expect(await channel.deliver(ASKED, signal)).toMatchObject({ ok: false, final: false });
  });
});

describe('checking a channel', () => {
  const from = { from: 'a@example.com', to: 'b@example.com' };

  it('reports no problem for a working channel, and sends nothing', async () => {
    await using receiver = await receiveHttp(() => ({ status: 200, body: '{"ok":true}' }));
    await using server = await receiveMail();
    const channels = [
      webhook({ url: receiver.url, secrets: [] }),
      ntfy({ server: receiver.url, topic: 'alice' }),
      gotify({ server: receiver.url, token: 'A1' }),
      slack({ token: 'xoxb-1', to: 'C1', api: receiver.url, interactive: false }),
      email({ server: server.url, ...from }),
    ];
    for (const channel of channels) expect(await channel.check(signal)).toBeUndefined();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/auth.test']);
  });

  it('reports what is wrong', async () => {
    const nobody = 'http://127.0.0.1:9';
    expect(await webhook({ url: nobody, secrets: [] }).check(signal)).toMatch(
      '127.0.0.1:9 cannot be reached',
    );
    expect(await email({ server: 'smtp://127.0.0.1:9', ...from }).check(signal)).toMatch('cannot be used');
    await using receiver = await receiveHttp(() => ({
      status: 200,
      body: '{"ok":false,"error":"invalid_auth"}',
    }));
    const channel = slack({ token: 'wrong', to: 'C1', api: receiver.url, interactive: false });
    expect(await channel.check(signal)).toBe('Slack answered invalid_auth');
  });
});
