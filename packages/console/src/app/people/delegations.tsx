import type { JsonObject } from '@proffer/core/json';
import { useState } from 'preact/hooks';
import { HandOver } from '../decide/hand-over.js';
import type { Space } from '../space/space.js';
import { useNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { When } from '../text/when.js';
import { useListed } from './listed.js';

/** Who decides for whom in all reviews, and a way to delegate your own part (O-34). */
export function Delegations({ space }: { readonly space: Space }) {
  const { items, problem } = useListed(space, 'delegations', ({ kind }) => kind === 'mcpx.delegate.review');
  const [isAsked, setAsked] = useState(false);
  const [refused, setRefused] = useState<string>();
  const now = useNow();
  const delegations = (items ?? []).flatMap(readDelegation).filter(({ until }) => until > now);
  const { participant, me } = space;
  const { mayDelegate } = space.rights();
  if (delegations.length === 0 && !mayDelegate) return null;
  const send = (sent: Promise<unknown>): void => {
    setRefused(undefined);
    sent.then(
      () => setAsked(false),
      (error: unknown) => setRefused(error instanceof Error ? error.message : String(error)),
    );
  };
  const said = refused ?? problem;
  return (
    <section class="box">
      <h2>
        <span>Who decides for whom</span>
        {mayDelegate && !isAsked && (
          <button type="button" class="quiet" onClick={() => setAsked(true)}>
            Delegate my reviews …
          </button>
        )}
        {isAsked && (
          <button type="button" class="quiet" onClick={() => setAsked(false)}>
            Cancel
          </button>
        )}
      </h2>
      {said !== undefined && (
        <p class="notice bad" role="alert">
          {said}
        </p>
      )}
      {isAsked && (
        <div class="pad">
          <HandOver
            space={space}
            onHandOver={(to, until) => send(participant.delegate(to, { until }))}
            onCancel={() => setAsked(false)}
          />
        </div>
      )}
      {delegations.length === 0 ? (
        items !== undefined && <p class="pad dim">No reviews are delegated.</p>
      ) : (
        <ul class="in-force">
          {delegations.map(({ by, to, until }) => (
            <li key={by}>
              <div>
                <b>{to === me ? 'You' : <Marked text={to} />}</b> {to === me ? 'decide' : 'decides'} for{' '}
                <b>{by === me ? 'you' : <Marked text={by} />}</b>
                <p class="dim small">
                  in all reviews · ends <When at={until} />
                </p>
              </div>
              {by === me && mayDelegate && (
                <button type="button" class="button" onClick={() => send(participant.undelegate())}>
                  Take back
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface Shown {
  readonly by: string;
  readonly to: string;
  readonly until: number;
}

function readDelegation({ by, to, until }: JsonObject): readonly Shown[] {
  return typeof by === 'string' && typeof to === 'string' && typeof until === 'number'
    ? [{ by, to, until }]
    : [];
}
