import type { Proposal } from '@proffer/core/operations';
import { Marked, plainLine } from '../text/marked.js';
import { listOf, timeOfDay } from '../text/words.js';
import { Changes } from '../value/changes-view.js';
import { eventsOf } from './events.js';
import { missingApprovals } from './missing-approvals.js';

/** What has happened to it, and who has to decide. */
export function SoFar({ proposal, me }: { readonly proposal: Proposal; readonly me: string }) {
  const { addressees, rejections, phase, fulfilment } = proposal;
  const missing = addressees
    .filter((name) => !rejections.has(name))
    .map((name) => (name === me ? 'you' : plainLine(name)));
  return (
    <section class="box">
      <h2>So far</h2>
      <ol class="steps">
        {eventsOf(proposal).map(({ at, by, what, said, tone }) => (
          <li key={`${at} ${by} ${what}`} class={tone}>
            <span class="dot" aria-hidden="true" />
            <span class="what">
              {by !== '' && (
                <>
                  <b>{by === me ? 'You' : <Marked text={by} />}</b>{' '}
                </>
              )}
              {by === me ? what.replace(/^is /, 'are ').replace(/^has /, 'have ') : what}
              {said !== undefined && (
                <blockquote>
                  <Marked text={said} />
                </blockquote>
              )}
            </span>
            <time dateTime={new Date(at).toISOString()}>{timeOfDay(at)}</time>
          </li>
        ))}
        {phase === 'pending' && (
          <li class="wait">
            <span class="dot" aria-hidden="true" />
            <span class="what">
              {missingApprovals(proposal) ??
                (missing.length === 0
                  ? 'Waiting for anybody who may decide'
                  : `Waiting for ${listOf(missing, 'or')}`)}
            </span>
          </li>
        )}
      </ol>
      {fulfilment !== undefined && fulfilment.amendment.length > 0 && (
        <>
          <h3 class="sub">What was changed before it ran</h3>
          <Changes changes={fulfilment.amendment} />
        </>
      )}
    </section>
  );
}
