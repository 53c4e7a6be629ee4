import { diffJson, isJsonObject, type JsonObject, textOf, textsIn } from '@proffer/core/json';
import type { ProposalView } from '../proposals/proposal-view.js';
import type { Style } from '../terminal/style.js';
import { visibleBlock, visibleLine } from '../terminal/visible.js';
import { showChanges } from './changes.js';

/** A guard's question whether a server's tools can be trusted. */
interface TrustQuestion {
  readonly server: string;
  /** `*` stands for all tools: what the server says about them. */
  readonly tool: string;
  /** Absent if there is nothing to compare with. */
  readonly was?: JsonObject;
  readonly is: JsonObject;
}

/** The question that a call asks; `undefined` for any other call. */
export function trustQuestionIn({ params }: Pick<ProposalView, 'params'>): TrustQuestion | undefined {
  const { name, arguments: given } = params ?? {};
  const [, server] = /^(?:(.*)\/)?proffer_trust$/.exec(textOf(name)) ?? [];
  if (server === undefined || !isJsonObject(given)) return undefined;
  const { tool, was, is, ...rest } = given;
  if (typeof tool !== 'string' || !isJsonObject(is) || Object.keys(rest).length > 0) return undefined;
  return { server, tool, is, ...(isJsonObject(was) ? { was } : {}) };
}

/** What is asked, in one sentence. */
export function describeTrustQuestion({ server, tool, was, is }: TrustQuestion): string {
  const who = visibleLine(server);
  const version = textOf(is['version']);
  const which = version === '' ? who : `${who} (version ${visibleLine(version)})`;
  if (tool !== '*') return `${which} offers a changed tool: ${visibleLine(tool)}.`;
  return was === undefined
    ? `${which} offers new tools. Nobody has trusted what it says about them yet.`
    : `${which} is another program than the one that was trusted before.`;
}

/** Everything that is asked: nobody can decide about what they do not see. */
export function showTrustQuestion(question: TrustQuestion, style: Style, indent: string): readonly string[] {
  const { was, is } = question;
  const sentence = `${indent}${describeTrustQuestion(question)}`;
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
