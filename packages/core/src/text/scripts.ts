import { escapeOf } from './hidden.js';

/** A word whose letters come from alphabets that are not used together, or that only look Latin. */
export interface SuspiciousWord {
  /** `mixed_scripts`: alphabets mixed in one word. `lookalike`: letters that pass for Latin ones. */
  readonly reason: 'mixed_scripts' | 'lookalike';
  /** The alphabets found, by their Unicode names, such as `Latin` and `Cyrillic`. */
  readonly scripts: readonly string[];
  /** Whether a letter is one of the odd ones. */
  readonly isOdd: (letter: string) => boolean;
}

/** Letters in an unusual form: 𝚊, ⅰ, ﬁ. Unicode's compatibility mapping leads back to ASCII. */
const STYLED = 'Compatibility';
/** Full-width Latin letters, as used among Chinese ones. */
const FULLWIDTH = 'Fullwidth';
const OTHER = 'Other';

/** Scripts that may be mixed with Latin in one word. */
const BESIDE_LATIN =
  'Arabic Bengali Bopomofo Devanagari Ethiopic Georgian Gujarati Gurmukhi Han Hangul Hebrew Hiragana Kannada Katakana Khmer Lao Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'.split(
    ' ',
  );
/** The scripts among them that may also be mixed with each other. */
const EAST_ASIAN = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
];

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Coptic',
  'Lisu',
  ...BESIDE_LATIN,
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')]);

const SHARED = /\p{Script=Common}|\p{Script=Inherited}/u;
const ASCII = /^[ -~]*$/;

/** Letters of other scripts that most fonts draw like Latin ones. */
const LIKE_LATIN = new Set('асԁеһіјӏорԛѕуѵԝхАВЕКМНОРСТУХЅІЈԌԚԜҮѴοΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳոսօհ'.normalize('NFC'));

/**
 * Finds the suspicious words of a text. The text as a whole counts: a Russian sentence may contain
 * the word "а".
 */
export function wordJudge(text: string): (word: string) => SuspiciousWord | undefined {
  const pretending = scriptsThatPretend(text);
  return (word) => {
    if (ASCII.test(word)) return undefined;
    const scripts = new Map<string, number>();
    for (const letter of word) {
      const script = scriptOf(letter);
      if (script !== undefined) scripts.set(script, (scripts.get(script) ?? 0) + 1);
    }
    const names = [...scripts.keys()];
    const [only] = names;
    if (only === undefined) return undefined;
    if (names.length === 1) {
      if (only !== STYLED && !pretending.has(only)) return undefined;
      return { reason: 'lookalike', scripts: names, isOdd: (letter) => scriptOf(letter) === only };
    }
    if (mayBeMixed(names)) return undefined;
    const main = mainScript(scripts);
    const isOdd = (letter: string): boolean => {
      const script = scriptOf(letter);
      return script !== undefined && script !== main;
    };
    return { reason: 'mixed_scripts', scripts: names, isOdd };
  };
}

/** A word with its odd letters shown as escapes. */
export function showOddLetters(word: string, { isOdd }: Pick<SuspiciousWord, 'isOdd'>): string {
  return Array.from(word, (letter) => (isOdd(letter) ? escapeOf(letter) : letter)).join('');
}

/** The script of a letter; `undefined` for digits, marks and punctuation, which fit every script. */
function scriptOf(letter: string): string | undefined {
  if (letter <= '\u007f') return /[A-Za-z]/.test(letter) ? 'Latin' : undefined;
  if (/[\uff21-\uff3a\uff41-\uff5a]/.test(letter)) return FULLWIDTH;
  if (/\p{Lu}|\p{Ll}|\p{Nl}/u.test(letter) && /^[A-Za-z]+$/.test(letter.normalize('NFKC'))) return STYLED;
  if (SHARED.test(letter)) return undefined;
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? OTHER;
}

function mayBeMixed(names: readonly string[]): boolean {
  if (names.includes('Latin') && names.includes(FULLWIDTH)) return false;
  const others = names.filter((name) => name !== 'Latin' && name !== FULLWIDTH);
  if (others.length === 1) return BESIDE_LATIN.includes(others[0] ?? '');
  return EAST_ASIAN.some((group) => others.every((name) => group.includes(name)));
}

/** The script of most letters; in a tie, Latin, which readers of names and code expect. */
function mainScript(scripts: ReadonlyMap<string, number>): string {
  let main = 'Latin';
  for (const [name, count] of scripts) {
    if (name !== STYLED && count > (scripts.get(main) ?? 0)) main = name;
  }
  return main;
}

/** Scripts of which a text has only Latin-looking letters: it was not written in that script. */
function scriptsThatPretend(text: string): ReadonlySet<string> {
  const pretending = new Set<string>();
  const genuine = new Set<string>();
  for (const [letter] of text.matchAll(/[\u0370-\u058f]/gu)) {
    const script = scriptOf(letter);
    if (script !== undefined) (LIKE_LATIN.has(letter) ? pretending : genuine).add(script);
  }
  for (const script of genuine) pretending.delete(script);
  return pretending;
}
