/// <reference types="node" preserve="true" />
/**
 * Clients and servers over HTTP. Separate from the rest, since it takes longer to load than a guard over
 * stdio takes to start.
 */

export type { ForwardedCredential } from '../channel/forwarded-credential.js';
export { createParamHeaders, type ParamHeaders } from '../channel/param-headers.js';
export { createUpstreamHttp, type HttpUpstream } from '../channel/upstream-http.js';
export { createUpstreamRemote } from '../channel/upstream-remote.js';
export { type ClientHttp, type ClientHttpOptions, startClientHttp } from './client-http.js';
export { createUpstreamAuth, type UpstreamAuth } from './upstream-auth.js';
