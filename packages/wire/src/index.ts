/// <reference types="node" preserve="true" />
export { type Codec, codecOf } from './codec.js';
export * from './descriptors.js';
export * from './envelope.js';
export * from './service.js';
export type { Twin, WireEnvelope } from './twin/twin.js';
