import { resolve } from 'node:path';
import { canonicalJson } from '@proffer/core/json';
import { effectOf, type HookCall } from '../agents/index.js';
import type { AskOutcome } from './ask-people.js';

/** How long an agent takes, at most, to ask again about a decided call, in milliseconds. */
const LIFETIME = 120_000;
/** How many are remembered. */
const MOST = 1_000;

/**
 * What people decided about calls that agents ask about twice: before the tool, and again before a
 * command or in place of their own question. No one is asked twice, and each answer counts once.
 */
export class SettledCalls {
  readonly #known = new Map<string, { readonly outcome: AskOutcome; readonly until: number }>();

  /** Remembers the answer for a call, with the arguments it runs with. */
  put(call: HookCall, outcome: AskOutcome, now: number): void {
    const asked = outcome.type === 'approved' ? { ...call, arguments: outcome.arguments } : call;
    const key = keyOf(asked);
    this.#known.delete(key);
    this.#known.set(key, { outcome, until: now + LIFETIME });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Returns the recent answer for a call, and forgets it. */
  take(call: HookCall, now: number): AskOutcome | undefined {
    const key = keyOf(call);
    const found = this.#known.get(key);
    this.#known.delete(key);
    return found === undefined || found.until < now ? undefined : found.outcome;
  }
}

/**
 * A key that is equal for both questions about a call. A command is the line and its working folder, which the
 * first question may have among the arguments and the second as the agent's folder. The description
 * is in only one of them.
 */
export function keyOf(call: Pick<HookCall, 'agent' | 'session' | 'folder' | 'tool' | 'arguments'>): string {
  const { agent, session = '', tool, folder, arguments: given } = call;
  const effect = effectOf(call);
  if (effect.type === 'shell')
    return canonicalJson([agent, session, tool, resolve(folder, effect.folder ?? '.'), effect.line]);
  const { description: _why, ...rest } = given;
  return canonicalJson([agent, session, tool, folder, rest]);
}
