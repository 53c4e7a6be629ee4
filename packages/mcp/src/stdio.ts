/** What a guard over stdio needs before anything else is loaded. */

export { createClientStdio } from './channel/client-stdio.js';
export { createUpstreamStdio, type StdioCommand, type UpstreamStdio } from './channel/upstream-stdio.js';
export { passOn } from './guard/pass-on.js';
export { createStartupProxy, type StartupProxy } from './guard/startup-proxy.js';
