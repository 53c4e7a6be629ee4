import { partsOf } from '@proffer/core/approvals';
import { type Proposal } from '@proffer/core/operations';
import { describeRisk, type Risk } from '@proffer/core/words';
import type { Served } from '../space/tools.js';
import { nameOf } from '../space/tools.js';
import { HIDDEN } from '../text/hiding.js';
import { plainLine } from '../text/marked.js';
import { unusualValues } from './unusual.js';

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
