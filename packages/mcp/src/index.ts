/// <reference types="node" preserve="true" />

export { type Clock, SYSTEM_CLOCK } from '@proffer/client/own-calls';
export { Bridge, type BridgeOptions } from './bridge/bridge.js';
export type { Channel, ChannelEvents } from './channel/channel.js';
export { createLanes, type Lanes } from './channel/lanes.js';
export { createStdioBack, type StdioBack, type StdioCommand } from './channel/stdio-back.js';
export { createStdioFront, hasLeft } from './channel/stdio-front.js';
export { DecisionRecords, type Recorded } from './guard/decisions/index.js';
export { Guard, type GuardOptions } from './guard/guard.js';
export type { GuardSettings } from './guard/guard-settings.js';
export {
  type CallJournal,
  type CallJournalOptions,
  type CallMemory,
  type Contender,
  createCallJournal,
  createProposalArchive,
  type GatewayAccess,
  isHeldForAnother,
  type KeptFact,
  type ProposalArchive,
  reportLostCalls,
} from './guard/recovery/index.js';
export {
  createReturningServer,
  identityOfCommand,
  identityOfUrl,
  type ReturningServerOptions,
  serverInfoIn,
  serverNameFrom,
  serverNameFromUrl,
  sourceOfCommand,
} from './guard/server/index.js';
export { createPinFile, type PinStore, type ServerSource } from './guard/trust/index.js';
