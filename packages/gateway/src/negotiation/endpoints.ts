import { type Address, formatAddress } from '../config/index.js';
import type { TransportEndpoint } from './discovery.js';

/** Where something is served, and whether over TLS. */
type Served = Address & { readonly secure: boolean };

/** Where a gateway serves negotiations, for its manifest. */
export function endpointsOf(http: Served, grpc: Served | undefined): readonly TransportEndpoint[] {
  const json = {
    transport: 'http',
    uri: `${http.secure ? 'https' : 'http'}://${formatAddress(http)}/macp`,
    content_types: ['application/json'],
    metadata: {},
  };
  if (grpc === undefined) return [json];
  const uri = `${grpc.secure ? 'grpcs' : 'grpc'}://${formatAddress(grpc)}`;
  return [{ transport: 'grpc', uri, content_types: ['application/protobuf'], metadata: {} }, json];
}
