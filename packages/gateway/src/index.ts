/// <reference types="node" preserve="true" />
export type {
  Companion,
  CompanionContext,
  Hook,
  HookAnswer,
  HookRequest,
  RunningCompanions,
  ServedAddress,
  SpaceRequest,
  SpaceRoute,
} from './companion.js';
export * from './config/index.js';
export { type ConnectionEnding, ENDINGS, type StoredOperation } from './delivery/index.js';
export * from './door/auth/index.js';
export { createStrangers } from './door/index.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { hidingLog } from './hiding-log.js';
export { type LoopbackGateway, type LoopbackOptions, loopbackConfig, startOnLoopback } from './loopback.js';
export { createToken, type NewToken, TOKEN_PREFIX } from './token.js';
export type { DecideAs, SeeAs, Sight, VisibleProposal, VouchedDecision } from './transports/index.js';
export { SUBPROTOCOL } from './transports/index.js';
