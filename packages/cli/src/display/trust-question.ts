import { diffJson, textOf, textsIn } from '@proffer/core/json';
import { describeTrustQuestion, type ServerTrustQuestion } from '@proffer/core/words';
import type { Style } from '../terminal/style.js';
import { visibleBlock, visibleLine } from '../terminal/visible.js';
import { showChanges } from './changes.js';

/** Everything that is asked: nobody can decide about what they do not see. */
export function showTrustQuestion(
  question: ServerTrustQuestion,
  style: Style,
  indent: string,
): readonly string[] {
  const { was, is } = question;
  const sentence = `${indent}${describeTrustQuestion(question, { text: visibleLine })}`;
  if (was !== undefined) return [sentence, ...showChanges(diffJson(was, is), style, { indent })];
  const { name: _all, title, package: from, version, callsItself, onlyReads, toolsWithHints, ...rest } = is;
  const row = (label: string, value: string): readonly string[] =>
    value === '' ? [] : [`${indent}${style.bold(label)}  ${visibleLine(value)}`];
  const described = typeof toolsWithHints === 'number' ? `${toolsWithHints} of its tools` : '';
  return [
    sentence,
    ...row('started by', textOf(title)),
    ...row('package', [textOf(from), textOf(version)].filter((text) => text !== '').join(' ')),
    ...row('calls itself', textOf(callsItself)),
    ...row('describes', described),
    ...row('says that these only read', textsIn(onlyReads).join(', ')),
    ...(Object.keys(rest).length === 0 ? [] : visibleBlock(rest, `${indent}  `)),
  ];
}
