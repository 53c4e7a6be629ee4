import { readFileSync } from 'node:fs';
import { usageFailure } from '../command-failure.js';
import type { Environment } from '../terminal/shell.js';

/**
 * The certificates in the file named by `--ca` or PROFFER_CA, in PEM: CAs to trust in addition to Node's own.
 * `undefined` if neither is set.
 *
 * @throws CommandFailure for a file that cannot be read, or has no certificate in it
 */
export function trustedFile(option: string | undefined, env: Environment): string | undefined {
  const file = option ?? env['PROFFER_CA'];
  if (file === undefined || file === '') return undefined;
  const name = option === undefined ? 'PROFFER_CA' : '--ca';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw usageFailure(`${name}: ${file} cannot be read (${code}).`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw usageFailure(`${name}: ${file} has no certificate in PEM format.`, [
      'It begins with -----BEGIN CERTIFICATE-----.',
    ]);
  return text;
}
