import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, textsIn } from '@proffer/core/json';

/** How a guard is started: the words before the server's own command, the last of them `--`. */
export type GuardWords = readonly string[];

/** What is known about a server in the settings of a program. */
export type ServerKind =
  | { readonly type: 'command'; readonly words: readonly string[] }
  | { readonly type: 'remote' }
  | { readonly type: 'shell line' }
  | { readonly type: 'unknown' };

/** How a server is started, in all the forms that programs have for it. */
export function readServer(server: JsonObject): ServerKind {
  const words = wordsOf(server);
  if (words !== undefined) {
    const [program = '', ...rest] = words;
    // Whether the program splits it is not known, and a guard would not.
    const isLine = rest.length === 0 && /\S\s+-/.test(program);
    return isLine ? { type: 'shell line' } : { type: 'command', words };
  }
  const isRemote = ['url', 'httpUrl', 'serverUrl'].some((key) => typeof server[key] === 'string');
  return { type: isRemote ? 'remote' : 'unknown' };
}

function wordsOf({ command, args }: JsonObject): readonly string[] | undefined {
  if (isJsonArray(command)) return texts(command);
  // An earlier form of Zed.
  if (isJsonObject(command)) return wordsOf({ command: command['path'], args: command['args'] });
  if (typeof command !== 'string' || command === '') return undefined;
  const rest = args === undefined ? [] : texts(args);
  return rest === undefined ? undefined : [command, ...rest];
}

function texts(value: JsonValue): readonly string[] | undefined {
  const found = textsIn(value);
  return isJsonArray(value) && found.length === value.length ? found : undefined;
}

/** Whether a server has a list of arguments, even an empty one. */
export function hasArguments({ command, args }: JsonObject): boolean {
  return isJsonObject(command) ? command['args'] !== undefined : isJsonArray(command) || args !== undefined;
}

/**
 * A server with another command, in the form that it has. Everything else stays.
 *
 * @param keepsArguments - whether an empty list of arguments is written
 */
function withWords(server: JsonObject, words: readonly string[], keepsArguments: boolean): JsonObject {
  const { command } = server;
  if (isJsonArray(command)) return { ...server, command: [...words] };
  if (isJsonObject(command))
    return { ...server, command: splitWords(command, 'path', words, keepsArguments) };
  return splitWords(server, 'command', words, keepsArguments);
}

function splitWords(
  place: JsonObject,
  key: string,
  [program = '', ...args]: readonly string[],
  keepsArguments: boolean,
): JsonObject {
  const isWritten = args.length > 0 || keepsArguments;
  const isNew = place['args'] === undefined;
  const pairs = Object.entries(place).flatMap(
    ([name, value]): readonly (readonly [string, JsonValue | undefined])[] => {
      if (name === 'args') return isWritten ? [[name, args]] : [];
      if (name !== key) return [[name, value]];
      // New arguments come right after the command.
      return isWritten && isNew
        ? [
            [key, program],
            ['args', args],
          ]
        : [[key, program]];
    },
  );
  return Object.fromEntries(pairs);
}

/** Whether words start a guard, written by anyone. */
export function isGuarded(words: readonly string[]): boolean {
  return guardAt(words) !== -1;
}

const PROFFER = /(?:^|[\\/])proffer(?:\.js|\.cmd)?$|^(?:@proffer\/cli|proffer)(?:@|$)/;

function guardAt(words: readonly string[]): number {
  return words.findIndex((word, at) => word === 'guard' && PROFFER.test(words[at - 1] ?? ''));
}

/** A server behind a guard. */
export function wrapServer(server: JsonObject, guard: GuardWords): JsonObject {
  const kind = readServer(server);
  if (kind.type !== 'command' || isGuarded(kind.words)) return server;
  return withWords(server, [...guard, ...kind.words], true);
}

/**
 * A server without its guard; unchanged if it has none.
 *
 * @param hadArguments - whether it had a list of arguments before
 */
export function unwrapServer(server: JsonObject, hadArguments: boolean): JsonObject {
  const kind = readServer(server);
  if (kind.type !== 'command' || !isGuarded(kind.words)) return server;
  const end = kind.words.indexOf('--', guardAt(kind.words));
  const words = kind.words.slice(end + 1);
  return end === -1 || words.length === 0 ? server : withWords(server, words, hadArguments);
}
