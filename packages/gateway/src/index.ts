/// <reference types="node" preserve="true" />

/**
 * A gateway in a program: start one, with a configuration, and companions that run beside it. Everything else about
 * configurations is in `/config`, and what answers requests beside a gateway is in `/door`.
 */
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
export {
  devConfig,
  formatProblems,
  type GatewayConfig,
  loadConfig,
  type ParseConfigOptions,
  type ParsedConfig,
  type Problem,
  parseConfig,
} from './config/index.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { hidingLog } from './hiding-log.js';
export { type LoopbackGateway, type LoopbackOptions, loopbackConfig, startOnLoopback } from './loopback.js';
export { createToken, type NewToken } from './token.js';
export type { DecideAs, SeeAs, Sight, VisibleProposal, VouchedDecision } from './transports/index.js';
