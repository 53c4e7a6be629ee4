import type { Ballot, QuorumProjection } from '@proffer/core/negotiation';
import { Marked } from '../../text/marked.js';
import { AttachedCall } from '../attached-call.js';
import { Carried } from './carried.js';

interface QuorumProps {
  readonly projection: QuorumProjection;
  readonly participants: readonly string[];
}

const BALLOTS: Readonly<Record<Ballot, readonly [word: string, tone: string]>> = {
  Approve: ['approves', 'tone-good'],
  Reject: ['rejects', 'tone-bad'],
  Abstain: ['abstains', 'dim'],
};

/** An approval filling up: how many of the required approvals there are, and everybody's ballot. */
export function Quorum({ projection, participants }: QuorumProps) {
  const { request, approvals, requiredApprovals = 0, ballots } = projection;
  if (request === undefined)
    return (
      <section class="box">
        <h2>Approval</h2>
        <p class="pad dim">Nothing has been asked for yet.</p>
      </section>
    );
  const { action, summary, requester, requestId, details } = request;
  return (
    <section class="box">
      <h2>
        <span class={projection.hasQuorum() ? 'tone-good' : undefined}>
          {approvals} of {requiredApprovals} approvals
        </span>
      </h2>
      <div class="pad state">
        <progress
          aria-label="Approvals"
          max={requiredApprovals}
          value={Math.min(approvals, requiredApprovals)}
        />
        <p>
          <b>
            <Marked text={action === '' ? requestId : action} />
          </b>{' '}
          <span class="dim">
            asked by <Marked text={requester} />
          </span>
        </p>
        {summary !== '' && (
          <blockquote>
            <Marked text={summary} />
          </blockquote>
        )}
        <Carried label="Details" base64={details} />
        <AttachedCall transcript={projection.transcript} offer={requestId} title={action} />
        <ul class="ballots">
          {participants.map((name) => {
            const cast = ballots.get(name);
            return (
              <li key={name}>
                <Marked text={name} />{' '}
                {cast === undefined ? (
                  <span class="dim">has not answered</span>
                ) : (
                  <>
                    <span class={BALLOTS[cast.ballot][1]}>{BALLOTS[cast.ballot][0]}</span>
                    {cast.reason !== '' && ': '}
                    <Marked text={cast.reason} />
                  </>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
