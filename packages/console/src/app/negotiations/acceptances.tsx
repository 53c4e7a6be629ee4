import type { ProposalProjection } from '@proffer/core/negotiation';
import { plainLine } from '../text/marked.js';
import { Matrix } from './matrix.js';

interface AcceptancesProps {
  readonly projection: ProposalProjection;
  readonly participants: readonly string[];
}

/** Who accepted what, as a matrix of offers and parties. */
export function Acceptances({ projection, participants }: AcceptancesProps) {
  const live = projection.liveProposals();
  if (live.length === 0) return null;
  return (
    <section class="box">
      <h2>Who accepts what</h2>
      <Matrix
        label="Who accepts what"
        corner="Offer"
        columns={participants}
        rows={live}
        rowKey={({ proposalId }) => proposalId}
        head={({ proposalId, title }) => plainLine(title === '' ? proposalId : title)}
        cell={(offer, name) => standing(projection, name, offer)}
      />
    </section>
  );
}

function standing(
  { accepts, rejections }: ProposalProjection,
  name: string,
  { proposalId, proposer }: { readonly proposalId: string; readonly proposer: string },
) {
  if (accepts.get(name)?.proposalId === proposalId) return <span class="tone-good">accepts</span>;
  const no = rejections.findLast((one) => one.sender === name && one.proposalId === proposalId);
  if (no !== undefined) return <span class="tone-bad">{no.terminal ? 'rejects for good' : 'rejects'}</span>;
  return <span class="dim">{proposer === name ? 'made it' : '–'}</span>;
}
