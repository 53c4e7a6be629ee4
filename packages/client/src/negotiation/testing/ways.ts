import { devAgent } from '../../negotiation/index.js';
import type { TestGateway } from '../../testing/gateway.js';
import { QUICK } from '../../testing/joining.js';
import { MacpClient } from '../macp-client.js';
import type { MacpClientOptions } from '../macp-client-options.js';
import { grpcTransport, httpTransport } from '../node.js';
import type { MacpTransport } from '../transport.js';

/** A transport to a gateway; every test runs over each of them. */
export interface Way {
  readonly name: string;
  /** The port of the gateway used by this transport. */
  port(gateway: TestGateway): number;
  transport(port: number): MacpTransport;
}

export const WAYS: readonly Way[] = [
  {
    name: 'HTTP',
    port: (gateway) => gateway.port,
    transport: (port) => httpTransport({ url: `http://127.0.0.1:${port}`, live: 'events' }),
  },
  {
    name: 'WebSocket',
    port: (gateway) => gateway.port,
    transport: (port) => httpTransport({ url: `http://127.0.0.1:${port}`, live: 'websocket' }),
  },
  {
    name: 'gRPC',
    port: (gateway) => gateway.grpcPort,
    transport: (port) => grpcTransport({ target: `127.0.0.1:${port}` }),
  },
];

/** A dev-mode participant, at a port. */
export function participant(
  way: Way,
  port: number,
  name: string,
  options: Partial<MacpClientOptions> = {},
): MacpClient {
  return new MacpClient({ transport: way.transport(port), auth: devAgent(name), ...QUICK, ...options });
}
