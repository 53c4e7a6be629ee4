import {
  ASSIGNED,
  ASSIGNMENTS,
  BRACES,
  BUILTINS,
  DELIMITERS,
  ESCAPED,
  EXPANSIONS,
  GLOBS,
  IN_DOCUMENT,
  IN_DOUBLE,
  LITERALS,
  NAMES,
  NUMBERS,
  ODD,
  OPERATORS_IN_BRACES,
  PLAIN_REDIRECTIONS,
  PLAIN_WORDS,
  PROGRAMS,
  REDIRECTIONS,
  SEPARATORS,
  SINGLE,
  TARGETS,
  TESTS,
} from './bash-tokens.js';
import type { Random } from './random.js';

/** Writes some text of one kind, with this many levels of nesting left. */
type Form = (random: Random, depth: number) => string;

/** One of several forms; of those that nest, none when there is no level left. */
function oneOf(flat: readonly Form[], nested: readonly Form[] = []): Form {
  return (random, depth) => random.pick(depth > 0 ? [...flat, ...nested] : flat)(random, depth - 1);
}

const text =
  (texts: readonly string[]): Form =>
  (random) =>
    random.pick(texts);

/** Several of a form, with a separator. */
const many =
  (form: Form, separator: string, least = 1, most = 3): Form =>
  (random, depth) =>
    Array.from({ length: least + random.below(most - least + 1) }, () => form(random, depth)).join(separator);

/** Forms written out, each `%` filled with the form of the same place. */
const filled =
  (pattern: string, ...forms: readonly Form[]): Form =>
  (random, depth) =>
    forms.reduce((line, form) => line.replace('%', () => form(random, depth)), pattern);

/** Forms may contain each other, so they are looked up when they are used. */
const word: Form = (random, depth) => many(wordPart, '', 1, random.pick([1, 1, 1, 2, 3]))(random, depth);
const list: Form = (random, depth) => {
  const isPrefixed = random.below(20) === 0;
  const prefix = isPrefixed ? random.pick(['! ', 'time ', 'time -p ', '# a\n', '#!/bin/sh\n']) : '';
  let line = prefix + command(random, depth);
  for (let more = random.pick([0, 0, 1, 2]); more > 0; more--)
    line += random.pick(SEPARATORS.slice(0, random.pick([7, 11, 16]))) + command(random, depth);
  return line;
};
const arithmetic: Form = (random, depth) =>
  oneOf(
    [text(NUMBERS)],
    [
      filled('%%%', arithmetic, text(['+', '-', '*', '==', '&&', ',', '=', '<<']), arithmetic),
      filled('(%)', arithmetic),
      substitution,
    ],
  )(random, depth);

const name = text(NAMES);

const expansion: Form = oneOf(
  [filled('$%', name), filled('${%}', name), text(EXPANSIONS), text(EXPANSIONS)],
  [
    filled('${%%%}', name, text(OPERATORS_IN_BRACES), word),
    filled('${x[%]}', word),
    filled('$((%))', arithmetic),
  ],
);

const substitution: Form = oneOf(
  [text(['$(zap)', '`zap`', '$( zap )', '$(<a)'])],
  [
    filled('$(%)', list),
    (random, depth) => `\`${list(random, depth).replaceAll(/[\\`$]/g, '\\$&')}\``,
    filled('<(%)', list),
    filled('>(%)', list),
    filled('=(%)', list),
  ],
);

const doubled = filled('"%"', many(oneOf([text(IN_DOUBLE), expansion], [substitution]), '', 0));

const wordPart: Form = oneOf(
  [...[LITERALS, LITERALS, ESCAPED, SINGLE, GLOBS, BRACES].map(text), doubled, expansion],
  [substitution],
);

const assignment: Form = oneOf(
  [filled('%=', name), filled('%=%', name, text(ASSIGNED)), text(ASSIGNMENTS)],
  [filled('%=%', name, word)],
);

const redirection: Form = filled('%%%', text(REDIRECTIONS), text(['', ' ']), oneOf([text(TARGETS), word]));

const hereDocument: Form = (random, depth) => {
  const delimiter = random.pick(DELIMITERS);
  const end = delimiter.replaceAll(/['"\\]/g, '');
  const closing = random.pick([end, end, end, `\t${end}`, `${end} `, '', `${end}\nzap`]);
  const rest = random.pick(['', '', ' | zap', ' && ls', ' <<F', ` ${redirection(random, 0)}`, " 'a\nb'"]);
  const begin = random.pick(['cat', 'ls', 'sh', 'cat -']) + random.pick([' <<', ' <<-', ' << ', ' 3<<']);
  return `${begin}${delimiter}${rest}\n${many(text(IN_DOCUMENT), '\n', 0)(random, depth)}\n${closing}\n`;
};

const simple: Form = (random, depth) => {
  if (random.below(6) === 0) return random.pick(BUILTINS);
  const before =
    random.below(8) === 0 ? `${many(oneOf([assignment, redirection]), ' ')(random, depth)} ` : '';
  const program = random.below(12) === 0 ? word(random, depth) : random.pick(PROGRAMS);
  if (random.below(3) === 0) return before + program;
  const between = random.pick([' ', ' ', '\t', ' \\\n', '']);
  return `${before}${program} ${many(oneOf([word, word, word, redirection]), between)(random, depth)}`;
};

const test: Form = oneOf(
  [text(TESTS), filled('% -lt Y', name)],
  [filled('% % %', word, text(['==', '-eq', '=~', '!=', '-nt']), word)],
);

const compound: Form = oneOf(
  [filled('[[ % ]]', test), filled('((%))', arithmetic), text(BUILTINS)],
  [
    filled('( % )', list),
    filled('(%)', list),
    filled('{ %; }', list),
    filled('{ %\n}', list),
    filled('{ % }', list),
    filled('if %; then %; elif ls; then ls; else %; fi', list, list, list),
    filled('for x in %; do %; done', word, list),
    filled('for x; do %; done', list),
    filled('for ((%; 0; x)); do %; done', arithmetic, list),
    filled('while %; do break; done', list),
    filled('until %; do break; done', list),
    filled('case % in %) %% *) ls;; esac', word, word, list, text([';;', ';&', ';;&'])),
    filled('select x in %; do %; break; done', word, list),
    filled('ls() { %; }; ls', list),
    filled('function ls { %; }; ls', list),
    filled('git () ( % ); git status', list),
    filled('coproc { %; }; wait', list),
    filled('repeat 1 { % }', list),
  ],
);

const command: Form = (random, depth) => {
  const form = oneOf([simple, simple, simple, simple, hereDocument], [compound, compound]);
  return form(random, depth) + (random.below(8) === 0 ? ` ${redirection(random, depth)}` : '');
};

/** Lines that are understood, to be changed a little. */
const plain: Form = (random) => {
  const one = (): string => {
    const words = Array.from({ length: random.below(4) }, () => random.pick(PLAIN_WORDS));
    return [random.pick(PROGRAMS.slice(0, -1)), ...words].join(' ') + random.pick(PLAIN_REDIRECTIONS);
  };
  const all = Array.from({ length: 1 + random.below(3) }, one);
  const line = all.reduce((before, next) => before + random.pick(SEPARATORS.slice(0, 11)) + next);
  const nested = [`cat <<'E' && ${one()}\n$(zap)\nE\n${line}`, `sh -c ${JSON.stringify(line)}`];
  return random.pick([line, line, line, `(${line})`, `{ ${line}; }`, ...nested]);
};

/** Inserts, removes and replaces a few characters. */
function mutate(line: string, random: Random): string {
  let text = line;
  for (let times = 1 + random.below(3); times > 0; times--) {
    const at = random.below(text.length + 1);
    const removed = random.pick([0, 0, 1, 2]);
    const added = random.below(4) === 0 ? '' : random.pick(ODD);
    text = text.slice(0, at) + added + text.slice(at + removed);
  }
  return text;
}

/**
 * A line from the grammar of bash, with some of zsh and of what no shell reads: any kind of node in any
 * other; or a plain line that was changed a little.
 */
export function randomLine(random: Random): string {
  const kind = random.below(10);
  if (kind < 2) return plain(random, 0);
  if (kind < 6) return mutate(plain(random, 0), random);
  const line = list(random, random.below(4));
  return kind === 9 ? mutate(line, random) : line;
}
