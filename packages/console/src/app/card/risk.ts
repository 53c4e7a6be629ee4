import { partsOf } from '@proffer/core/approvals';
import type { JsonObject } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { describeRisk, type Risk } from '@proffer/core/words';
import type { Served } from '../space/tools.js';
import { nameOf } from '../space/tools.js';
import { HIDDEN } from '../text/hiding.js';
import { plainLine } from '../text/marked.js';

/** With fewer earlier calls than this, nothing counts as unusual. */
const MIN_COUNT = 3;

/** What is unlike earlier calls about these arguments: numbers beyond their range, places never touched. */
function unusualValues(given: JsonObject, past: readonly JsonObject[]): readonly string[] {
  if (past.length < MIN_COUNT) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    const name = plainLine(key);
    const before = past.map((other) => other[key]).filter((other) => other !== undefined);
    if (before.length === 0) return [`${name} was never set before`];
    if (typeof value === 'number') return unusualNumber(name, value, before.filter(isNumber));
    if (typeof value === 'string') return unusualPlace(name, value, before.filter(isText));
    return [];
  });
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';

function unusualNumber(name: string, value: number, before: readonly number[]): readonly string[] {
  if (before.length < MIN_COUNT) return [];
  const [least, most] = [Math.min(...before), Math.max(...before)];
  if (value >= least && value <= most) return [];
  return [`${name} is ${value}; until now ${least === most ? least : `${least} to ${most}`}`];
}

/** The location part of paths and addresses. */
function placeOf(text: string): string | undefined {
  const [, origin] = /^([a-z][a-z0-9+.-]*:\/\/[^/]+)/i.exec(text) ?? [];
  if (origin !== undefined) return origin;
  const [, folder] = /^((?:\/|~\/|\.{1,2}\/|[A-Za-z]:\\)[^\n]*)[/\\][^/\\\n]*$/.exec(text) ?? [];
  return folder;
}

function unusualPlace(name: string, value: string, before: readonly string[]): readonly string[] {
  const place = placeOf(value);
  const known = before.flatMap((text) => placeOf(text) ?? []);
  if (place === undefined || known.length < MIN_COUNT) return [];
  if (known.some((other) => place === other || place.startsWith(`${other}/`))) return [];
  return [`${name} points to ${plainLine(place)} for the first time`];
}

export interface RiskContext {
  /** The executor; `undefined` if nobody here serves it. */
  readonly served: Served | undefined;
  /** Earlier decided calls of the same tool, newest first; `undefined` until known. */
  readonly past: readonly Proposal[] | undefined;
}

/** How risky a call is, and why; also what is new about it here. */
export function assessRisk(proposal: Proposal, { served, past }: RiskContext): Risk {
  const { reasons, ...rest } = describeRisk(proposal, served, { text: plainLine });
  return { ...rest, reasons: [...reasons, ...(past === undefined ? [] : newness(proposal, past))] };
}

function newness(proposal: Proposal, past: readonly Proposal[]): readonly string[] {
  const name = plainLine(nameOf(proposal));
  if (past.length === 0) return [`First call to ${name} here`];
  const own = past.filter(({ proposer }) => proposer === proposal.proposer);
  const first = own.length === 0 ? [`First time ${plainLine(proposal.proposer)} has asked for ${name}`] : [];
  return [
    ...first,
    ...unusualValues(
      HIDDEN.value(partsOf(proposal).given),
      past.map((other) => HIDDEN.value(partsOf(other).given)),
    ),
  ];
}
