export { createWebSocketTransport } from './server.js';
