import type { JsonObject } from '@proffer/core/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postEnvelope } from '../../../testing/macp.js';
import { readMetric } from '../../../testing/metrics.js';
import { connectMacpPeer } from '../../../testing/peers/macp-peer.js';
import { type GrpcPeer, startPeer } from '../testing/grpc-peer.js';
import { serveFor } from '../testing/served.js';

let peer: GrpcPeer;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer[Symbol.asyncDispose]());

const LIMIT = 5;

describe('malformed messages', () => {
  it('N-3, I-7: count against the rate on every transport, and are counted as refused', async () => {
    const limits = `limits: { negotiation_messages_per_participant: ${LIMIT}/h }`;
    const gateway = await serveFor(peer, `dev: true\n${limits}`);
    const refusals = (code: string) => readMetric(gateway.http, 'proffer_refusals_total', `{code="${code}"}`);

    const overHttp = async () => (await postEnvelope(gateway.http, 'http', '{"macp_version":')).code;
    const overGrpc = async () => {
      const { ack } = await peer.ask('Send', {}, { token: 'grpc' });
      return (ack as { readonly error: { readonly code: string } }).error.code;
    };
    const stream = peer.open('StreamSession', { token: 'stream' });
    const onStream = async () => {
      stream.write({});
      return ((await stream.next())['error'] as { readonly code: string }).code;
    };
    await using socket = await connectMacpPeer(gateway, 'socket');
    const seen = new Set<JsonObject>();
    const onSocket = async () => {
      socket.send({ nothing: true });
      const frame = await socket.next((one) => !seen.has(one));
      seen.add(frame);
      const { error } = (frame['ack'] ?? frame) as { readonly error: { readonly code: string } };
      return error.code;
    };

    let malformed = 0;
    for (const send of [overHttp, overGrpc, onStream, onSocket]) {
      for (let count = 0; count < LIMIT; count++) expect(await send()).toBe('INVALID_ENVELOPE');
      expect(await send()).toBe('RATE_LIMITED');
      malformed += LIMIT;
      expect(await refusals('INVALID_ENVELOPE')).toBe(malformed);
      expect(await refusals('RATE_LIMITED')).toBe(malformed / LIMIT);
    }
    stream.cancel();
  });

  it('N-8: refused reads are counted too', async () => {
    const gateway = await serveFor(peer);
    await peer.refused('GetSession', { session_id: 'none' }, { token: 'buyer' });
    await peer.refused('GetPolicy', { policy_id: 'none' }, { token: 'buyer' });
    const refusals = (code: string) => readMetric(gateway.http, 'proffer_refusals_total', `{code="${code}"}`);
    expect(await refusals('SESSION_NOT_FOUND')).toBe(1);
    expect(await refusals('UNKNOWN_POLICY_VERSION')).toBe(1);
  });
});
