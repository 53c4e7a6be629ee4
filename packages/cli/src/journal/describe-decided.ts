import type { Change, JsonValue } from '@proffer/core/json';
import { count, describeUnexplained, PLAIN } from '@proffer/core/words';
import { type DecidedAgain, describeRegistration, type EvidenceReport } from '@proffer/evidence';
import { formatSpan, visible } from '../terminal/visible.js';

/** What deciding everything again shows, in groups. */
export function describeDecided({
  decided,
  beforeRules,
  delayed,
  wrong,
  first,
  rules,
  keys,
  turnedBack,
  furthestBack,
}: DecidedAgain): EvidenceReport {
  const unlisted = wrong - first.length;
  return {
    wrong: [
      ...first.map((wrong) => visible(describeUnexplained(wrong, wrong))),
      ...(unlisted === 0 ? [] : [`${count(unlisted, 'more record')} cannot have come about by the rules.`]),
    ],
    proved: [],
    consistent: [
      ...(decided === 0
        ? []
        : [`${count(decided, 'record')} decided again by the rules then in force: as recorded.`]),
      ...(beforeRules === 0
        ? []
        : [
            `${count(beforeRules, 'record')} from before rules were recorded: only what no rules allow would be found.`,
          ]),
      ...(delayed === 0
        ? []
        : [
            `${count(delayed, 'record')} ${delayed === 1 ? 'holds' : 'hold'} if the gateway did not know yet what was recorded just before.`,
          ]),
      ...(furthestBack === undefined
        ? []
        : [
            `The time runs backwards ${count(turnedBack, 'time')}, by ${formatSpan(furthestBack.by)} at seq ${furthestBack.seq}: a clock was set back, or times were changed.`,
          ]),
      ...keys.first.map(
        ({ seq, participant, key, space }) =>
          `${visible(participant)} ${visible(describeRegistration({ participant, key }))}, at seq ${seq} in ${visible(space)}: whether it is theirs, they can say.`,
      ),
      ...(keys.count > keys.first.length
        ? [`${count(keys.count - keys.first.length, 'more key')} registered.`]
        : []),
      ...rules.map(({ seq, time, space, changes }) => {
        const what = changes.slice(0, LISTED).map(describeChange);
        const more = changes.length > LISTED ? ` and ${changes.length - LISTED} more` : '';
        return `The rules of ${visible(space)} changed at seq ${seq} (${PLAIN.moment(time)}): ${what.join('; ')}${more}.`;
      }),
    ],
    unknown: [],
  };
}

/** How many changes of rules are listed each time. */
const LISTED = 5;

/** How much of a value is shown. */
const LONGEST = 60;

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text);
}

function describeChange({ path, before, after }: Change): string {
  const [, ...steps] = path.split('/');
  return `${visible(steps.join(' › '))} from ${shown(before)} to ${shown(after)}`;
}
