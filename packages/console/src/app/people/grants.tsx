import type { GrantInForce } from '@proffer/client';
import { useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { useNow } from '../state/clock.js';
import { Marked } from '../text/marked.js';
import { count, dayAndTime, duration } from '../text/words.js';
import { capabilityInWords } from './capability-words.js';
import { useListed } from './listed.js';

/** What is allowed for a while, by whom, until when; with a way to end it (O-41). */
export function Grants({ space }: { readonly space: Space }) {
  // Whatever somebody does may be a use, and whoever leaves may end one.
  const { items, problem } = useListed(
    space,
    'grants',
    ({ kind }) => /^(?:mcpx\.(?:grant|revoke)\.|mcp\.request\.)/.test(kind) || kind === 'system.presence',
  );
  const [refused, setRefused] = useState<string>();
  const now = useNow();
  const grants = (items as unknown as readonly GrantInForce[]).filter(
    ({ until }) => until === undefined || until > now,
  );
  const said = refused ?? problem;
  if (grants.length === 0 && said === undefined) return null;
  const revoke = (id: string): void => {
    setRefused(undefined);
    space.participant
      .revoke(id)
      .catch((error: unknown) => setRefused(error instanceof Error ? error.message : String(error)));
  };
  return (
    <section class="box">
      <h2>Allowed for a while</h2>
      {said !== undefined && (
        <p class="notice bad" role="alert">
          {said}
        </p>
      )}
      <ul class="in-force">
        {grants.map((grant) => (
          <li key={grant.id}>
            <div>
              <b>{grant.to === space.me ? 'You' : <Marked text={grant.to} />}</b> may{' '}
              {grant.capabilities.map((capability, place) => (
                <span key={place}>
                  {capabilityInWords(capability)}{' '}
                  <code>
                    <Marked text={typeof capability === 'string' ? capability : JSON.stringify(capability)} />
                  </code>{' '}
                </span>
              ))}
              <p class="dim small">
                by {grant.granter === space.me ? 'you' : <Marked text={grant.granter} />} ·{' '}
                {boundsOf(grant, now)}
                {grant.reason !== undefined && (
                  <>
                    {' '}
                    · <Marked text={grant.reason} />
                  </>
                )}
              </p>
            </div>
            {space.rights().mayRevoke(grant) && (
              <button type="button" class="button" onClick={() => revoke(grant.id)}>
                Revoke<span class="sr"> what {grant.to} may do</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function boundsOf({ until, left, uses, session }: GrantInForce, now: number): string {
  const bounds = [
    ...(until === undefined ? [] : [`until ${dayAndTime(until)}, ${duration(until - now)} left`]),
    ...(left === undefined ? [] : [`${count(left, 'use')} of ${uses ?? left} left`]),
    ...(session === true ? ['until they leave'] : []),
  ];
  return bounds.join(' · ');
}
