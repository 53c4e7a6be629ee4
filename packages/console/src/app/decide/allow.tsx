import type { GrantOptions } from '@proffer/client';
import type { JsonValue } from '@proffer/core/json';
import type { Proposal } from '@proffer/core/operations';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../keys/layers.js';
import type { Space } from '../space/space.js';
import { nameOf } from '../space/tools.js';
import { useHiding } from '../text/hiding.js';
import { Marked, plainLine, revealedLine } from '../text/marked.js';
import { useVoice } from '../text/voice.js';
import { ruleMaker } from './actions.js';
import { allowedInWords, bindable, capabilityFor } from './allowance.js';
import { closePanel } from './panel.js';
import { sendRemark } from './remarks.js';

/** For how long something is allowed, in words (O-41). */
type Bounds = readonly [words: string, options: GrantOptions];

const BOUNDS: readonly Bounds[] = [
  ['for an hour', { ttl: 3_600_000 }],
  ['the next five times', { uses: 5 }],
];

/** The agent's session, if the proposal names it; else until the participant leaves, if it is here. */
function boundsFor({ origin, proposer }: Proposal, { participant }: Space): readonly Bounds[] {
  if (origin?.session !== undefined) return [...BOUNDS, ['for this session', { session: origin.session }]];
  const isHere = participant.participants.some(({ id }) => id === proposer);
  return isHere ? [...BOUNDS, ['until it disconnects', { session: true }]] : BOUNDS;
}

interface AllowProps {
  readonly space: Space;
  readonly proposal: Proposal;
}

/** Lets the proposer do the same again without approval, for a while. Says exactly what that allows. */
export function Allow({ space, proposal }: AllowProps) {
  const { proposer } = proposal;
  const [names, setNames] = useState<readonly string[]>([]);
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const values = bindable(proposal);
  const bound = Object.fromEntries(values.filter(([name]) => names.includes(name)));
  const capability = capabilityFor(proposal, bound);
  const hiding = useHiding();
  const allowed = allowedInWords(nameOf(proposal), hiding.value(bound), useVoice(space.me));
  const choices = boundsFor(proposal, space);

  function allow([words, options]: Bounds): void {
    if (capability === undefined) return;
    closePanel();
    const said = `${plainLine(proposer)} may ${allowed}, ${words}. You can see and revoke this under People.`;
    void sendRemark(proposal.id, said, () => space.participant.grant(proposer, [capability], options));
  }
  const makeRule = ruleMaker(space, proposal);
  useKeys({
    m: makeRule,
    ...Object.fromEntries(choices.map((bounds, index) => [String(index + 1), () => allow(bounds)])),
    Escape: closePanel,
  });
  return (
    <footer class="bar ask" role="group" aria-label="Allow this from now on">
      <p class="why">
        <b>Allow this …</b>
        <button type="button" class="quiet" onClick={closePanel}>
          Cancel <kbd aria-hidden="true">Esc</kbd>
        </button>
      </p>
      <p>
        <Marked text={proposer} /> may then <b>{allowed}</b> without asking anyone:
        <br />
        <code class="dim small">
          {revealedLine(
            hiding.text(
              typeof capability === 'string'
                ? capability
                : JSON.stringify(capability && hiding.value(capability)),
            ),
          )}
        </code>
      </p>
      {values.length > 0 && (
        <fieldset class="only">
          <legend>Only where</legend>
          {values.map(([name, value]) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={names.includes(name)}
                onChange={() =>
                  setNames(names.includes(name) ? names.filter((one) => one !== name) : [...names, name])
                }
              />
              <span>
                <Marked text={name} /> is <Value of={hiding.value({ [name]: value })[name] ?? value} />
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div class="reasons">
        {choices.map((bounds, index) => (
          <button
            key={bounds[0]}
            ref={index === 0 ? first : null}
            type="button"
            class="button"
            aria-keyshortcuts={String(index + 1)}
            onClick={() => allow(bounds)}
          >
            <kbd aria-hidden="true">{index + 1}</kbd> {bounds[0]}
          </button>
        ))}
        {makeRule !== undefined && (
          <button type="button" class="button" aria-keyshortcuts="m" onClick={makeRule}>
            <kbd aria-hidden="true">m</kbd> with a rule …
          </button>
        )}
      </div>
      <p class="note">
        {proposal.phase === 'pending'
          ? 'Later calls run without asking. This one still needs your decision.'
          : 'Later calls run without asking. This one is decided.'}
      </p>
    </footer>
  );
}

function Value({ of }: { readonly of: JsonValue }) {
  return (
    <code>
      <Marked text={JSON.stringify(of)} />
    </code>
  );
}
