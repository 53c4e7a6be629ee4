import type { JsonObject } from '@proffer/core/json';
import type { ProposalView } from '../proposals/proposal-view.js';
import type { Present } from '../proposals/served.js';
import type { Style } from '../terminal/shell.js';

/** Where the inbox is drawn, with what drawing needs. */
export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly style: Style;
  readonly now: number;
  readonly title: string;
  /** What is pending in other gateways of this machine, one line each. */
  readonly elsewhere?: readonly string[];
  /** Who is in the space; absent if unknown. */
  readonly members?: readonly Present[] | undefined;
  /** Why the reader may not approve a proposal; absent if unknown. */
  readonly whyNot?: ((proposal: ProposalView, params?: JsonObject) => string | undefined) | undefined;
}
