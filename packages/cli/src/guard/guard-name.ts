import { usageFailure } from '../command-failure.js';

/** Those who decide on this machine have these names: a person, and rules. */
const RESERVED = new Set(['reviewer', 'steward']);

/**
 * Fails for what cannot be the name of a guarded server: it names a file and a participant, and must not
 * be taken for whoever decides.
 */
export function checkGuardName(name: string): void {
  if (!/^[A-Za-z0-9_][\w.-]{0,63}$/.test(name)) {
    throw usageFailure(
      `--name ${JSON.stringify(name)} is no name: wanted are at most 64 letters, digits and . _ -, with a letter, a digit or _ first.`,
    );
  }
  if (!RESERVED.has(name.toLowerCase())) return;
  throw usageFailure(`${name} is the name of somebody who decides; give the server another one.`, [
    '--name NAME',
  ]);
}
