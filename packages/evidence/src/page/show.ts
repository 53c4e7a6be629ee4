import type { JsonObject } from '@proffer/core/json';
import { makeVisible, printableJson } from '@proffer/core/text';
import { count } from '@proffer/core/words';
import { type DescribedEvidence, describeEvidence } from '../file/describe.js';
import { nameOf } from '../file/make-statement.js';
import type { EvidenceFile } from '../file/read-statement.js';
import type { EvidenceReport } from '../file/report.js';

/** An element with text and elements in it. Text is never read as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** Everything about a file, from top to bottom. */
export interface ShownEvidence {
  readonly heading: readonly Node[];
  readonly verdict: Node;
  /** What happened, and what of it is proved. */
  readonly details: readonly Node[];
}

/** Shows a file. Without a report, nothing is checked. */
export function showEvidence(
  file: EvidenceFile,
  report: EvidenceReport | undefined,
  hasKeys: boolean,
): ShownEvidence {
  const { predicate } = file.statement;
  const story = describeOrNot(file, report);
  const title = story?.title ?? makeVisible(nameOf(predicate.about));
  document.title = title;
  const written = `${count(predicate.records.length, 'record')}, written at ${makeVisible(predicate.made.at)}`;
  return {
    heading: [element('h1', title), className('p', 'dim', written)],
    verdict: showVerdict(report, hasKeys),
    details: [
      ...(report === undefined ? [] : [showReport(report)]),
      ...(story === undefined ? [] : showStory(story)),
      showSource(file),
    ],
  };
}

export function showUnreadable(why: string): Node {
  return className('section', 'verdict wrong', why);
}

/** Records that do not fit together tell no story. */
function describeOrNot(
  file: EvidenceFile,
  report: EvidenceReport | undefined,
): DescribedEvidence | undefined {
  return report === undefined || report.wrong.length > 0 ? undefined : describeEvidence(file.statement);
}

function showVerdict(report: EvidenceReport | undefined, hasKeys: boolean): Node {
  if (report === undefined)
    return className(
      'section',
      'verdict wrong',
      'This browser cannot check signatures (Ed25519), so nothing is shown. Use a newer one, or check this file with “proffer verify”.',
    );
  if (report.wrong.length > 0)
    return className('section', 'verdict wrong', 'This file is not what it claims to be. Do not rely on it.');
  const said = hasKeys
    ? 'Everything in this file fits together, and the keys that you gave signed it.'
    : 'Everything in this file fits together. Who signed it is not proved: give a key below that you have from elsewhere.';
  return className('section', hasKeys ? 'verdict proved' : 'verdict', said);
}

const GROUPS = [
  ['wrong', 'Wrong'],
  ['proved', 'Proved'],
  ['consistent', 'Consistent, but not proved'],
  ['unknown', 'Nobody can know without a witness'],
] as const;

function showReport(report: EvidenceReport): Node {
  return element(
    'section',
    ...GROUPS.filter(([group]) => report[group].length > 0).flatMap(([group, title]) => [
      element('h2', title),
      className('ul', group, ...report[group].map((sentence) => element('li', sentence))),
    ]),
  );
}

function showStory({ call, policy, steps, grounds, log }: DescribedEvidence): readonly Node[] {
  const rows = steps.map(({ at, who, what }) =>
    element('tr', className('td', 'when', at), className('td', 'who', who), element('td', what)),
  );
  const happened = element('section', element('h2', 'What happened'));
  if (call !== undefined) happened.append(element('p', `Proposed call: ${call.name}`), json(call.params));
  if (policy !== undefined) happened.append(element('p', `Review policy that applied: ${policy}`));
  happened.append(element('table', element('tbody', ...rows)));
  const rested = grounds.flatMap(({ seq, who, what, shown }) => [
    element('p', `At seq ${seq}: ${who} ${what}`),
    ...(shown === undefined ? [] : [json(shown)]),
  ]);
  const signed = `The log ${log?.name ?? ''} had ${count(log?.size ?? 0, 'record')}.`;
  const seen =
    log === undefined || log.witnesses.length === 0
      ? 'No witness is named under its checkpoint.'
      : `Witnesses named under its checkpoint: ${log.witnesses.join(', ')}.`;
  return [
    happened,
    ...(rested.length === 0 ? [] : [element('section', element('h2', 'What it rests on'), ...rested)]),
    ...(log === undefined
      ? []
      : [element('section', element('h2', 'The signed log'), element('p', `${signed} ${seen}`))]),
  ];
}

/** What the page was made from, for those who want to look at it. */
function showSource({ statement: { predicate } }: EvidenceFile): Node {
  const { records, log } = predicate;
  const parts: Node[] = records.map(({ seq, record }) =>
    element('details', element('summary', `Record at seq ${seq}`), json(record)),
  );
  if (log !== undefined) {
    const keys = [...log.keys, ...log.witnesses].join('\n');
    parts.push(
      element('details', element('summary', 'Checkpoint'), element('pre', makeLinesVisible(log.checkpoint))),
      element(
        'details',
        element('summary', 'Keys that this file names'),
        element('pre', makeLinesVisible(keys)),
      ),
    );
  }
  return element('section', element('h2', 'Everything in this file'), ...parts);
}

function makeLinesVisible(text: string): string {
  return text.split('\n').map(makeVisible).join('\n');
}

function json(value: JsonObject): Node {
  return element('pre', printableJson(value, 2));
}

function className<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  names: string,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = element(name, ...children);
  made.className = names;
  return made;
}
