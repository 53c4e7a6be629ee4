/**
 * The closed forms of words, as they are written: bash, dash, zsh and busybox read each of them the same
 * way. Anything else in a line needs a person.
 */

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const VARIABLE = `\\$(?:${NAME}(?!\\w)|\\{${NAME}\\})`;
/**
 * Some shells read a tilde after `=` or `:` as a home folder; zsh takes `=ls` for the path of `ls`, also
 * after empty quotes.
 */
const PLAIN = '[A-Za-z0-9_./:@%+,^-]|(?<=[A-Za-z0-9_./@%+,^-])~|(?<=[A-Za-z0-9_./:@%+,^=-])=|(?<!^)#';
const ESCAPED = '\\\\[ -~]';
const SINGLE = "'[^']*'";
/** An exclamation mark is history where a line is typed into a shell; zsh reads `$x[…]` as a subscript. */
const DOUBLE = `"(?:[^"\\\\$\`!]|\\\\[^\\n!])*"`;
const DOUBLE_OPEN = `"(?:[^"\\\\$\`!]|\\\\[^\\n!]|${VARIABLE}(?!\\[))*"`;

const BEGINNING = '(?:~(?=/|$))?';
const FIXED = `(?:${PLAIN}|${ESCAPED}|${SINGLE}|${DOUBLE})`;
const OPEN = `(?:${PLAIN}|${ESCAPED}|${SINGLE}|${DOUBLE_OPEN}|${VARIABLE}|[*?]|\\{\\})`;

/** A word whose value can be told: quoted in any way, or below the home folder. */
const FIXED_WORD = new RegExp(`^(?!$)${BEGINNING}${FIXED}*$`);

/**
 * An argument: also one with a plain variable or glob in it, which counts as any text, and the marks of
 * `find`.
 */
const ARGUMENT = new RegExp(`^(?:!|(?!$)${BEGINNING}${OPEN}*)$`);

const ASSIGNMENT = new RegExp(
  `^${NAME}=(?:[A-Za-z0-9_./:@%+,=^-]|${ESCAPED}|${SINGLE}|${DOUBLE_OPEN}|${VARIABLE})*$`,
);

/** A name that shells take for nothing but a program: no job, no history, no assignment. */
const PROGRAM = /^(?:[A-Za-z0-9_./~\\'"][^=]*|:)$/;

const DELIMITER = /^(?:([A-Za-z_]\w*)|'([A-Za-z_]\w*)'|"([A-Za-z_]\w*)")$/;

/** dash knows one-digit descriptors only; more digits are an argument there. */
const FILE = /^[0-9]?(?:>>|>\||>|<)[ \t]*(.+)$/s;
const COPY = /^[0-9]?[<>]&[ \t]*[0-9]$/;

/** bash connects to a host when one of these is opened. */
const NETWORK = /^\/dev\/(?:tcp|udp)(?:\/|$)/;

/** Whether a word is an argument in closed form. */
export function isArgument(source: string): boolean {
  return ARGUMENT.test(source);
}

/** Whether a word names a program in closed form. */
export function isProgram(source: string): boolean {
  return FIXED_WORD.test(source) && PROGRAM.test(source);
}

/** Whether a variable is set in closed form. */
export function isAssignment(source: string): boolean {
  return ASSIGNMENT.test(source);
}

/** Whether a redirection has a closed form: a file whose path can be told, or a copied descriptor. */
export function isRedirection(source: string, target: string): boolean {
  if (COPY.test(source)) return true;
  return FIXED_WORD.test(FILE.exec(source)?.[1] ?? '') && !NETWORK.test(target);
}

/** The text that ends a here-document, and whether its body is taken as it is. */
export function delimiterOf(
  source: string,
): { readonly text: string; readonly isQuoted: boolean } | undefined {
  const [, bare, single, double] = DELIMITER.exec(source) ?? [];
  const text = bare ?? single ?? double;
  return text === undefined ? undefined : { text, isQuoted: bare === undefined };
}
