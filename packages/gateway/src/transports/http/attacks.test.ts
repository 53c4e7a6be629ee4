import { describe, expect, it } from 'vitest';
import { chat, proposal } from '../../testing/messages.js';
import { readMetric } from '../../testing/metrics.js';
import { ask, post } from '../../testing/peers/http.js';
import { connectPeer } from '../../testing/peers/peer.js';
import { connectRaw } from '../../testing/peers/raw.js';
import { startTestGateway } from '../../testing/test-gateway.js';

const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer agent\r\n${more}\r\n`;

describe('paths', () => {
  it.each([
    ['//', 404],
    ['//healthz', 404],
    ['//x/healthz', 404],
    ['///', 404],
    ['//x:y:z/', 404],
    ['/spaces/main/../../healthz', 404],
    ['/spaces/%2e%2e/healthz', 404],
    ['/healthz/', 404],
    ['/HEALTHZ', 404],
    ['/spaces/main%2ffeed', 404],
    ['/spaces//feed', 404],
    ['/spaces/%/feed', 404],
    ['/spaces/%00/feed', 403],
    ['/spaces/main%2f..%2fmain/feed', 403],
    ['/spaces/../feed', 403],
    ['/spaces/__proto__/feed', 403],
    ['/spaces/constructor/feed', 403],
    ['/spaces/main/proposals/..%2f..%2fparticipant%2fagent', 404],
    ['/spaces/main/proposals/%2e%2e', 404],
    ['/spaces/main/feed?after=-1', 400],
    ['/spaces/main/feed?after=1e3', 400],
    ['/spaces/main/proposals?state=anything', 400],
    ['http://x/healthz', 200],
    ['http://x', 404],
  ])('I-7: %s gets %i, and the next request is served', async (path, status) => {
    await using gateway = await startTestGateway();
    using peer = await connectRaw(gateway.port, get(path));
    expect(await peer.until('\r\n\r\n')).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(await ask(`${gateway.http}/healthz`, undefined)).toMatchObject({ status: 200 });
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'POST', 'OPTIONS'])(
    'I-7: %s on a GET-only route is refused, with the allowed methods',
    async (method) => {
      await using gateway = await startTestGateway();
      const answer = await ask(`${gateway.http}/spaces/main/feed`, 'agent', { method });
      expect(answer).toMatchObject({ status: 405, code: 'unknown_route' });
      expect(answer.headers.get('allow')).toBe('GET');
      const other = await ask(`${gateway.http}/spaces/main/messages`, 'agent', {
        method: method === 'POST' ? 'GET' : method,
      });
      expect(other).toMatchObject({ status: 405, code: 'unknown_route' });
    },
  );

  it('I-7: each refusal is counted', async () => {
    await using gateway = await startTestGateway();
    await ask(`${gateway.http}/nowhere`, undefined);
    await ask(`${gateway.http}/healthz?token=x`, undefined);
    await ask(`${gateway.http}/spaces/main/feed`, undefined);
    for (const code of ['unknown_route', 'token_in_url', 'unauthenticated']) {
      expect(await readMetric(gateway.http, 'proffer_refusals_total', `{code="${code}"}`)).toBe(1);
    }
  });
});

describe('bodies', () => {
  it.each([
    ['not JSON', '{', 400, 'invalid_json'],
    ['nothing', '', 400, 'invalid_json'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, 'invalid_json'],
    ['too large', JSON.stringify(chat('c1', 'x'.repeat(70_000))), 413, 'too_large'],
    ['far too large', Buffer.alloc(20_000_000, 'x'), 413, 'too_large'],
    ['too deep', `{"payload":${'['.repeat(1_000)}`, 400, 'too_deep'],
    ['reserved', JSON.stringify({ kind: 'system.notice', payload: {} }), 403, 'reserved_kind'],
  ])('O-5: a body that is %s is refused with a code', async (_, body, status, code) => {
    await using gateway = await startTestGateway('dev: true\nlimits: { message_size: 64KiB }');
    const url = `${gateway.http}/spaces/main/messages`;
    expect(await ask(url, 'reviewer', { method: 'POST', body })).toMatchObject({ status, code });
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({ status: 200 });
  });

  it('O-5, I-7: a body of unknown length is read up to the limit, and the answer gets through', async () => {
    await using gateway = await startTestGateway('dev: true\nlimits: { message_size: 64KiB }');
    const head = `POST /spaces/main/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer agent\r\n`;
    using peer = await connectRaw(gateway.port, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `2000\r\n${'x'.repeat(0x2000)}\r\n`;
    for (let count = 0; count < 9; count++) peer.socket.write(chunk);
    expect(await peer.until('"too_large"')).toMatch(/^HTTP\/1\.1 413 /);
    peer.socket.write(`${chunk}0\r\n\r\n${get('/healthz')}`);
    await peer.until('HTTP/1.1 200 ');
  });

  it('I-5: a truncated body leaves nothing', async () => {
    await using gateway = await startTestGateway();
    const body = JSON.stringify(chat('c1'));
    const head = `POST /spaces/main/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer agent\r\n`;
    const peer = await connectRaw(gateway.port, `${head}Content-Length: 9999\r\n\r\n${body}`);
    peer.socket.destroy();
    expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({ body: { status: 'accepted' } });
  });

  it('I-7: answers are bounded, however large the messages are', async () => {
    await using gateway = await startTestGateway();
    await using agent = await connectPeer(gateway.ws, 'agent');
    const large = 'x'.repeat(900_000);
    for (let count = 0; count < 5; count++) await agent.say(proposal(`p${count}`, { note: large }));
    const feed = await ask(`${gateway.http}/spaces/main/feed`, 'agent');
    expect(JSON.stringify(feed.body).length).toBeLessThan(3_000_000);
    const rest = await ask(`${gateway.http}/spaces/main/feed?after=${Number(feed.body['seq'])}`, 'agent');
    expect(rest.body['messages']).not.toEqual([]);
    await using reviewer = await connectPeer(gateway.ws, 'reviewer');
    const { payload } = await reviewer.next(({ kind }) => kind === 'system.welcome');
    expect(JSON.stringify(payload).length).toBeLessThan(3_000_000);
  });
});

describe('requests', () => {
  it('I-7: huge headers are refused', async () => {
    await using gateway = await startTestGateway();
    using peer = await connectRaw(gateway.port, get('/healthz', `X-Large: ${'x'.repeat(100_000)}\r\n`));
    expect(await peer.ended).toMatch(/^HTTP\/1\.1 431 /);
    expect(await ask(`${gateway.http}/healthz`, undefined)).toMatchObject({ status: 200 });
  });

  it('I-7: many headers are no way in', async () => {
    await using gateway = await startTestGateway();
    const many = Array.from({ length: 3_000 }, (_, index) => `A${index}: 1\r\n`).join('');
    using peer = await connectRaw(
      gateway.port,
      `GET /spaces/main/feed HTTP/1.1\r\nHost: localhost\r\n${many}\r\n`,
    );
    expect(await peer.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('O-3: pipelined requests are answered in order', async () => {
    await using gateway = await startTestGateway();
    const send = (id: string) => {
      const body = JSON.stringify(chat(id));
      return `POST /spaces/main/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer agent\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const all = Array.from({ length: 50 }, (_, index) => send(`c${index}`)).join('');
    using peer = await connectRaw(gateway.port, `${all}${get('/healthz')}`);
    const text = await peer.until('"ok"');
    expect([...text.matchAll(/"id":"(c\d+)"/g)].map(([, id]) => id)).toEqual(
      Array.from({ length: 50 }, (_, index) => `c${index}`),
    );
  });

  it('I-7: a smuggled request is refused', async () => {
    await using gateway = await startTestGateway();
    const both = 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    const head = 'POST /spaces/main/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer agent\r\n';
    using peer = await connectRaw(gateway.port, `${head}${both}`);
    expect(await peer.ended).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('I-7: a client that trickles headers, or sends nothing, is cut off, and delays nobody', async () => {
    await using gateway = await startTestGateway();
    using silent = await connectRaw(gateway.port);
    using slow = await connectRaw(gateway.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
    using upgrade = await connectRaw(gateway.port, 'GET /ws?space=main HTTP/1.1\r\nUpgrade: websocket\r\n');
    const trickle = setInterval(() => {
      for (const peer of [slow, upgrade]) if (!peer.socket.destroyed) peer.socket.write('X-A: 1\r\n');
    }, 100);
    try {
      expect(await post(gateway.http, 'agent', chat('c1'))).toMatchObject({ status: 200 });
      expect(await slow.ended).toMatch(/^HTTP\/1\.1 408 /);
      expect(await upgrade.ended).toMatch(/^HTTP\/1\.1 408 /);
      expect(await silent.ended).toMatch(/^HTTP\/1\.1 408 |^$/);
    } finally {
      clearInterval(trickle);
    }
  });
});
