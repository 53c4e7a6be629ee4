import type { Measurement } from './benchmark.js';
import type { Machine } from './machine.js';

/** The result of a run; `--json` prints exactly this. */
export type Report = {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly measurements: readonly (Measurement & { readonly benchmark: string })[];
  /** Remarks a reader of the figures needs. */
  readonly notes: readonly { readonly benchmark: string; readonly text: string }[];
};
