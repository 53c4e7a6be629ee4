import type { Redirection } from 'unbash';
import type { ShellWord } from './shell-line.js';
import { type Variables, wordValue } from './word-value.js';

/** The text that a shell runs: a known one, `file` for one in a file, or `unknown`. */
export type Script = { readonly text: string } | 'file' | 'unknown';

/**
 * What `sh …` runs: the text after `-c`, a file, or a here-document. A pipe, a terminal or a variable
 * may bring anything.
 */
export function scriptOf(
  args: readonly ShellWord[],
  redirects: readonly Redirection[],
  variables: Variables,
): Script {
  let isText = false;
  for (let index = 0; index < args.length; index++) {
    const { value } = args[index] as ShellWord;
    if (value === null || value === '-') return 'unknown';
    if (isText && !/^[-+]/.test(value)) return { text: value };
    if (!/^[-+]/.test(value)) return 'file';
    if (/^[-+]o$/.test(value)) index++;
    else if (!/^--(?:login|noprofile|norc|posix)?$|^-[cefluvx]+$/.test(value)) return 'unknown';
    else isText ||= /^-[a-z]*c/.test(value);
  }
  return isText ? 'unknown' : inputOf(redirects, variables);
}

function inputOf(redirects: readonly Redirection[], variables: Variables): Script {
  const [only, ...others] = redirects.filter(({ type }) => type !== 'Redirect');
  if (only === undefined || others.length > 0) return 'unknown';
  if (redirects.some((one) => one.type === 'Redirect' && one.operator.startsWith('<'))) return 'unknown';
  if (only.type === 'HereDoc') {
    const isFixed =
      only.delimiter?.quoted === true || (only.body.parts ?? []).every(({ type }) => type === 'Literal');
    // Without quotes, a backslash escapes a line break or a dollar sign.
    return isFixed && (only.delimiter?.quoted === true || !only.body.text.includes('\\'))
      ? { text: only.body.text }
      : 'unknown';
  }
  const value = only.type === 'HereString' && only.target ? wordValue(only.target, variables).value : null;
  return value === null ? 'unknown' : { text: value };
}
