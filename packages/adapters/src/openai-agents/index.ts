export * from '../gate/index.js';
export { type ApprovedToolsOptions, approvedTools } from './approved-tools.js';
export {
  type DecideInterruptionsOptions,
  decideInterruptions,
  type InterruptedState,
} from './decide-interruptions.js';
