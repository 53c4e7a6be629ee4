export {
  createOnBehalf,
  type DecideAs,
  type OnBehalf,
  type SeeAs,
  type Sight,
  type VisibleProposal,
  type VouchedDecision,
} from './actions/index.js';
export { type HttpConnections, trackConnections } from './connections.js';
export { listenForMetrics } from './metrics-listener.js';
export { createHttpTransport } from './server.js';
