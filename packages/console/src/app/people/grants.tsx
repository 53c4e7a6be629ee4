import type { GrantInForce, Message } from '@proffer/client';
import type { JsonObject } from '@proffer/core/json';
import { describeCapability, describeGranted } from '@proffer/core/words';
import { useState } from 'preact/hooks';
import type { Space } from '../space/space.js';
import { useNow } from '../state/clock.js';
import { HIDDEN } from '../text/hiding.js';
import { Marked, plainLine } from '../text/marked.js';
import { voiceFor } from '../text/voice.js';
import { When } from '../text/when.js';
import { count } from '../text/words.js';
import { useListed } from './listed.js';

/** Whether a message may change the grants in force: a grant, its end, a use, or someone who leaves. */
function isNews({ kind, from }: Message, grants: readonly JsonObject[]): boolean {
  if (/^mcpx\.(?:grant|revoke)\./.test(kind) || kind === 'system.presence') return true;
  return kind.startsWith('mcp.request.') && grants.some(({ to, left }) => to === from && left !== undefined);
}

/** Temporary grants: by whom, until when, with a way to revoke them (O-41). */
export function Grants({ space }: { readonly space: Space }) {
  const { items = [], problem } = useListed(space, 'grants', isNews);
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
                <Allowed key={place} capability={capability} />
              ))}
              <p class="dim small">
                by {grant.granter === space.me ? 'you' : <Marked text={grant.granter} />}
                {grant.until !== undefined && (
                  <>
                    {' · ends '}
                    <When at={grant.until} />
                  </>
                )}
                {boundsOf(grant).map((bound) => ` · ${bound}`)}
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

type Capability = GrantInForce['capabilities'][number];

/** What a capability allows, as text, and in its original form. */
function Allowed({ capability: granted }: { readonly capability: Capability }) {
  const capability = HIDDEN.value(granted);
  return (
    <>
      {describeGranted(capability, voiceFor('')) ?? describeCapability(capability)}
      <br />
      <code class="dim small">
        <Marked text={typeof capability === 'string' ? capability : JSON.stringify(capability)} />
      </code>
    </>
  );
}

/** How far a grant goes, besides its end. */
function boundsOf({ left, uses, session }: GrantInForce): readonly string[] {
  return [
    ...(left === undefined ? [] : [`${count(left, 'use')} of ${uses ?? left} left`]),
    ...(session === true ? ['until they disconnect'] : []),
    ...(typeof session === 'string' ? [`session ${plainLine(session)}`] : []),
  ];
}
