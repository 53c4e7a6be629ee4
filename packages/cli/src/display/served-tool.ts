import { describeRisk, type Risk, type ServedTool } from '@proffer/core/words';
import { announcedNames } from '../argument-names.js';
import type { ProposalView } from '../proposals/proposal-view.js';
import type { Present } from '../proposals/served.js';
import { executorOf, serversOf } from '../proposals/servers.js';
import { visible } from '../terminal/visible.js';

type Call = Pick<ProposalView, 'method' | 'params' | 'subject' | 'wouldRun'>;

/** The tool of a call as its executor describes it, or else the only one who serves it. */
function servedTool(call: Call, members: readonly Present[]): ServedTool | undefined {
  const executor = executorOf(call, members);
  const server = serversOf(call, members).find(({ name }) => name === executor);
  return server === undefined ? undefined : { by: server.name, definition: server.definition };
}

/** How risky a call is; `undefined` if it is not known who is here. */
export function riskOf(call: Call, members: readonly Present[] | undefined): Risk | undefined {
  if (members === undefined) return undefined;
  return describeRisk(call, servedTool(call, members), { text: visible });
}

/** The risk and its reasons on one line. */
export function showRisk(call: Call, members: readonly Present[] | undefined): readonly string[] {
  const risk = riskOf(call, members);
  return risk === undefined ? [] : [`${risk.headline}: ${risk.reasons.join('; ')}.`];
}

/** The names of a tool's arguments in its own order; empty if unknown. */
export function argumentOrder(call: Call, members: readonly Present[] | undefined): readonly string[] {
  const tool = members === undefined ? undefined : servedTool(call, members);
  return (tool && announcedNames(tool.definition)) ?? [];
}
