import type { ShownVersion } from '@proffer/core/operations';

/** What a button sends back: which proposal, and exactly what was shown. */
export type ButtonValue = {
  readonly space: string;
  readonly proposal: string;
  readonly digest: string;
  /** Absent in messages of older versions: they approve nothing. */
  readonly seen?: ShownVersion;
};

/** The names of the buttons in Slack's callbacks. */
export const APPROVE_ACTION = 'proffer_approve';
export const REJECT_ACTION = 'proffer_reject';
