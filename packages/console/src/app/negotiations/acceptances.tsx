import type { ProposalProjection } from '@proffer/core/negotiation';
import { plainLine } from '../text/marked.js';

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
      <div class="matrix">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Offer</th>
              {participants.map((name) => (
                <th key={name} scope="col">
                  {plainLine(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {live.map(({ proposalId, title, proposer }) => (
              <tr key={proposalId}>
                <th scope="row">{plainLine(title === '' ? proposalId : title)}</th>
                {participants.map((name) => (
                  <td key={name}>{standing(projection, name, { proposalId, proposer })}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
