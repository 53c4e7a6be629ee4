import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { macpEnvelope, postEnvelope, startPayload } from './testing/macp.js';
import { readMetric } from './testing/metrics.js';
import { ask } from './testing/peers/http.js';
import { connectMacpPeer } from './testing/peers/macp-peer.js';
import { startTestGateway } from './testing/test-gateway.js';
import { connectRaw } from './transports/grpc/testing/raw-call.js';

const ONE_AN_HOUR =
  'dev: true\nlimits: { negotiation_messages_per_participant: 1/h, messages_per_participant: 1/h }';

/** A gRPC request that ends inside a field. */
const BROKEN = Buffer.from([0, 0, 0, 0, 2, 0x0a, 0x7f]);

function startOf(sender: string, intent = 'agree'): ReturnType<typeof macpEnvelope> {
  return macpEnvelope(randomUUID(), sender, 'SessionStart', startPayload({ intent }));
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: string } | undefined)?.code;

describe('sender over its limit', () => {
  it('N-3, I-7: has nothing large decoded, and is told which small message it was', async () => {
    await using server = await startTestGateway(ONE_AN_HOUR);
    const small = startOf('http');
    const large = startOf('http', 'x'.repeat(100_000));
    expect((await postEnvelope(server.http, 'http', '{')).code).toBe('INVALID_ENVELOPE');
    const refused = await postEnvelope(server.http, 'http', JSON.stringify(small));
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', body: { message_id: small.message_id } });
    const unread = await postEnvelope(server.http, 'http', JSON.stringify(large));
    expect(unread).toMatchObject({ code: 'RATE_LIMITED', body: { message_id: '' } });

    await using socket = await connectMacpPeer(server, 'ws');
    const first = startOf('ws');
    socket.send(first);
    await socket.next(({ ack }) => (ack as { readonly ok: boolean }).ok);
    const second = startOf('ws');
    socket.send(second);
    const { ack } = await socket.next(
      (frame) => codeOf((frame['ack'] as { error?: unknown }).error) !== undefined,
    );
    expect(ack).toMatchObject({ message_id: second.message_id, error: { code: 'RATE_LIMITED' } });
  });
});

describe('unreadable message', () => {
  it('N-3, I-7: counts against the rate on every transport, and is counted as refused', async () => {
    await using server = await startTestGateway(ONE_AN_HOUR);
    const { http } = server;
    const refusals = (code: string) => readMetric(http, 'proffer_refusals_total', `{code="${code}"}`);
    const broken = { method: 'POST', body: '{' };
    using grpc = await connectRaw(server.gateway.grpcAddress?.port ?? 0);
    const overGrpc = async () => {
      const path = '/macp.v1.MACPRuntimeService/GetSession';
      const { headers } = await grpc.call(path, BROKEN, { authorization: 'Bearer grpc' });
      return headers['macp-error-code'];
    };
    const ways = [
      async () => (await ask(`${http}/macp/session/${randomUUID()}/cancel`, 'control', broken)).code,
      async () => (await ask(`${http}/macp/policies`, 'policies', broken)).code,
      async () => (await ask(`${http}/macp/sessions?limit=none`, 'sessions')).code,
      async () => (await ask(`${http}/macp/session/${randomUUID()}/envelopes?after=none`, 'history')).code,
      overGrpc,
    ];
    for (const [index, send] of ways.entries()) {
      expect(await send()).toBe('INVALID_ENVELOPE');
      expect(await refusals('INVALID_ENVELOPE')).toBe(index + 1);
      expect(await send()).toBe('RATE_LIMITED');
      expect(await refusals('RATE_LIMITED')).toBe(index + 1);
    }
  });

  it('O-5, I-7: is limited in a space as well, also if it is not even text', async () => {
    await using server = await startTestGateway(ONE_AN_HOUR);
    const { http } = server;
    const body = Uint8Array.of(0xff, 0xfe);
    const send = async () =>
      (await ask(`${http}/spaces/main/messages`, 'agent', { method: 'POST', body })).code;
    expect(await send()).toBe('invalid_json');
    expect(await send()).toBe('rate_limited');
    expect(await readMetric(http, 'proffer_refusals_total', '{code="invalid_json"}')).toBe(1);
    const labels = '{transport="http",outcome="refused"}';
    expect(await readMetric(http, 'proffer_messages_total', labels)).toBe(2);
  });
});
