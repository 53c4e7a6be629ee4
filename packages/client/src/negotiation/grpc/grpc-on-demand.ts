import { createAddresses } from '../../connection/addresses.js';
import { createFailoverTransport } from '../failover-transport.js';
import type { MacpTransport } from '../transport.js';

export interface GrpcTransportOptions {
  /**
   * Host and port, such as `127.0.0.1:50051`. Several, as a list or separated by commas, for gateways
   * on one journal: if one is gone, the next one is tried at once.
   */
  readonly target: string | readonly string[];
  /** Whether to use TLS. Default yes, except on loopback. */
  readonly secure?: boolean;
  /** The certificates to trust, in PEM. Default: Node's. */
  readonly ca?: string | Uint8Array;
}

/**
 * The transport to any MACP runtime over gRPC, for Node. The gRPC library is loaded with the first
 * call, so programs that do not use it do not pay for it.
 */
export function grpcTransport({ target, ...options }: GrpcTransportOptions): MacpTransport {
  return createFailoverTransport(createAddresses(target), async (address) => {
    const { openGrpcTransport } = await import('./grpc-transport.js');
    return openGrpcTransport({ ...options, target: address });
  });
}
