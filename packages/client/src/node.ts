/// <reference types="node" preserve="true" />
export * from './index.js';
export { connect, type TrustOptions } from './participation-node.js';
