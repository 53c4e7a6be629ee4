import type { Journal } from '@proffer/journal';
import { onTestFinished } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.js';
import type { GrpcPeer } from './grpc-peer.js';

/** A real gateway that a peer talks to from now on; closed after the test. */
export async function serveFor(
  peer: GrpcPeer,
  yaml = 'dev: true',
  options: { readonly journal?: Journal; readonly clock?: () => number } = {},
): Promise<TestGateway> {
  const gateway = await startTestGateway(yaml, options.journal, options.clock);
  peer.target = `127.0.0.1:${gateway.grpcPort}`;
  onTestFinished(() => gateway.gateway.close());
  return gateway;
}
