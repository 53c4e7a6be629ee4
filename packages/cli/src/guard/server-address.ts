import { usageFailure } from '../command-failure.js';
import { suggestedOrigin } from '../connection/suggested-address.js';

/**
 * The address of a server over HTTP. Anything else is not repeated, since it may contain a secret.
 *
 * @throws CommandFailure for what is not http or https, and for an address with a user name or a password
 */
export function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw usageFailure(
      '--server-url is not the address of a server: it must begin with http:// or https://.',
      [`--server-url ${suggestedOrigin(text) ?? 'https://HOST'}/…`],
    );
  }
  if (url.username === '' && url.password === '') return url;
  throw usageFailure('--server-url holds a user name or a password; they are sent in a header instead.', [
    '--header authorization="Basic …"   # … is NAME:PASSWORD in base64',
  ]);
}

const NAME = /^[!#$%&'*+.^`|~\w-]+/;
/** What an HTTP header value can contain: no line breaks, and nothing beyond Latin-1. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * A header as `name=value`. For anything else, at most the name is repeated: the value is often a secret.
 *
 * @throws CommandFailure for another form, and for a value that cannot be sent
 */
export function parseHeader(text: string): readonly [name: string, value: string] {
  const [name = ''] = NAME.exec(text) ?? [];
  const separator = text.charAt(name.length);
  if (name === '' || separator !== '=') {
    const which = separator === ':' && name !== '' ? `--header ${name}` : 'A --header';
    throw usageFailure(`${which} is not written as name=value.`, ['--header authorization="Bearer …"']);
  }
  const value = text.slice(name.length + 1);
  if (VALUE.test(value)) return [name, value];
  throw usageFailure(`--header ${name} has a character in its value that no header can have.`, [
    'Check for line breaks, and for letters that were changed when it was copied.',
  ]);
}
