import type { Measurement } from './benchmark.js';
import type { Machine } from './machine.js';

/** What a run found out; with `--json` exactly this is printed. */
export type Report = {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly measurements: readonly (Measurement & { readonly benchmark: string })[];
  /** What a reader of the figures must know besides them. */
  readonly notes: readonly { readonly benchmark: string; readonly text: string }[];
};
