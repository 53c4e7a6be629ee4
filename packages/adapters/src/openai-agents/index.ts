export * from '../gate/index.js';
export { approvedTools, type OpenAiToolsOptions } from './approved-tools.js';
export {
  type DecideInterruptionsOptions,
  decideInterruptions,
  type InterruptedState,
} from './decide-interruptions.js';
