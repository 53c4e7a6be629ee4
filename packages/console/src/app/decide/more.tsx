import type { Proposal } from '@proffer/core/operations';
import { useKeys } from '../keys/layers.js';
import type { Space } from '../space/space.js';
import { Action } from './action.js';
import { actionsOn } from './actions.js';

interface MoreProps {
  readonly space: Space;
  readonly proposal: Proposal;
  /** Begins a counter-offer, for those who may make one. */
  readonly onCounter: (() => void) | undefined;
}

/** Actions besides deciding, for those who may: offer something else, allow the same from now on, delegate the review. */
export function More({ space, proposal, onCounter }: MoreProps) {
  const { allow, delegate, makeRule } = actionsOn(space, proposal);
  useKeys({ h: allow, d: delegate, m: makeRule });
  if ((onCounter ?? allow ?? delegate ?? makeRule) === undefined) return null;
  return (
    <div class="beside">
      {onCounter !== undefined && (
        <Action icon="negotiations" keyName="c" isQuiet onAct={onCounter}>
          Counter-offer
        </Action>
      )}
      {allow !== undefined && (
        <Action icon="clock" keyName="h" isQuiet onAct={allow}>
          Allow for …
        </Action>
      )}
      {delegate !== undefined && (
        <Action icon="people" keyName="d" isQuiet onAct={delegate}>
          Hand over
        </Action>
      )}
      {/* Next to the grant, if there is one. */}
      {makeRule !== undefined && allow === undefined && (
        <Action icon="rules" keyName="m" isQuiet onAct={makeRule}>
          Make a rule …
        </Action>
      )}
    </div>
  );
}
