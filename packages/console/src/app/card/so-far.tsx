import { approvalProgress } from '@proffer/core/approvals';
import type { Proposal } from '@proffer/core/operations';
import { anyOf, describeProgress } from '@proffer/core/words';
import { Marked } from '../text/marked.js';
import { useVoice } from '../text/voice.js';
import { When } from '../text/when.js';
import { Changes } from '../value/changes-view.js';
import { eventsOf } from './events.js';

/** What has happened to it, and who has to decide. */
export function SoFar({ proposal, me }: { readonly proposal: Proposal; readonly me: string }) {
  const { addressees, rejections, phase, fulfilment } = proposal;
  const voice = useVoice(me);
  const missing = addressees.filter((name) => !rejections.has(name)).map(voice.name);
  const progress = approvalProgress(proposal);
  return (
    <section class="box">
      <h2>So far</h2>
      <ol class="steps">
        {eventsOf(proposal, voice).map(({ at, by, what, said, tone }) => (
          <li key={`${at} ${by} ${what}`} class={tone}>
            <span class="dot" aria-hidden="true" />
            <span class="what">
              {by !== '' && (
                <>
                  <b>{by === me ? 'You' : <Marked text={by} />}</b>{' '}
                </>
              )}
              {what}
              {said !== undefined && (
                <blockquote>
                  <Marked text={said} />
                </blockquote>
              )}
            </span>
            <When at={at} />
          </li>
        ))}
        {phase === 'pending' && (
          <li class="wait">
            <span class="dot" aria-hidden="true" />
            <span class="what">
              {progress !== undefined
                ? describeProgress(progress, voice)
                : missing.length === 0
                  ? 'Waiting for anyone who may decide'
                  : `Waiting for ${anyOf(missing)}`}
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
