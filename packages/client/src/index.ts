/// <reference lib="esnext.disposable" preserve="true" />

/** Participants of a space. Negotiations are in `/negotiation`. */
export type { ChatOptions } from './operations/chat.js';
export type { Paused } from './operations/pausing.js';
export * from './participation.js';
