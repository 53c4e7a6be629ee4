import { checkAskingName } from '@proffer/client/machine';
import { usageFailure } from '../command-failure.js';

/** Fails for an invalid server name. */
export function checkGuardName(name: string): void {
  const found = checkAskingName(name);
  if (found === 'malformed')
    throw usageFailure(
      `--name ${JSON.stringify(name)} is not a valid name: use at most 64 letters, digits and . _ -, starting with a letter, a digit or _.`,
    );
  if (found === 'reserved')
    throw usageFailure(`${name} is the name of a reviewer; give the server another one.`, ['--name NAME']);
}
