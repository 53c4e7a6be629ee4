import { isJsonObject } from '@proffer/core';
import type { SocketEnd } from './socket.js';

/** Reads the body of an HTTP answer that refuses: `{ error: { code, message, details } }`. */
export function readRefusalBody(text: string): SocketEnd['refusal'] {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (!isJsonObject(error)) return undefined;
    const { code, message, details } = error;
    if (typeof code !== 'string' || typeof message !== 'string') return undefined;
    return { code, message, details: isJsonObject(details) ? details : {} };
  } catch {
    return undefined;
  }
}
