import { createAddresses } from '../../connection/addresses.js';
import { spreadTransport } from '../spread-transport.js';
import type { MacpTransport } from '../transport.js';

export interface GrpcTransportOptions {
  /**
   * Host and port, such as `127.0.0.1:50051`. Several, in a list or with commas between them, for gateways on one
   * journal: when one is gone, the next one is tried at once.
   */
  readonly target: string | readonly string[];
  /** Whether to use TLS. Default yes, except to this machine. */
  readonly secure?: boolean;
  /** The certificates to trust, in PEM. Default those that Node trusts. */
  readonly ca?: string | Uint8Array;
}

/**
 * The way to any MACP runtime over gRPC, from Node. What speaks gRPC is loaded with the first call: whoever has
 * no need of it does not wait for it either.
 */
export function grpcTransport({ target, ...options }: GrpcTransportOptions): MacpTransport {
  return spreadTransport(createAddresses(target), async (address) => {
    const { openGrpcTransport } = await import('./grpc-transport.js');
    return openGrpcTransport({ ...options, target: address });
  });
}
