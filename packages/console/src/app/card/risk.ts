import { partsOf } from '@proffer/core/approvals';
import { isJsonArray, isJsonObject, type JsonValue, objectOf } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';
import type { Served } from '../space/tools.js';
import { nameOf } from '../space/tools.js';
import { HIDDEN } from '../text/hiding.js';
import { hasMarks, plainLine } from '../text/marked.js';
import { unusualValues } from './unusual.js';

/** What could go wrong, as text. */
export interface Risk {
  readonly level: 'low' | 'some' | 'high';
  readonly headline: string;
  /** The reasons: the server's hints, what is new, what is odd; sentences, ready to be shown. */
  readonly reasons: readonly string[];
}

export interface RiskContext {
  /** The executor; `undefined` if nobody here serves it. */
  readonly served: Served | undefined;
  /** Earlier decided calls of the same tool, newest first; `undefined` until known. */
  readonly past: readonly Proposal[] | undefined;
}

/** Describes how risky a call is, and why. A server's hints are its own claims, and are shown as such. */
export function assessRisk(proposal: Proposal, { served, past }: RiskContext): Risk {
  const effect = effectOf(proposal, served);
  const hidden = hasHidden(proposal.params);
  const reasons = [
    ...(hidden ? ['Contains hidden or look-alike characters, marked below'] : []),
    ...effect.reasons,
    ...(past === undefined ? [] : newness(proposal, past)),
  ];
  return { level: hidden ? 'high' : effect.level, headline: effect.headline, reasons };
}

function effectOf({ method }: Proposal, served: Served | undefined): Risk {
  if (!method.endsWith('/call')) {
    const reads = /\/(?:list|read|get)$/.test(method);
    return reads
      ? { level: 'low', headline: 'Only reads', reasons: [`${plainLine(method)} changes nothing`] }
      : {
          level: 'some',
          headline: 'May change something',
          reasons: [`${plainLine(method)} is not a tool call`],
        };
  }
  if (served === undefined)
    return {
      level: 'some',
      headline: 'May change something',
      reasons: ['Nobody connected describes this tool'],
    };
  const { definition } = served;
  const by = plainLine(served.by);
  const hints = objectOf(definition['annotations']);
  const outside = hints['openWorldHint'] === true ? [`${by} says it reaches other systems`] : [];
  if (hints['readOnlyHint'] === true && hints['destructiveHint'] !== true)
    return { level: 'low', headline: 'Only reads', reasons: [`${by} says it changes nothing`, ...outside] };
  if (hints['destructiveHint'] === true)
    return {
      level: 'high',
      headline: 'May destroy data',
      reasons: [`${by} says it may overwrite or delete`, ...outside],
    };
  if (hints['destructiveHint'] === false)
    return {
      level: 'some',
      headline: 'Changes something',
      reasons: [`${by} says it only adds, and destroys nothing`, ...outside],
    };
  return {
    level: 'some',
    headline: 'May change something',
    reasons: ['The server does not declare whether this changes data', ...outside],
  };
}

function newness(proposal: Proposal, past: readonly Proposal[]): readonly string[] {
  const name = plainLine(nameOf(proposal));
  if (past.length === 0) return [`First call of ${name} here`];
  const own = past.filter(({ proposer }) => proposer === proposal.proposer);
  const first = own.length === 0 ? [`First time ${plainLine(proposal.proposer)} asks for ${name}`] : [];
  return [
    ...first,
    ...unusualValues(
      HIDDEN.value(partsOf(proposal).given),
      past.map((other) => HIDDEN.value(partsOf(other).given)),
    ),
  ];
}

function hasHidden(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return hasMarks(value);
  if (isJsonArray(value)) return value.some(hasHidden);
  return isJsonObject(value) && Object.entries(value).some((entry) => entry.some(hasHidden));
}
