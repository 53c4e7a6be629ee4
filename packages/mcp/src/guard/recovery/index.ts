/** What an earlier run left behind, as the gateway and the guard itself remember it. */

export { editInArchive } from './archived-edit.js';
export { factsInArchive } from './archived-facts.js';
export { outcomeInArchive } from './archived-outcome.js';
export {
  createDeliveryFile,
  type DeliveryFileOptions,
  type DeliveryStore,
  NO_DELIVERIES,
} from './delivery-file.js';
export { type LeftBehindOptions, leftBehind } from './left-behind.js';
export { leftBySiblings } from './left-by-siblings.js';
export { enterAfterwards } from './left-running.js';
export { type Contender, isHeldForAnother } from './name-held.js';
export { createProposalArchive, type GatewayAccess, type ProposalArchive } from './proposal-archive.js';
