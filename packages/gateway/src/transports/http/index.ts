export { createDecideAs, type DecideAs, type VouchedDecision } from './actions/index.js';
export { type HttpConnections, trackConnections } from './connections.js';
export { createHttpTransport } from './server.js';
