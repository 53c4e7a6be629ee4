import { usageFailure } from '../command-failure.js';

/** Whoever decides on this machine has this name. */
const RESERVED = 'reviewer';

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
  if (name.toLowerCase() !== RESERVED) return;
  throw usageFailure(`${RESERVED} is the name of whoever decides; give the server another one.`, [
    '--name NAME',
  ]);
}
