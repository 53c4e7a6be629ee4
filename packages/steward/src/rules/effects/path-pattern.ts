import { compileGlob, foldName, type Glob, matchGlob } from '@proffer/core/capability';
import { describe, formatPath } from '@proffer/core/json';
import { type Reader, wanted } from '@proffer/reading';
import type { Verdict } from '../conditions/condition.js';
import { anyOf, type ValueTest } from '../values/index.js';

const LONGEST = 1_024;
const MAX_STARS = 16;

/**
 * A pattern of paths: absolute, below the home folder (`~/…`) or below the agent's working folder
 * (`./…`). `*` stays within a folder, `**` crosses folders. In doubt: different case, a folder itself
 * where its content is meant, and its parent folders.
 */
export const readPathPattern: Reader<ValueTest> = (tree, path, report) => {
  const text = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  if (text === '') return wanted(tree, path, report, 'a path, or a pattern such as ./src/**');
  if (text.length > LONGEST || text.split('*').length - 1 > MAX_STARS)
    return wanted(tree, path, report, `at most ${LONGEST} characters and ${MAX_STARS} stars`);
  if (!/^(?:\/|~\/|\.\/|\*\*|[A-Za-z]:[\\/])/.test(text)) {
    const message = `${describe(text)} has no starting point: write /… for the whole machine, ~/… for the home folder, ./… for the folder that the agent works in, or **/… for anywhere.`;
    report(tree.at, formatPath(path), message, text.startsWith('*') ? `**/${text}` : `./${text}`);
    return undefined;
  }
  const glob = compileGlob(text, '/\\');
  const folded = compileGlob(foldName(text), '/\\');
  const beginning = foldName(text.split('*')[0] ?? '');
  return {
    expected: text,
    judge: (name) => (typeof name === 'string' ? judgePath(name, { glob, folded, beginning }) : 'no'),
  };
};

function judgePath(
  name: string,
  { glob, folded, beginning }: { readonly glob: Glob; readonly folded: Glob; readonly beginning: string },
): Verdict {
  if (matchGlob(glob, name)) return 'yes';
  const same = foldName(name);
  const below = same.endsWith('/') ? same : `${same}/`;
  if (matchGlob(folded, same) || matchGlob(folded, below)) return 'doubt';
  return beginning.startsWith(below) ? 'doubt' : 'no';
}

/** Whether one of a file's names passes one of the tests. */
export function judgeNames(tests: readonly ValueTest[], names: readonly string[]): Verdict {
  if (names.length === 0) return 'doubt';
  return anyOf(tests, (test) => anyOf(names, (name) => test.judge(name)));
}
