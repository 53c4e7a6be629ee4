import { once } from 'node:events';
import { connect } from 'node:net';
import { RUNTIME_SERVICE as RPC } from '@proffer/wire';
import { type CryptoKey, exportSPKI, importJWK, type JWK, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createIssuerKey, NOW, signWith, startKeyServer } from '../../door/auth/testing/issuer.js';
import { makeCertificate, writeCertificate } from '../../testing/certificates.js';
import { temporaryFolder } from '../../testing/folder.js';
import { startTestGateway } from '../../testing/test-gateway.js';
import { type CallOptions, type GrpcPeer, startPeer } from './testing/grpc-peer.js';
import { openTable, type Table } from './testing/table.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const key = await createIssuerKey('RS256', 'first');
const stranger = await createIssuerKey('RS256', 'first');
const SECOND = NOW / 1_000;

const inline = (keys: readonly JWK[]) => ({ jwks: { keys } });

/** A gateway over TLS that accepts JWTs of one issuer, and how to call it. */
async function secured(jwt: object) {
  const folder = await temporaryFolder();
  // Valid by the client's clock, which is the real one, and by the gateway's.
  const made = makeCertificate({
    to: Math.max(NOW, Date.now()) + 86_400_000,
    from: Math.min(NOW, Date.now()) - 86_400_000,
  });
  const clock = { now: NOW };
  const settings = { issuer: 'https://issuer.example', audience: 'proffer', ...jwt };
  const yaml = [
    'spaces: { main: }',
    'participants: { coordinator: , buyer: }',
    `jwt: ${JSON.stringify(settings)}`,
    await writeCertificate(folder.path, made),
  ].join('\n');
  const gateway = await startTestGateway(yaml, undefined, () => clock.now);
  onTestFinished(async () => {
    await gateway.gateway.close();
    await folder[Symbol.asyncDispose]();
  });
  const way = { target: `localhost:${gateway.grpcPort}`, ca: Buffer.from(made.cert) };
  const table = openTable(peer);
  return { gateway, clock, table, as: (token: string | undefined): CallOptions => ({ ...way, token }) };
}

type Secured = Awaited<ReturnType<typeof secured>>;

/** How a token is refused, by `Send` and by a call that has a status. */
async function refusedBy({ table, as }: Secured, token: string | undefined): Promise<readonly unknown[]> {
  const ack = await table.say('coordinator', 'SessionStart', {}, as(token));
  const { code, details, macpCode } = await peer.refused('GetSession', { session_id: table.id }, as(token));
  if (token !== undefined && token.length > 40) {
    // Nothing of a token comes back.
    for (const part of token.split('.')) {
      if (part !== '') expect(JSON.stringify(ack) + details).not.toContain(part);
    }
  }
  return [(ack['error'] as { readonly code: string } | undefined)?.code, code, macpCode];
}

const UNAUTHENTICATED = ['UNAUTHENTICATED', 16, 'UNAUTHENTICATED'];

function start(table: Table, options: CallOptions) {
  const terms = { intent: 'i', participants: ['coordinator', 'buyer'], mode_version: '1.0.0' };
  return table.say(
    'coordinator',
    'SessionStart',
    { ...terms, configuration_version: '1', ttl_ms: 60_000 },
    options,
  );
}

describe('JWT over gRPC and TLS', () => {
  it('N-7: a valid one identifies its subject, and nobody else', async () => {
    const served = await secured(inline([key.jwk]));
    const { table, as } = served;
    expect(await start(table, as(await key.sign({ sub: 'coordinator' })))).toMatchObject({ ok: true });
    const other = await table.say(
      'coordinator',
      'Proposal',
      { proposal_id: 'p' },
      as(await key.sign({ sub: 'buyer' })),
    );
    expect(other).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
  });

  it('I-4: an invalid one is UNAUTHENTICATED in every case, and the connection continues', async () => {
    const served = await secured(inline([key.jwk]));
    const sub = 'coordinator';
    const [, body = ''] = (await key.sign({ sub })).split('.');
    const spki = await exportSPKI((await importJWK(key.jwk, 'RS256')) as CryptoKey);
    const modulus = Buffer.from(key.jwk.n ?? '', 'base64url');
    const wrong: Readonly<Record<string, string | undefined>> = {
      'no token': undefined,
      'something else': 'coordinator',
      'a JWT without its end': (await key.sign({ sub })).slice(0, -8),
      'alg none': new UnsecuredJWT({ sub })
        .setIssuer('https://issuer.example')
        .setAudience('proffer')
        .setExpirationTime(SECOND + 60)
        .encode(),
      'alg NONE with the body of a good one': `${Buffer.from('{"alg":"NONE"}').toString('base64url')}.${body}.`,
      'the public key as a secret': await signWith(
        Buffer.from(spki),
        { alg: 'HS256', kid: 'first' },
        { sub },
      ),
      'its modulus as a secret': await signWith(modulus, { alg: 'HS256', kid: 'first' }, { sub }),
      'an expired one': await key.sign({ sub, exp: SECOND - 31 }),
      'one of the future': await key.sign({ sub, nbf: SECOND + 31 }),
      'another issuer': await key.sign({ sub, iss: 'https://issuer.example.evil' }),
      'another audience': await key.sign({ sub, aud: 'other' }),
      'a key of somebody else with the same id': await stranger.sign({ sub }),
      'an unknown key': await key.sign({ sub }, { kid: 'second' }),
      'a subject that is the runtime': await key.sign({ sub: '_runtime' }),
      'no end': await key.sign({ sub, exp: undefined }),
    };
    const found: Record<string, unknown> = {};
    for (const [what, token] of Object.entries(wrong)) found[what] = await refusedBy(served, token);
    expect(found).toEqual(Object.fromEntries(Object.keys(wrong).map((what) => [what, UNAUTHENTICATED])));
    const { table, as } = served;
    expect(await start(table, as(await key.sign({ sub })))).toMatchObject({ ok: true });
  });

  it.each([
    ['does not answer', 'silence' as const],
    ['fails', { status: 500, body: '' }],
    ['answers nonsense', { status: 200, body: '<html>' }],
    ['redirects', { status: 302, body: '' }],
    ['never stops answering', { status: 200, body: ' '.repeat(2_000_000) }],
  ])('I-7: while the issuer %s, nobody is let in and nobody is told it was the token', async (_, answer) => {
    await using keys = await startKeyServer([key.jwk]);
    const good = keys.answer;
    keys.answer = answer;
    const served = await secured({ jwks_url: keys.url, timeout: '3s', cooldown: '30s' });
    const token = await key.sign({ sub: 'coordinator', exp: SECOND + 600 });
    expect(await refusedBy(served, token)).toEqual(['INTERNAL_ERROR', 14, 'INTERNAL_ERROR']);
    expect(keys.asked()).toBe(1);
    keys.answer = good;
    served.clock.now += 31_000;
    expect(await start(served.table, served.as(token))).toMatchObject({ ok: true });
  });

  it('I-4: a stream ends with the token that opened it, and nothing more is accepted on its connection', async () => {
    const served = await secured(inline([key.jwk]));
    const { table, as, clock } = served;
    const token = await key.sign({ sub: 'coordinator', exp: SECOND + 60 });
    expect(await start(table, as(token))).toMatchObject({ ok: true });
    const following = peer.open('StreamSession', as(token));
    following.write({ subscribe_session_id: table.id, after_sequence: 0 });
    expect(await following.next()).toMatchObject({ envelope: { message_type: 'SessionStart' } });
    const speaking = peer.open('StreamSession', as(token));
    speaking.write({
      envelope: table.envelope('coordinator', 'Proposal', { proposal_id: 'p1', title: 't' }),
    });
    expect(await speaking.next()).toMatchObject({ envelope: { message_type: 'Proposal' } });
    clock.now += 120_000;
    for (const stream of [following, speaking]) expect(await stream.status).toMatchObject({ code: 16 });
    expect(await refusedBy(served, token)).toEqual(UNAUTHENTICATED);
  });

  it('I-4: two tokens in one call count as none, whichever is valid', async () => {
    await using gateway = await startTestGateway();
    const { ack } = await sendWithTokens(gateway.grpcPort, ['Bearer buyer']);
    expect(ack?.error?.code).toBe('INVALID_ENVELOPE');
    for (const tokens of [
      ['Bearer buyer', 'Bearer seller'],
      ['Bearer buyer', 'Bearer buyer'],
      ['Basic x', 'Bearer buyer'],
    ]) {
      expect((await sendWithTokens(gateway.grpcPort, tokens)).ack?.error?.code).toBe('UNAUTHENTICATED');
    }
  });
});

/** One `Send` without an envelope, in hand-made frames: no library sends a single-value header twice. */
async function sendWithTokens(port: number, tokens: readonly string[]) {
  const fields: readonly (readonly [string, string])[] = [
    [':method', 'POST'],
    [':scheme', 'http'],
    [':path', RPC.send.path],
    [':authority', 'localhost'],
    ['content-type', 'application/grpc'],
    ...tokens.map((token) => ['authorization', token] as const),
  ];
  const block = Buffer.concat(fields.flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  socket.write(Buffer.concat([http2(4, 0, 0), http2(1, 4, 1, block), http2(0, 1, 1, Buffer.alloc(5))]));
  let bytes = Buffer.alloc(0);
  try {
    for (;;) {
      const [piece] = (await once(socket, 'data')) as [Buffer];
      bytes = Buffer.concat([bytes, piece]);
      for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
        const end = at + 9 + bytes.readUIntBE(at, 3);
        if (bytes[at + 3] !== 0 || end > bytes.length || end === at + 9) continue;
        const read = RPC.send.response.read(bytes.subarray(at + 14, end));
        if (!read.ok) throw new Error(read.refusal.message);
        return read.value;
      }
    }
  } finally {
    socket.destroy();
  }
}

const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);

function http2(type: number, flags: number, stream: number, body = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, body]);
}
