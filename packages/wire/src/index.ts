/// <reference types="node" preserve="true" />
export { type Codec, codecOf } from './codec.js';
export * from './descriptors.js';
export * from './envelope.js';
export type { JsonForm, WireEnvelope } from './json-codec/json-codec.js';
export * from './service.js';
