/// <reference lib="esnext.disposable" preserve="true" />

export * from './negotiation/index.js';
export type { ChatOptions } from './operations/chat.js';
export type { Paused } from './operations/pausing.js';
export * from './participation.js';
