import type { DecisionProjection, OptionView, Vote } from '@proffer/core/negotiation';
import { Marked } from '../../text/marked.js';
import { count } from '../../text/words.js';
import { AttachedCall } from '../attached-call.js';
import { Matrix } from '../matrix.js';

interface DecisionProps {
  readonly projection: DecisionProjection;
  readonly participants: readonly string[];
}

/** The options of a decision, and who voted, objected and recommended what, as a matrix. */
export function Decision({ projection, participants }: DecisionProps) {
  const options = [...projection.proposals.values()];
  return (
    <section class="box">
      <h2>Options and votes</h2>
      {options.length === 0 && <p class="pad dim">Nobody has proposed an option yet.</p>}
      {options.length > 0 && (
        <Matrix
          label="Votes"
          corner="Option"
          columns={participants}
          rows={options}
          rowKey={({ proposalId }) => proposalId}
          head={(option) => <OptionHead option={option} projection={projection} />}
          cell={({ proposalId }, name) => (
            <Position projection={projection} name={name} proposalId={proposalId} />
          )}
        />
      )}
      {options.map(({ proposalId, option }) => (
        <AttachedCall key={proposalId} transcript={projection.transcript} offer={proposalId} title={option} />
      ))}
    </section>
  );
}

function OptionHead({
  option: { proposalId, option, proposer, rationale },
  projection,
}: {
  readonly option: OptionView;
  readonly projection: DecisionProjection;
}) {
  const votes = [...(projection.votes.get(proposalId)?.values() ?? [])];
  const approving = votes.filter(({ vote }) => vote === 'APPROVE').length;
  return (
    <div class="option">
      <b>
        <Marked text={option} />
      </b>
      <span class="dim small">
        <code>
          <Marked text={proposalId} />
        </code>{' '}
        by <Marked text={proposer} />
      </span>
      {rationale !== '' && (
        <span class="small">
          <Marked text={rationale} />
        </span>
      )}
      <span class="dim small">
        {votes.length === 0 ? 'no votes' : `${approving} of ${count(votes.length, 'vote')} to approve`}
      </span>
    </div>
  );
}

const VOTES: Readonly<Record<Vote, readonly [word: string, tone: string]>> = {
  APPROVE: ['approves', 'tone-good'],
  REJECT: ['rejects', 'tone-bad'],
  ABSTAIN: ['abstains', 'dim'],
};

/** What one participant says about one option: the vote, and before it the objections and recommendations. */
function Position({
  projection: { votes, objections, evaluations },
  name,
  proposalId,
}: {
  readonly projection: DecisionProjection;
  readonly name: string;
  readonly proposalId: string;
}) {
  const vote = votes.get(proposalId)?.get(name);
  const isHere = (one: { readonly sender: string; readonly proposalId: string }): boolean =>
    one.sender === name && one.proposalId === proposalId;
  const doubts = objections.filter(isHere);
  const views = evaluations.filter(isHere);
  if (vote === undefined && doubts.length === 0 && views.length === 0) return <span class="dim">–</span>;
  return (
    <ul class="position">
      {vote !== undefined && <li class={VOTES[vote.vote][1]}>{VOTES[vote.vote][0]}</li>}
      {doubts.map(({ severity, reason }, place) => (
        <li key={place} class={severity === 'critical' ? 'tone-bad' : 'tone-warn'}>
          objects ({severity}){reason !== '' && ': '}
          <Marked text={reason} />
        </li>
      ))}
      {views.map(({ recommendation, confidence, reason }, place) => (
        <li key={place} class="dim">
          recommends {recommendation.toLowerCase()}, {Math.round(confidence * 100)} % sure
          {reason !== '' && ': '}
          <Marked text={reason} />
        </li>
      ))}
    </ul>
  );
}
