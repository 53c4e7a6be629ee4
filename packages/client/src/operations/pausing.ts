import { defined, isJsonObject, type JsonValue, textOf } from '@proffer/core/json';
import type { Exchange } from '../connection/exchange.js';
import type { Receipt } from '../connection/message.js';

/** A pause of all approvals in the space: by whom, since when, and why. */
export type Paused = { readonly by: string; readonly at: number; readonly reason?: string };

/** What an operator can do to stop everything at once. */
export interface Pausing {
  /** Refuses every approval in the space (`approvals_paused`) until someone resumes. */
  readonly pause: (reason?: string) => Promise<Receipt>;
  readonly resume: (reason?: string) => Promise<Receipt>;
}

export function createPausing(exchange: Exchange): Pausing {
  const say = (kind: string, reason?: string): Promise<Receipt> =>
    exchange.send({ kind, payload: defined({ reason }) });
  return {
    pause: (reason) => say('mcpx.pause.approvals', reason),
    resume: (reason) => say('mcpx.resume.approvals', reason),
  };
}

export function readPaused(value: JsonValue | undefined): Paused | undefined {
  if (!isJsonObject(value)) return undefined;
  const { by, at, reason } = value;
  return {
    by: textOf(by),
    at: typeof at === 'number' ? at : 0,
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}
