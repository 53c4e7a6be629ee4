import { createRequire } from 'node:module';
import { foldText, isDisguised, isDoubtfulPath } from '@proffer/core/capability';
import { quote } from '@proffer/core/json';
import type { RE2JS } from 're2js';
import type { ValueTest } from './value-test.js';

/** For what is loaded when the first regex is needed: most rules have none. */
const require = createRequire(import.meta.url);

/** A regex that starts like a path is about paths, which can be written in more than one way. */
const PATH = /^\^?(?:\(\?:|\()*\^?(?:\\?\/|~|\\?\.{1,2}\\?\/|file:|[A-Za-z]:\\)/;

/**
 * Holds for a text that matches as a whole. In doubt if only a part matches: a rule that denies `rm
 * -rf` need not match the text around it, while one that allows must. Takes linear time.
 *
 * @throws RE2JSSyntaxException for an invalid regex, or one that needs backtracking
 */
export function regexTest(source: string): ValueTest {
  const { RE2JS: engine } = require('re2js') as typeof import('re2js');
  const regex = engine.compile(source);
  let folded: RE2JS | undefined;
  const isPath = PATH.test(source);
  const matchesFolded = (text: string): boolean => {
    folded ??= engine.compile(source, engine.CASE_INSENSITIVE);
    return folded.test(foldText(text));
  };
  return {
    expected: `a text that matches ${quote(source)} as a whole`,
    judge: (value) => {
      if (value === undefined || value === null) return 'no';
      if (typeof value === 'object') return 'doubt';
      if (typeof value !== 'string') return regex.test(String(value)) ? 'doubt' : 'no';
      const mayLeadElsewhere = isPath && isDoubtfulPath(value);
      if (regex.testExact(value)) return mayLeadElsewhere || (isPath && isDisguised(value)) ? 'doubt' : 'yes';
      return mayLeadElsewhere || regex.test(value) || matchesFolded(value) ? 'doubt' : 'no';
    },
  };
}
