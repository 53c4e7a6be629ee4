import { join } from 'node:path';
import { isJsonObject, type JsonObject, parseJson, textOf } from '@proffer/core/json';
import type { Companion } from '@proffer/gateway';
import { ownName } from '../terminal/shell.js';
import { type OneTimeCodes, oneTimeCodes } from './one-time-codes.js';

/** Lifetime of a sign-in link, in milliseconds. */
const LIFETIME = 120_000;

/** The codes of the links to the inbox. */
function signInCodes(folder: string): OneTimeCodes {
  return oneTimeCodes(join(folder, 'sign-in'), LIFETIME);
}

/**
 * A link that opens the inbox of the guards' gateway and signs its reader in: once, within two minutes. The
 * code is in the fragment, which browsers do not send; the token is not in the address.
 *
 * @param folder - the guards' folder
 */
export function signInLink(folder: string, url: string, now: number): string {
  return `${url}/console/#code=${signInCodes(folder).make(now)}`;
}

/** `POST /hooks/sign-in` exchanges the code of a link for the reviewer's token. */
export function signInCompanion({
  path,
  reviewerToken,
}: {
  readonly path: string;
  readonly reviewerToken: string;
}): Companion {
  const codes = signInCodes(path);
  return async ({ clock }) => ({
    hooks: () => [
      {
        name: 'sign-in',
        answer: async ({ body }) =>
          codes.take(codeIn(body), clock())
            ? { status: 200, body: { token: reviewerToken } }
            : { status: 401, body: REFUSED },
      },
    ],
    reload: () => {},
    close: async () => {},
  });
}

const REFUSED: JsonObject = {
  title: 'Unauthorized',
  status: 401,
  detail: `This link has already been used or is older than two minutes. This command opens a new one: ${ownName(process.argv[1] ?? '', process.env)} inbox --guard --open`,
};

function codeIn(body: string): string {
  const parsed = parseJson(body);
  const code = parsed.ok && isJsonObject(parsed.value) ? parsed.value['code'] : undefined;
  return textOf(code);
}
