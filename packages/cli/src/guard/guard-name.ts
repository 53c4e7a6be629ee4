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
      `--name ${JSON.stringify(name)} is not a valid name: use at most 64 letters, digits and . _ -, starting with a letter, a digit or _.`,
    );
  }
  if (!RESERVED.has(name.toLowerCase())) return;
  throw usageFailure(`${name} is the name of a reviewer; give the server another one.`, ['--name NAME']);
}
