export type { AgentCall } from './call.js';
export {
  type Allowed,
  type ApprovedCall,
  type BlockedCall,
  type GateDecision,
  NotRunError,
  type Ran,
  refusalIn,
} from './decision.js';
export { type Admitted, createGate, type Gate } from './gate.js';
export type { GateOptions } from './options.js';
