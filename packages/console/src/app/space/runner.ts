import type { Proposal } from '@proffer/core/operations';
import { plainLine } from '../text/marked.js';
import type { Space } from './space.js';
import { type Served, serversOf } from './tools.js';

/** The executor of a proposal, as shown and as named in an approval. */
export interface Runner {
  readonly name: string | undefined;
  /** The tool or prompt as that executor serves it. */
  readonly served: Served | undefined;
  /** All servers of it that are here. */
  readonly servers: readonly Served[];
  /** Who served it before, if the executor would run it for the first time. */
  readonly insteadOf: string | undefined;
  /** Why it cannot be approved now. */
  readonly problem: string | undefined;
}

type Looked = {
  readonly executors: Pick<Space['executors'], 'of'>;
  readonly participant: Pick<Space['participant'], 'participants' | 'welcome'>;
};

/**
 * The executor of a proposal: the reviewer's choice, else the gateway's. Never a substitute: an approval
 * names the executor that is shown, and without one there is no approval.
 */
export function runnerOf(space: Looked, proposal: Proposal, chosen?: string): Runner {
  const { phase, subject, executor, fulfilment } = proposal;
  const servers = serversOf(proposal, space.participant);
  if (phase !== 'pending') {
    const name = fulfilment?.executor;
    const served = servers.find(({ by }) => by === name);
    return { name, served, servers, insteadOf: undefined, problem: undefined };
  }
  const [only, ...others] = servers;
  const answer = space.executors.of(proposal);
  const named = answer === undefined ? (others.length === 0 ? only?.by : undefined) : answer.name;
  const name = chosen ?? named;
  const served = servers.find(({ by }) => by === name);
  const runner = { name, served, servers, insteadOf: answer?.newcomers[name ?? ''] };
  // What is not a tool is answered by its addressee; and only the executor that a proposal names runs it,
  // whatever others announce.
  if (subject === undefined || served !== undefined || (name !== undefined && name === executor))
    return { ...runner, problem: undefined };
  if (name !== undefined) return { ...runner, problem: `${plainLine(name)} does not serve this tool now` };
  const problem =
    answer === undefined
      ? 'it is not yet known which server would run this call'
      : 'no server here can run this call';
  return { ...runner, problem };
}
