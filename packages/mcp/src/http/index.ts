/// <reference types="node" preserve="true" />
/**
 * Clients and servers over HTTP. Separate from the rest, since it takes longer to load than a guard over
 * stdio takes to start.
 */

export type { ForwardedCredential } from '../channel/forwarded-credential.js';
export { createHttpBack, type HttpServer } from '../channel/http-back.js';
export { createParamHeaders, type ParamHeaders } from '../channel/param-headers.js';
export { createRemoteBack } from '../channel/remote-back.js';
export { type HttpFront, type HttpFrontOptions, startHttpFront } from './http-front.js';
export { createUpstreamAuth, type UpstreamAuth } from './upstream-auth.js';
