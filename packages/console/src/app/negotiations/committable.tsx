import type { MacpSession, ProposalSession } from '@proffer/client/negotiation';
import type { SessionMetadata } from '@proffer/core/negotiation';
import { Marked, plainLine } from '../text/marked.js';
import { Action, AskReason } from './action.js';

interface CommittableProps {
  readonly session: ProposalSession | MacpSession;
  readonly metadata: SessionMetadata;
  readonly me: string;
  readonly isOpen: boolean;
}

/** Whether it can be committed, by core's own rules, with the reasons; and the way to do it. */
export function Committable({ session, metadata, me, isOpen }: CommittableProps) {
  const { projection } = session;
  const { commitment } = projection;
  if (commitment !== undefined)
    return (
      <section class={commitment.outcome_positive ? 'box done' : 'box failed'}>
        <h2>{commitment.outcome_positive ? 'Agreed and committed' : 'Committed without an agreement'}</h2>
        <dl class="entries">
          <Entry name="action" text={commitment.action} />
          <Entry name="scope" text={commitment.authority_scope} />
          <Entry name="reason" text={commitment.reason} />
        </dl>
      </section>
    );
  if (!isOpen)
    return (
      <section class="box failed">
        <h2>It ended without an outcome</h2>
        <p class="pad">
          <Marked text={metadata.ending?.reason ?? ''} />
        </p>
      </section>
    );
  const committer = projection.explain(me)?.outcomes.length ? me : metadata.initiator;
  const eligibility = projection.explain(committer);
  const outcomes = eligibility?.outcomes ?? [];
  const canCommit = outcomes.length > 0;
  return (
    <section class="box">
      <h2>
        <span class={canCommit ? 'tone-good' : undefined}>
          {canCommit
            ? `${committer === me ? 'You' : plainLine(committer)} can commit it`
            : 'It cannot be committed yet'}
        </span>
      </h2>
      <ul class="pad reasons-list">
        {eligibility?.reasons.map((reason) => (
          <li key={reason}>
            <Marked text={reason} />
          </li>
        ))}
      </ul>
      {canCommit && committer === me && (
        <div class="pad actions">
          {outcomes.map((outcome) => (
            <AskReason
              key={outcome}
              label={outcome === 'positive' ? 'Commit the agreement' : 'Commit that there is none'}
              ask="Why, in one sentence"
              isMain={outcome === 'positive'}
              run={(reason) =>
                session.commit({
                  action: outcome === 'positive' ? 'negotiation.agreed' : 'negotiation.failed',
                  authorityScope: metadata.session_id,
                  reason,
                  outcomePositive: outcome === 'positive',
                })
              }
            />
          ))}
        </div>
      )}
      {metadata.initiator === me && (
        <div class="pad actions">
          <Action
            label="Cancel the session"
            run={() => session.cancel({ reason: 'cancelled in the console' })}
          />
        </div>
      )}
    </section>
  );
}

function Entry({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div class="entry">
      <dt>{name}</dt>
      <dd>
        <Marked text={text} />
      </dd>
    </div>
  );
}
