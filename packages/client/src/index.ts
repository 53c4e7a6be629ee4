/// <reference lib="esnext.disposable" preserve="true" />
export * from './negotiation/index.js';
export * from './participation.js';
