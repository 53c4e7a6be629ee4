/** What a guard over stdio needs before anything else is loaded. */

export { createStdioBack, type StdioBack, type StdioCommand } from './channel/stdio-back.js';
export { createStdioFront } from './channel/stdio-front.js';
export { passOn } from './guard/pass-on.js';
export { createStartupProxy, type StartupProxy } from './guard/startup-proxy.js';
