import { floodWithGarbage, sendAgain, sendTooMuch } from './floods.js';
import { openIdle, readByteASecond, readNothing } from './readers.js';

/** Whom an attacker attacks, and what it may assume there. */
export type Target = {
  readonly port: number;
  /** Connections that an idle attacker opens. */
  readonly connections: number;
  /** Messages per second that a participant may send there. */
  readonly limit: number;
};

/** What somebody hostile, or merely broken, may do to a gateway that let it in. */
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

/** Begins an attack that goes on until the process ends. Gives how many connections it has. */
export function attack({ name, ...target }: Target & { readonly name: AttackName }): Promise<number> {
  return ATTACKS[name](target);
}
