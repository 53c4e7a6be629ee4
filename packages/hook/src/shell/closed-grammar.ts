import type { Command, CompoundList, HereDoc, ParsedScript, SyntaxNode } from 'unbash';

/** Blanks between words. A line that goes on in the next has a blank before its backslash. */
const BLANK = '(?:[ \\t]|(?<=[ \\t])\\\\\\n)';
/** A comment has a line of its own, and nothing in it that a shell without comments would run. */
const COMMENT = '(?<=(?:^|\\n)[ \\t]*)#[\\w ,.:@/+%=-]*(?=\\n|$)';
const LINES = `(?:${BLANK}|\\n|${COMMENT})*`;

/** Found at a position of the source, so that a comment is known to begin its line. */
const gap = (form: string): RegExp => new RegExp(form, 'y');

const BEFORE = gap(LINES);
const BETWEEN_WORDS = gap(`${BLANK}+`);
const BETWEEN_STATEMENTS = gap(`${BLANK}*[;\\n]${LINES}`);
const AFTER = gap(`${BLANK}*(?:[;\\n]${LINES})?`);
const OPERATORS: Readonly<Record<string, RegExp>> = {
  '&&': gap(`${BLANK}*&&(?:${BLANK}|\\n)*`),
  '||': gap(`${BLANK}*\\|\\|(?:${BLANK}|\\n)*`),
  '|': gap(`${BLANK}*\\|(?:${BLANK}|\\n)*`),
};

/** Control characters other than tab and newline: shells differ in how they treat these. */
const CONTROL = /(?![\t\n])[\p{Cc}\u2028\u2029]/u;

/**
 * The first part of a line that is not in the closed grammar, if there is any. Every node of the tree
 * must be of a listed type, and the source must be exactly those nodes with the listed separators
 * between them: the parser is tolerant, and a type that nobody thought of is not understood.
 */
export function firstUnclosed(script: ParsedScript, text: string): string | undefined {
  if (CONTROL.test(text)) return 'a control character';
  const [error] = script.errors ?? [];
  if (error !== undefined) return text.slice(error.pos);
  return new ClosedGrammar(text).script(script);
}

/** How much is shown around a separator that is not understood, in characters. */
const AROUND = 10;

/** What is not understood, or where a node begins and ends. */
type Checked = string | Span;

interface Span {
  readonly pos: number;
  readonly end: number;
}

class ClosedGrammar {
  /** The source, with the bodies of here-documents replaced by line breaks. */
  #source: string;

  constructor(text: string) {
    this.#source = text;
  }

  script(script: ParsedScript): string | undefined {
    const span = this.#statements(script.commands, { pos: 0, end: this.#source.length });
    return typeof span === 'string' ? span : undefined;
  }

  /** Statements that fill a part of the source. */
  #statements(statements: CompoundList['commands'], whole: Span, after = AFTER): Checked {
    let end = whole.pos;
    for (const [index, statement] of statements.entries()) {
      if (statement.background === true) return this.#text(statement);
      const span = this.#node(statement.command);
      if (typeof span === 'string') return span;
      const gap = this.#gap(end, span.pos, index === 0 ? BEFORE : BETWEEN_STATEMENTS);
      if (gap !== undefined) return gap;
      end = span.end;
    }
    return this.#gap(end, whole.end, statements.length === 0 ? BEFORE : after) ?? whole;
  }

  #node(node: SyntaxNode): Checked {
    switch (node.type) {
      case 'Command':
        return this.#command(node);
      case 'Pipeline':
        return node.prefixes.length > 0 ? this.#text(node) : this.#joined(node.commands, node.operators);
      case 'AndOr':
        return this.#joined(node.commands, node.operators);
      case 'Subshell':
      case 'BraceGroup':
        return this.#group(node);
      case 'Redirected': {
        const span = this.#node(node.command);
        return typeof span === 'string' ? span : this.#leaves(node.redirects, span);
      }
      default:
        return this.#text(node);
    }
  }

  #joined(nodes: readonly SyntaxNode[], operators: readonly string[]): Checked {
    let whole: Span | undefined;
    for (const [index, node] of nodes.entries()) {
      const span = this.#node(node);
      if (typeof span === 'string') return span;
      const operator = OPERATORS[operators[index - 1] ?? ''];
      if (whole !== undefined && operator === undefined) return this.#text(node);
      const gap = whole && operator && this.#gap(whole.end, span.pos, operator);
      if (gap !== undefined) return gap;
      whole = { pos: whole?.pos ?? span.pos, end: span.end };
    }
    return whole ?? 'an empty pipeline';
  }

  /** `((` may be arithmetic; zsh ends a group at any `}`, so there has to be a separator before it. */
  #group(node: Extract<SyntaxNode, { type: 'Subshell' | 'BraceGroup' }>): Checked {
    const text = this.#text(node);
    const form = node.type === 'Subshell' ? /^\((?!\().*\)$/s : /^\{[ \t\n].*\}$/s;
    if (!form.test(text) || node.body.commands.length === 0) return text;
    const inner = { pos: node.pos + 1, end: node.end - 1 };
    const after = node.type === 'Subshell' ? AFTER : BETWEEN_STATEMENTS;
    const span = this.#statements(node.body.commands, inner, after);
    return typeof span === 'string' ? span : { pos: node.pos, end: node.end };
  }

  #command(node: Command): Checked {
    const { prefix, name, suffix } = node;
    if (name === undefined) {
      // Without a command, zsh runs one of its own for a redirection.
      const isAssigning = prefix.length > 0 && prefix.every(({ type }) => type === 'Assignment');
      return isAssigning && suffix.length === 0 ? this.#leaves(prefix) : this.#text(node);
    }
    if (!isProgram(this.#text(name))) return this.#text(name);
    const before = this.#leaves(prefix);
    if (typeof before === 'string') return before;
    const gap = prefix.length === 0 ? undefined : this.#gap(before.end, name.pos, BETWEEN_WORDS);
    if (gap !== undefined) return gap;
    return this.#leaves(suffix, { pos: prefix.length === 0 ? name.pos : before.pos, end: name.end });
  }

  /** Words, assignments and redirections with blanks between them, from a span on. */
  #leaves(nodes: readonly SyntaxNode[], from?: Span): Checked {
    let whole = from;
    for (const node of nodes) {
      if (!this.#isClosed(node)) return this.#text(node);
      const gap = whole && this.#gap(whole.end, node.pos, BETWEEN_WORDS);
      if (gap !== undefined) return gap;
      whole = { pos: whole?.pos ?? node.pos, end: node.end };
    }
    return whole ?? { pos: 0, end: 0 };
  }

  #isClosed(node: SyntaxNode): boolean {
    const text = this.#text(node);
    switch (node.type) {
      case 'Word':
        return isArgument(text);
      case 'Assignment':
        return node.index === undefined && node.append !== true && isAssignment(text);
      case 'Redirect':
        return (
          node.descriptor?.type !== 'FileDescriptorVariable' && isRedirection(text, node.target?.value ?? '')
        );
      case 'HereDoc':
        return this.#isClosedDocument(node, text);
      default:
        return false;
    }
  }

  /** One on a line, ended as its delimiter says, in which nothing is expanded. */
  #isClosedDocument({ end, operator, delimiter, body, closing }: HereDoc, text: string): boolean {
    const source = this.#source;
    const form = delimiterOf(delimiter?.text ?? '');
    if (form === undefined || closing === undefined || text !== `${operator}${delimiter?.text}`) return false;
    if (source.slice(end, body.pos).indexOf('\n') !== body.pos - end - 1) return false;
    const lines = source.slice(body.pos, closing.end).split('\n');
    const ends = operator === '<<-' ? lines.map((line) => line.replace(/^\t+/, '')) : lines;
    if (ends.indexOf(form.text) !== lines.length - 1 || /[^\n]/.test(source.charAt(closing.end)))
      return false;
    if (!form.isQuoted && /[$`\\]/.test(lines.join('\n'))) return false;
    const blank = '\n'.repeat(closing.end - body.pos);
    this.#source = source.slice(0, body.pos) + blank + source.slice(closing.end);
    return true;
  }

  #gap(from: number, to: number, form: RegExp): string | undefined {
    form.lastIndex = from;
    if (form.test(this.#source) && form.lastIndex === to) return undefined;
    return this.#source.slice(Math.max(from - AROUND, 0), to + AROUND);
  }

  #text({ pos, end }: Span): string {
    return this.#source.slice(pos, end);
  }
}

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
function isArgument(source: string): boolean {
  return ARGUMENT.test(source);
}

/** Whether a word names a program in closed form. */
function isProgram(source: string): boolean {
  return FIXED_WORD.test(source) && PROGRAM.test(source);
}

/** Whether a variable is set in closed form. */
function isAssignment(source: string): boolean {
  return ASSIGNMENT.test(source);
}

/** Whether a redirection has a closed form: a file whose path can be told, or a copied descriptor. */
function isRedirection(source: string, target: string): boolean {
  if (COPY.test(source)) return true;
  return FIXED_WORD.test(FILE.exec(source)?.[1] ?? '') && !NETWORK.test(target);
}

/** The text that ends a here-document, and whether its body is taken as it is. */
function delimiterOf(source: string): { readonly text: string; readonly isQuoted: boolean } | undefined {
  const [, bare, single, double] = DELIMITER.exec(source) ?? [];
  const text = bare ?? single ?? double;
  return text === undefined ? undefined : { text, isQuoted: bare === undefined };
}
