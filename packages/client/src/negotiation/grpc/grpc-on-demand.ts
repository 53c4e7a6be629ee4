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
 * The way to any MACP runtime over gRPC, from Node. The gRPC library is loaded with the first call: programs that do
 * not use it do not wait for it.
 */
export function grpcTransport({ target, ...options }: GrpcTransportOptions): MacpTransport {
  return spreadTransport(createAddresses(target), async (address) => {
    const { openGrpcTransport } = await import('./grpc-transport.js');
    return openGrpcTransport({ ...options, target: address });
  });
}
