import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { guardsFolder, PORT_FILE } from '@proffer/client/machine';
import { CommandFailure, EXIT } from '../command-failure.js';
import { type Environment, ownName } from '../terminal/shell.js';

export { guardsFolder, PORT_FILE };

/** The token files of the reviewers in the guards' folder: a person, and rules. */
export const REVIEWER_FILE = 'reviewer.token';
export const STEWARD_FILE = 'steward.token';

/** Whether a guard or hook has run its gateway in this folder. */
export function isGuardsHere(folder: string): boolean {
  return [PORT_FILE, REVIEWER_FILE].every((file) => existsSync(join(folder, file)));
}

/** The token of the person who reviews what waits in the gateway of a guards' folder; `undefined` if it cannot be read. */
export function reviewerTokenIn(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, REVIEWER_FILE), 'utf8').trim();
  } catch {
    return undefined;
  }
}

/**
 * The guards' folder, the address of their shared gateway, and a reviewer's token. Creates nothing.
 *
 * @param role - `steward` for rules, anything else for a person
 * @throws CommandFailure if no guard has run yet
 */
export function readGuards(
  env: Environment,
  role: string,
): {
  readonly folder: string;
  readonly url: string;
  readonly token: string;
} {
  const folder = guardsFolder(env);
  const read = (file: string): string => {
    try {
      return readFileSync(join(folder, file), 'utf8').trim();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new CommandFailure(
        {
          exit: EXIT.unreachable,
          code: 'no_guards',
          message:
            code === 'ENOENT'
              ? `No guard has run here yet: there is no ${file} in ${folder}.`
              : `${join(folder, file)} cannot be read: ${message}.`,
          next: [
            `${ownName(process.argv[1] ?? '', env)} guard -- COMMAND…   # puts one in front of an MCP server`,
            'PROFFER_HOME=…   # if the guards have another folder',
          ],
        },
        error,
      );
    }
  };
  const token = read(role === 'steward' ? STEWARD_FILE : REVIEWER_FILE);
  return { folder, url: `http://127.0.0.1:${read(PORT_FILE)}`, token };
}

/** The home folder where agents look for their settings. */
export function homeOf({ HOME }: Environment): string {
  return HOME === undefined || HOME === '' ? homedir() : HOME;
}
