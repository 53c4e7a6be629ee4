/** A text as the matcher reads it: one UTF-16 unit after another. Every string is one. */
export interface Characters {
  readonly length: number;
  charCodeAt(index: number): number;
}

/**
 * One piece of a pattern: literal text; `within`, any text (or none) without a separator; `across`,
 * any text (or none).
 */
export type GlobPiece = Literal | 'within' | 'across';

interface Literal {
  readonly text: string;
  /**
   * For each length of a partial match, the longest shorter one that can continue (Knuth, Morris,
   * Pratt).
   */
  readonly fallback: Uint16Array;
}

/** A pattern compiled for {@link matchGlob}. */
export interface Glob {
  readonly pieces: readonly GlobPiece[];
  /** The characters, as UTF-16 units, that `within` does not cross. */
  readonly separators: ReadonlySet<number>;
}

/** How many wildcards a pattern may have: each adds a pass over every text it is tried on. */
export const MAX_WILDCARDS = 16;

const NO_SEPARATORS: ReadonlySet<number> = new Set();

/**
 * Compiles a pattern: `**` is `across`, `*` is `within`, the rest is literal. A star cannot be
 * escaped.
 *
 * @param separators - the characters that `*` does not cross
 */
export function compileGlob(pattern: string, separators: string): Glob {
  const pieces = pattern.split(/(\*\*?)/).filter((piece) => piece !== '');
  return {
    pieces: pieces.map((piece) => {
      if (piece === '**') return 'across';
      return piece === '*' ? 'within' : literalPiece(piece);
    }),
    separators: new Set(Array.from(separators, (separator) => separator.charCodeAt(0))),
  };
}

/** How many wildcards a pattern has; `**` is one. */
export function countWildcards(pattern: string): number {
  return pattern.split(/\*\*?/).length - 1;
}

function literalPiece(text: string): Literal {
  const fallback = new Uint16Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index++) {
    while (length > 0 && text.charCodeAt(index) !== text.charCodeAt(length)) {
      length = fallback[length - 1] as number;
    }
    if (text.charCodeAt(index) === text.charCodeAt(length)) length++;
    fallback[index] = length;
  }
  return { text, fallback };
}

/**
 * Whether the whole text matches the pattern. Never backtracks: it carries the set of all positions
 * that the pieces so far can have reached through the text once per piece, so the cost is the length
 * of the text times the number of pieces, whatever their content.
 */
export function matchGlob({ pieces, separators }: Glob, text: Characters): boolean {
  const first = pieces[0];
  if (first === undefined) return text.length === 0;
  // The literal prefix rules out nearly every pattern that does not match.
  const start = typeof first === 'string' ? 0 : lengthOfPrefix(first.text, text);
  if (start === -1) return false;
  const rest = start > 0 ? 1 : 0;
  if (rest === pieces.length) return start === text.length;
  if (pieces[rest] === 'across' && rest === pieces.length - 1) return true;

  let reached = new Uint8Array(text.length + 1);
  reached[start] = 1;
  for (let index = rest; index < pieces.length; index++) {
    const piece = pieces[index] as GlobPiece;
    if (typeof piece === 'object') {
      reached = passLiteral(piece, reached, text);
      continue;
    }
    passWildcard(piece === 'within' ? separators : NO_SEPARATORS, reached, text);
  }
  return reached[text.length] === 1;
}

/** The length of the prefix, or -1 if the text does not start with it. */
function lengthOfPrefix(prefix: string, text: Characters): number {
  if (prefix.length > text.length) return -1;
  for (let index = 0; index < prefix.length; index++) {
    if (prefix.charCodeAt(index) !== text.charCodeAt(index)) return -1;
  }
  return prefix.length;
}

/** The positions at the ends of the literal, wherever it starts at a reached position. */
function passLiteral({ text: literal, fallback }: Literal, reached: Uint8Array, text: Characters) {
  const next = new Uint8Array(reached.length);
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    while (matched > 0 && code !== literal.charCodeAt(matched)) matched = fallback[matched - 1] as number;
    if (code === literal.charCodeAt(matched)) matched++;
    if (matched === literal.length) next[index + 1] = reached[index + 1 - matched] as number;
  }
  return next;
}

/** Every position after a reached one is reached too, up to the next separator. */
function passWildcard(separators: ReadonlySet<number>, reached: Uint8Array, text: Characters): void {
  for (let index = 0; index < text.length; index++) {
    if (reached[index] === 1 && !separators.has(text.charCodeAt(index))) reached[index + 1] = 1;
  }
}
