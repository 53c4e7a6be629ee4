import { type Address, formatAddress } from '../config/index.js';
import type { TransportEndpoint } from './discovery.js';

/** Where something is served, and whether over TLS. */
type Served = Address & { readonly secure: boolean };

/** Where a gateway serves negotiations, for its manifest. */
export function endpointsOf(http: Served, grpc: Served | undefined): readonly TransportEndpoint[] {
  const tls = http.secure ? 's' : '';
  const where = formatAddress(http);
  const inJson = [
    endpoint('http', `http${tls}://${where}/macp`, 'application/json'),
    endpoint('ws', `ws${tls}://${where}/macp/ws`, 'application/json'),
  ];
  if (grpc === undefined) return inJson;
  const uri = `${grpc.secure ? 'grpcs' : 'grpc'}://${formatAddress(grpc)}`;
  return [endpoint('grpc', uri, 'application/protobuf'), ...inJson];
}

function endpoint(transport: string, uri: string, contentType: string): TransportEndpoint {
  return { transport, uri, content_types: [contentType], metadata: {} };
}
