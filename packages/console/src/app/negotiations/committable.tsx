import { scopeToCommit } from '@proffer/core/agreement';
import type { AnyProjection, SessionMetadata } from '@proffer/core/negotiation';
import { Marked, plainLine } from '../text/marked.js';
import { Action, AskReason } from './action.js';
import type { BoardSession } from './board-session.js';
import { outcomeWords } from './session-words.js';

interface CommittableProps {
  readonly session: BoardSession;
  /** The session, or as it was at an earlier moment. */
  readonly projection: AnyProjection;
  readonly isPast: boolean;
  readonly metadata: SessionMetadata;
  readonly me: string;
  readonly isOpen: boolean;
}

/** Whether it can be committed, by core's own rules, with the reasons; and the way to do it. */
export function Committable({ session, projection, metadata, me, isPast, isOpen }: CommittableProps) {
  const words = outcomeWords(metadata.mode);
  const { commitment } = projection;
  if (commitment !== undefined)
    return (
      <section class={commitment.outcome_positive ? 'box done' : 'box failed'}>
        <h2>{commitment.outcome_positive ? words.positive : words.negative}</h2>
        <dl class="entries">
          <Entry name="action" text={commitment.action} />
          <Entry name="scope" text={commitment.authority_scope} />
          <Entry name="reason" text={commitment.reason} />
        </dl>
      </section>
    );
  if (!isOpen && !isPast)
    return (
      <section class="box failed">
        <h2>The session ended without an outcome</h2>
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
            ? `${committer === me ? 'You' : plainLine(committer)} ${isPast ? 'could' : 'can'} commit it`
            : isPast
              ? 'It could not be committed then'
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
      {canCommit && committer === me && !isPast && (
        <div class="pad actions">
          {outcomes.map((outcome) => (
            <AskReason
              key={outcome}
              label={outcome === 'positive' ? words.commitPositive : words.commitNegative}
              ask="Why, in one sentence"
              isMain={outcome === 'positive'}
              run={(reason) =>
                session.commit({
                  action: outcome === 'positive' ? 'negotiation.agreed' : 'negotiation.failed',
                  // What is attached to what was agreed runs only if the commitment names it.
                  authorityScope:
                    scopeToCommit(projection, { committer, isPositive: outcome === 'positive' }) ??
                    metadata.session_id,
                  reason,
                  outcomePositive: outcome === 'positive',
                })
              }
            />
          ))}
        </div>
      )}
      {metadata.initiator === me && !isPast && (
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
