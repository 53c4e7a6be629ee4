import { floodWithGarbage, sendAgain, sendTooMuch } from './floods.js';
import { openIdle, readByteASecond, readNothing } from './readers.js';

/** The target of an attack and what an attacker knows about it. */
export type Target = {
  readonly port: number;
  /** Connections that an idle attacker opens. */
  readonly connections: number;
  /** Messages per second that a participant may send to the target. */
  readonly limit: number;
};

/** What a hostile or broken participant may do to a gateway it is connected to. */
const ATTACKS = {
  'a reader that never reads': readNothing,
  'a reader of one byte a second': readByteASecond,
  'a flood of garbage': floodWithGarbage,
  'a hundred times its limit': sendTooMuch,
  'the same messages again': sendAgain,
  'idle connections': openIdle,
} as const;

export type AttackName = keyof typeof ATTACKS;

export const ATTACK_NAMES = Object.keys(ATTACKS) as readonly AttackName[];

/** Starts an attack that lasts until the process exits. Returns the number of its connections. */
export function attack({ name, ...target }: Target & { readonly name: AttackName }): Promise<number> {
  return ATTACKS[name](target);
}
