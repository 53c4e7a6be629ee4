import { objectOf } from '../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import { findTokens, looksRandom, type Span } from './formats.js';
import { isGetting, tellingOf } from './names.js';

/** What is shown in place of a secret. The digest of a call covers the real value. */
export const REDACTED = '[redacted]';

/** What is shown in place of this secret: a text that begins with `[redacted`. */
export type Mark = (secret: string) => string;

/** Tells secrets apart without showing them: the second one is `[redacted 2]`, also where it comes again. */
export function numberedMark(): Mark {
  const numbers = new Map<string, number>();
  return (secret) => {
    const number = numbers.get(secret) ?? numbers.size + 1;
    numbers.set(secret, number);
    return number === 1 ? REDACTED : `[redacted ${number}]`;
  };
}

/** How to find what must not be shown. */
export interface HidingOptions {
  /**
   * Paths to hide besides: names separated by dots, in any case, at any depth; `*` is any single name or list index.
   * Default none.
   */
  readonly paths?: readonly string[];
  /** Whether to look for secrets by names and formats. Default true. */
  readonly detect?: boolean;
  /** Default: the same for all, `REDACTED`. */
  readonly mark?: Mark;
}

/** A value without its secrets, and whether there were any. */
export interface Hidden<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly hasSecrets: boolean;
}

/**
 * Replaces secrets in a value: under telling names at any depth and in any case, in well-known formats anywhere in a
 * text, and what looks random beside a name that hints at it. Pure; takes time in proportion to the size of the value.
 */
export function hideSecrets<Value extends JsonValue>(
  value: Value,
  { paths = [], detect = true, mark = () => REDACTED }: HidingOptions = {},
): Hidden<Value> {
  const written = paths.map((path) => path.toLowerCase().split('.'));
  const hidden = hide(value, { name: '', open: written, written, detect, mark });
  return { value: hidden as Value, hasSecrets: hidden !== value };
}

/** Hides secrets in a value at a path such as `/login/password`: any name of the path may tell. */
export function hideAt(path: string, value: JsonValue, options?: HidingOptions): JsonValue {
  const names = path.split('/').slice(1);
  const whole = names.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value);
  const { value: hidden } = hideSecrets(whole, options);
  return names.reduce<JsonValue>((outer, name) => objectOf(outer)[name] ?? value, hidden);
}

interface Place {
  /** The name of the value; empty at the top. */
  readonly name: string;
  /** What is left of the paths that lead here. */
  readonly open: readonly (readonly string[])[];
  readonly written: readonly (readonly string[])[];
  readonly detect: boolean;
  readonly mark: Mark;
}

function hide(value: JsonValue, place: Place): JsonValue {
  if (place.open.some((rest) => rest.length === 0)) return REDACTED;
  if (isJsonArray(value)) {
    const options = place.detect ? findOptions(value) : NO_OPTIONS;
    const items = value.map((item, index) =>
      hide(item, below(place, String(index), options.get(index) ?? place.name)),
    );
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (isJsonObject(value)) return hideFields(value, place);
  if (!place.detect) return value;
  return hideScalar(value, place);
}

const NO_OPTIONS: ReadonlyMap<number, string> = new Map();

/** The words of a command line that are the value of the option before them, by their index: `--token`, `x`. */
function findOptions(words: readonly JsonValue[]): ReadonlyMap<number, string> {
  if (!words.some((word) => typeof word === 'string' && isTellingOption(word))) return NO_OPTIONS;
  const options = new Map<number, string>();
  const isRunning = followRunning(words.map((word) => (typeof word === 'string' ? word : '')).join(' '));
  let position = 0;
  let before = '';
  for (const [index, word] of words.entries()) {
    const text = typeof word === 'string' ? word : '';
    if (isTellingOption(before) && !/[\s;&|<>`$(){}]/.test(text) && !mayRun(text, true, isRunning(position)))
      options.set(index, before);
    position += text.length + 1;
    before = text;
  }
  return options;
}

function isTellingOption(word: string): boolean {
  return /^--?[A-Za-z][A-Za-z0-9_.-]{0,127}$/.test(word) && tellingOf(word) === 'secret';
}

function hideFields(value: JsonObject, place: Place): JsonObject {
  let isSame = true;
  const paired = nameInPair(value);
  const entries = Object.entries(value).map(([key, item]): readonly [string, JsonValue | undefined] => {
    if (item === undefined) return [key, item];
    // Everything under a telling name is meant, such as the parts of `credentials`, but no command.
    const name =
      tellingOf(place.name) === 'secret' && !isGetting(key) ? place.name : key === 'value' ? paired : key;
    const hidden = hide(item, below(place, key, name));
    if (hidden !== item) isSame = false;
    return [key, hidden];
  });
  return isSame ? value : Object.fromEntries(entries);
}

/** The name of a value in a pair such as `{name: 'password', value: …}`. */
function nameInPair({ name, key = name }: JsonObject): string {
  return typeof key === 'string' ? key : 'value';
}

function below({ open, written, detect, mark }: Place, key: string, name: string): Place {
  if (written.length === 0) return { name, open: written, written, detect, mark };
  const lower = key.toLowerCase();
  const going = [...open, ...written].filter(([first]) => first === '*' || first === lower);
  return { name, open: going.map((path) => path.slice(1)), written, detect, mark };
}

function hideScalar(value: JsonValue, { name, mark }: Place): JsonValue {
  const telling = tellingOf(name);
  if (typeof value === 'string') {
    if (telling === 'secret' && value !== '' && !isReference(value)) return mark(value);
    if (telling === 'hint' && looksRandom(value)) return mark(value);
    return hideInText(value, mark);
  }
  // `max_tokens: 500` is a number of tokens; `pin: 1234` is a secret.
  const isCount = /tokens?$/i.test(name);
  return telling === 'secret' && typeof value === 'number' && !isCount ? mark(String(value)) : value;
}

/** A name before its value in a text: `password=…`, `"api_key": "…"`, `TOKEN: …`, or the option `--token …`. */
const NAMED =
  /(?<![A-Za-z0-9_.-])(-{0,2})([A-Za-z][A-Za-z0-9_.-]{0,127})(\\?["']?[ \t]{0,3}[:=][ \t]{0,3}|[ \t]{1,3})/g;

/**
 * One character of a value. A value ends where a shell would run something else, or would split a word: nobody hides a
 * command behind the word password.
 */
const character = (others: string): string => `(?:[^"'\`$;&|<>(){}\\r\\n${others}]|\\$(?![A-Z_@*({"']))`;

/** The value after a name, in quotes or as one word. A quote before a space is the end of an earlier one. */
const VALUE = new RegExp(
  [
    ...[`"`, `'`, `\\\\"`].map((quote) => `${quote}(?!\\s)(${character('\\\\')}{1,1024})${quote}`),
    `\\\\?["']?(${character('\\s,')}{3,1024})`,
  ].join('|'),
  'y',
);

/** How a credential in a header begins. */
const SCHEME = /(?:Bearer|Basic|Token)[ \t]{1,3}/iy;

/** The password in an address. */
const IN_ADDRESS = new RegExp(`://[^\\s/:@"']{0,64}:(${character('\\s/@?#\\\\')}{1,256})@`, 'g');

/** The password of `curl -u NAME:PASSWORD`, and of `mysql -pPASSWORD`: a part of a word. */
const ATTACHED = new RegExp(
  [
    `\\bcurl[ \\t](?:[^;&|\\r\\n]{0,200}?[ \\t])?(?:-u|--user|--proxy-user)[ \\t=]{0,3}["']?[^\\s:"';&|]{1,64}:`,
    `\\bmysql(?:dump|admin)?[ \\t](?:[^;&|\\r\\n]{0,200}?[ \\t])?-p["']?`,
  ]
    .map((before) => `${before}(${character('\\s,')}{1,256})`)
    .join('|'),
  'g',
);

/** Programs that run another one, after their options; what may be quoted; and where a shell begins anew. */
const RUNNING = new RegExp(
  [
    '\\b(?:env|sudo|doas|su|runuser|exec|command|time|i?onice|nice|nohup|setsid|stdbuf|timeout|xargs|parallel|watch',
    '|strace|ltrace|chroot|unshare|nsenter|taskset|chrt|flock|systemd-run|busybox|find|ssh|(?:ba|z|k|da|fi)?sh',
    '|npx|bunx|uvx|docker|podman|kubectl)["\']?[ \\t]+(?:\\\\\\n)?["\'\\\\$]?-|["\'\\\\]|[;&|\\n]',
  ].join(''),
  'g',
);

/** A text without its secrets. */
export function hideInText(text: string, mark: Mark = () => REDACTED): string {
  // Most texts are short and have nothing of the kind.
  if (text.length < 8) return text;
  const spans: Span[] = [...findTokens(text)];
  spans.push(...findNamed(text));
  for (const { index, 0: whole, 1: first, 2: given = first ?? '' } of text.matchAll(ATTACHED)) {
    const to = index + whole.length;
    if (!isReference(given)) spans.push([to - given.length, to]);
  }
  for (const { index, 0: whole, 1: given = '' } of text.matchAll(IN_ADDRESS)) {
    const to = index + whole.length - 1;
    if (!isReference(given)) spans.push([to - given.length, to]);
  }
  return spans.length === 0 ? text : without(text, spans, mark);
}

/** Where a text has values after telling names. */
function findNamed(text: string): readonly Span[] {
  const spans: Span[] = [];
  const isRunning = followRunning(text);
  let done = 0;
  for (const { index, 0: whole, 1: dashes, 2: name = '', 3: separator = '' } of text.matchAll(NAMED)) {
    let at = index + whole.length;
    // Words that follow one another mean nothing, unless the first is an option.
    if (at <= done || (dashes === '' && separator.trim() === '')) continue;
    const telling = tellingOf(name);
    if (telling === 'nothing') continue;
    SCHEME.lastIndex = at;
    const scheme = SCHEME.exec(text)?.[0] ?? '';
    at += scheme.length;
    VALUE.lastIndex = at;
    const [found = '', ...values] = VALUE.exec(text) ?? [];
    const given = values.find((value) => value !== undefined) ?? '';
    const isSecret = telling === 'secret' ? !isReference(given) : looksRandom(given);
    if (given === '' || !isSecret) continue;
    const isOption = scheme === '' && !separator.includes(':');
    if (/\s$/.test(separator + scheme) && mayRun(given, isOption, isRunning(index))) continue;
    const from = at + found.indexOf(given);
    done = from + given.length;
    spans.push([from, done]);
  }
  return spans;
}

/**
 * Whether a word of its own may be what a shell runs: `PASSWORD= /tmp/x` and `env -u --token reboot` run the word after
 * the name. Rather a secret is shown than a command hidden.
 */
function mayRun(word: string, isOption: boolean, isRunning: boolean): boolean {
  if (/^[-!~.]|[/\\]/.test(word)) return true;
  return isRunning || (isOption && /^[a-z_-]+$/.test(word));
}

/** Tells, for positions in order, whether a program before them may run what follows. Reads a text once. */
function followRunning(text: string): (position: number) => boolean {
  const tokens = text.matchAll(RUNNING);
  let next = tokens.next();
  let isRunning = false;
  let isQuoted = false;
  return (position) => {
    for (; next.done !== true && next.value.index < position; next = tokens.next()) {
      const [token] = next.value;
      if (token.length > 1) isRunning = true;
      else if (/["'\\]/.test(token)) isQuoted ||= isRunning;
      // In quotes, a semicolon ends nothing.
      else if (!isQuoted) isRunning = false;
    }
    return isRunning;
  };
}

/** A variable, a placeholder or nothing at all: it names a secret, and is none. */
function isReference(value: string): boolean {
  return /^(?:\$\w+$|\$[({]|\{\{[^}]*\}\}$|<[^>]*>$|%\w+%?$|\*+$|x{3,}$|\.{3}$|\[redacted)/i.test(value);
}

function without(text: string, spans: readonly Span[], mark: Mark): string {
  const sorted = spans.toSorted(([left], [right]) => left - right);
  let shown = '';
  let at = 0;
  for (let place = 0; place < sorted.length; ) {
    const [from, first] = sorted[place] ?? [0, 0];
    // Spans that overlap or touch are one.
    let to = first;
    for (; (sorted[place]?.[0] ?? Number.POSITIVE_INFINITY) <= to; place++)
      to = Math.max(to, sorted[place]?.[1] ?? 0);
    shown += text.slice(at, from) + mark(text.slice(from, to));
    at = to;
  }
  return shown + text.slice(at);
}
