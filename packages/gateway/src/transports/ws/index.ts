export { createWebSocketTransport } from './server.js';
export { SUBPROTOCOL } from './upgrade.js';
