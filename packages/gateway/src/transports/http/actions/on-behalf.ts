import type { Result } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { CallerIdentity } from '../../../door/index.js';
import type { SpaceAdmission } from '../../../operations/index.js';
import { createDecideAs, type DecideAs, type DecideAsOptions } from './decide-as.js';
import { createSeeAs, type SeeAs } from './see-as.js';

/** What a companion may do for people: identify them, show them a proposal, and decide in their name. */
export interface OnBehalf {
  /** The owner of a token; counts as one of its messages. */
  readonly identify: (token: string | undefined) => Promise<Result<CallerIdentity>>;
  /** Decides in the name of someone that a service vouches for. */
  readonly decideAs: DecideAs;
  /** Shows a proposal as that person may see it. */
  readonly seeAs: SeeAs;
  /** Whether somebody was removed from a space (O-52), so that nothing about it is for them. */
  readonly isRemoved: SpaceAdmission['isRemoved'];
}

export function createOnBehalf(options: DecideAsOptions & { readonly journal: Journal }): OnBehalf {
  const { admission } = options;
  return {
    identify: (token) => admission.identify(token),
    decideAs: createDecideAs(options),
    seeAs: createSeeAs(options),
    isRemoved: (name, space) => admission.isRemoved(name, space),
  };
}
