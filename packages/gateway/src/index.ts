/// <reference types="node" preserve="true" />
export * from './auth/index.js';
export type { Beside, Companion, CompanionContext, Hook, HookRequest, ServedAddress } from './companion.js';
export * from './config/index.js';
export { ENDINGS, type Ending } from './delivery/sink.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export type { DecideAs, VouchedDecision } from './http/actions/index.js';
export { type LoopbackGateway, type LoopbackOptions, loopbackConfig, startOnLoopback } from './loopback.js';
export { SUBPROTOCOL } from './ws/upgrade.js';
