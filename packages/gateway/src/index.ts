/// <reference types="node" preserve="true" />

export type { Beside, Companion, CompanionContext, Hook, HookRequest, ServedAddress } from './companion.js';
export * from './config/index.js';
export { ENDINGS, type Ending } from './delivery/sink.js';
export * from './door/auth/index.js';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.js';
export { type LoopbackGateway, type LoopbackOptions, loopbackConfig, startOnLoopback } from './loopback.js';
export type { DecideAs, VouchedDecision } from './transports/http/actions/index.js';
export { SUBPROTOCOL } from './transports/ws/upgrade.js';
