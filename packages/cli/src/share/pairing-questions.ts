import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@proffer/journal';
import { PAIRING_LIFETIME } from './offered-pairing.js';

/** A device that knows the code and waits to be let in. */
export type PairingQuestion = {
  readonly id: string;
  /** The address of the device. */
  readonly from: string;
  /** The device's description of itself. */
  readonly agent: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
};

/** An open question, until it is answered or withdrawn. */
export interface PutQuestion {
  /** The answer given in the console; `undefined` until there is one. */
  answer(): boolean | undefined;
  /** Withdraws the question. */
  end(): void;
}

/**
 * Questions between the process that serves devices and whichever guard runs the gateway. They are files in the guards'
 * folder, which only its owner can read and write.
 */
export interface PairingQuestions {
  put(question: Omit<PairingQuestion, 'id'>): PutQuestion;
  list(now: number): readonly PairingQuestion[];
  /** Whether it was still open. The first answer counts. */
  answer(id: string, isYes: boolean): boolean;
}

/** @param guards - the guards' folder */
export function pairingQuestions(guards: string): PairingQuestions {
  const folder = join(guards, 'pairing');
  const asked = (id: string): string => join(folder, `${id}.json`);
  const answered = (id: string): string => join(folder, `${id}.answer`);
  return {
    put(question) {
      makeFolder(folder);
      const id = randomBytes(8).toString('hex');
      writeFileSync(asked(id), JSON.stringify({ id, ...question }), { mode: 0o600 });
      return {
        answer: () => (existsSync(answered(id)) ? readFileSync(answered(id), 'utf8') === 'yes' : undefined),
        end() {
          rmSync(asked(id), { force: true });
          rmSync(answered(id), { force: true });
        },
      };
    },
    list(now) {
      const names = existsSync(folder) ? readdirSync(folder) : [];
      return names
        .filter((name) => name.endsWith('.json') && !names.includes(name.replace('.json', '.answer')))
        .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as PairingQuestion)
        .filter(({ askedAt }) => now - askedAt < PAIRING_LIFETIME);
    },
    answer(id, isYes) {
      if (!/^[0-9a-f]{16}$/.test(id) || !existsSync(asked(id))) return false;
      try {
        writeFileSync(answered(id), isYes ? 'yes' : 'no', { mode: 0o600, flag: 'wx' });
        return true;
      } catch {
        return false;
      }
    },
  };
}
