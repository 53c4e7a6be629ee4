import { GATEWAY } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';

/** The sender of envelopes that only the runtime writes (N-4), as MACP runtimes name it. */
export const RUNTIME = '_runtime';

/** Who was authenticated, and what the token allows. */
export interface SessionCaller {
  readonly name: string;
  /** Other names that the token may act for (N-7); `anyone` is for dev mode. Default none. */
  readonly actAs?: 'anyone' | readonly string[];
  readonly mayStartSessions: boolean;
  /** The modes that the token covers. Default all. */
  readonly allowedModes?: readonly string[];
  /** Whether it may read every session (N-8). Default no. */
  readonly isObserver?: boolean;
}

/** True for the names of the runtime itself; no one can have them or act for them. */
export function isReservedName(name: string): boolean {
  return name === RUNTIME || name === GATEWAY;
}

/** Whether a caller may speak under a name: its own, or one it may act as. */
export function maySpeakFor({ name, actAs = [] }: SessionCaller, sender: string): boolean {
  if (sender === '' || isReservedName(sender)) return false;
  return sender === name || actAs === 'anyone' || actAs.includes(sender);
}

/** Whether a caller's token covers a mode. */
export function mayUseMode({ allowedModes }: SessionCaller, mode: string): boolean {
  return allowedModes === undefined || allowedModes.includes(mode);
}

/** N-7: the envelope with its sender: without one, it is from the authenticated caller. */
export function withSender<Envelope extends { readonly sender: string }>(
  { name }: SessionCaller,
  envelope: Envelope,
): Envelope {
  return envelope.sender === '' ? { ...envelope, sender: name } : envelope;
}

/** The envelope with a time: without one, it was sent when it was accepted. */
export function withTime<Envelope extends { readonly timestamp_unix_ms: number }>(
  envelope: Envelope,
  now: number,
): Envelope {
  return envelope.timestamp_unix_ms === 0 ? { ...envelope, timestamp_unix_ms: now } : envelope;
}

/** N-7: the refusal for a sender other than the caller, or `undefined`. */
export function checkSender(caller: SessionCaller, sender: string): Refusal | undefined {
  if (maySpeakFor(caller, sender)) return undefined;
  const what = `${quote(caller.name)} may not speak for ${quote(sender)}.`;
  return refuse('UNAUTHENTICATED', what, { field: 'sender', found: quote(sender), expected: caller.name });
}
