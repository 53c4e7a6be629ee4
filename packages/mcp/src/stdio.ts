/** What a guard over stdio needs before anything else is loaded. */

export { createClientStdio } from './channel/client-stdio.js';
export { createUpstreamStdio, type StdioCommand, type UpstreamStdio } from './channel/upstream-stdio.js';
export { createStartupProxy, passOn, type StartupProxy } from './guard/startup-proxy.js';
