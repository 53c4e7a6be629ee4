/// <reference types="node" preserve="true" />

export { type Clock, SYSTEM_CLOCK } from '@proffer/client/own-calls';
export { Bridge, type BridgeOptions } from './bridge/bridge.js';
export type { ChannelEvents, JsonRpcChannel } from './channel/channel.js';
export { createClientStdio, hasLeft } from './channel/client-stdio.js';
export { createSharedServer, type SharedServer } from './channel/shared-server.js';
export { createUpstreamStdio, type StdioCommand, type UpstreamStdio } from './channel/upstream-stdio.js';
export { DecisionRecords, type RecordedDecisions } from './guard/decisions/index.js';
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
