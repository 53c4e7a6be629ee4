/**
 * Letters that most fonts draw like a Latin one, by that letter. Lower case: names are folded first.
 * Compatibility forms (full-width, mathematical) are not listed, NFKC handles those.
 */
const DRAWN_AS: Readonly<Record<string, string>> = {
  a: 'ɑαа',
  b: 'βвьƅ',
  c: 'ϲсⅽ',
  d: 'ԁ',
  e: 'εеҽ',
  g: 'ɡց',
  h: 'һнհ',
  i: 'ıιі',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏ1|ⵏǀ',
  m: 'мⅿ',
  n: 'ηпո',
  o: '0οоօ',
  p: 'ρр',
  q: 'ԛզ',
  r: 'гᴦ',
  s: 'ѕꜱ',
  t: 'τт',
  u: 'υսц',
  v: 'νѵ',
  w: 'ωԝѡա',
  x: 'χх',
  y: 'γуү',
  z: 'ᴢ',
};

const LATIN: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAWN_AS).flatMap(([letter, others]) =>
    Array.from(others, (other) => [other, letter] as const),
  ),
);

/** Alphabets with confusable letters; no honest word has two of them. */
const ALPHABETS = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];

const PLAIN = /^[a-z2-9._-]*$/;

/** True for a name with letters of several confusable alphabets, such as a Cyrillic `а` in `agent`. */
export function mixesAlphabets(name: string): boolean {
  return ALPHABETS.filter((alphabet) => alphabet.test(name)).length > 1;
}

/**
 * Finds the one of these names that another name could be mistaken for: it differs only in case,
 * accents, or confusable characters (`reviewer` and `rеviewer`, `agent1` and `agentl`). A name is not
 * confusable with itself.
 */
export function createLookalikes(names: Iterable<string>): (name: string) => string | undefined {
  const known = new Set(names);
  const byShape = new Map<string, string>();
  for (const name of known) for (const shape of shapesOf(name)) byShape.set(shape, name);
  return (name) => {
    if (known.has(name)) return undefined;
    for (const shape of shapesOf(name)) {
      const alike = byShape.get(shape);
      if (alike !== undefined) return alike;
    }
    return undefined;
  };
}

/** A capital I is the same letter as `i` to some readers, and looks like `l` to others. */
function shapesOf(name: string): readonly string[] {
  return name.includes('I') ? [shapeOf(name), shapeOf(name.replaceAll('I', 'l'))] : [shapeOf(name)];
}

function shapeOf(name: string): string {
  const folded = name.toLowerCase();
  const letters = PLAIN.test(folded)
    ? folded
    : Array.from(bare(folded), (one) => LATIN.get(one) ?? one).join('');
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** Without accents and other marks. */
function bare(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
