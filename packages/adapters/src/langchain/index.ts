export * from '../gate/index.js';
export {
  type ApprovalInterrupt,
  type ApprovalMiddlewareOptions,
  approvalMiddleware,
} from './approval-middleware.js';
export { type DecideInterruptsOptions, decideInterrupts, type Interrupted } from './decide-interrupts.js';
