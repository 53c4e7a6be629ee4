import type { JsonObject } from '@proffer/core';
import type { ProposalView } from '../connection/proposal-view.js';

/** What the live inbox knows and shows. */
export interface InboxState {
  /** Pending, also what somebody rejected, the oldest first. */
  readonly proposals: readonly ProposalView[];
  /** Pending too, and not listed: there are too many. */
  readonly more: number;
  /** By id, not by place: what comes and goes must not put another one under the cursor unseen. */
  readonly selected?: string;
  /** When the cursor last moved without a key of the reader's, in milliseconds since 1970. */
  readonly driftedAt: number;
  /**
   * A line that is being typed. `gone`: what it was for has ended, and whatever else is typed of it must
   * not count as keys for another proposal.
   */
  readonly prompt?: { readonly purpose: 'reject' | 'set' | 'gone'; readonly text: string };
  /** Params that the reader changed, for one proposal. */
  readonly draft?: { readonly id: string; readonly params: JsonObject };
  /** What the reader left in the editor that is no JSON yet, for one proposal. */
  readonly unfinished?: { readonly id: string; readonly text: string };
  readonly note?: Note;
  /** Lines of the details that are scrolled away. */
  readonly scroll: number;
  readonly connected: boolean;
  /** The arguments that are announced for a tool or prompt, by its name, as far as they are known here. */
  readonly announced: ReadonlyMap<string, readonly string[]>;
}

export interface Note {
  readonly text: string;
  /** What to type instead, each on a line of its own. */
  readonly hints?: readonly string[];
  readonly tone: 'good' | 'bad' | 'plain';
  /** It holds only while the gateway cannot be reached. */
  readonly isAboutConnection?: boolean;
}

export const EMPTY_INBOX: InboxState = {
  proposals: [],
  more: 0,
  driftedAt: 0,
  scroll: 0,
  connected: true,
  announced: new Map(),
};

/** The proposal under the cursor. */
export function selectedIn({ proposals, selected }: InboxState): ProposalView | undefined {
  return proposals.find(({ id }) => id === selected);
}

/** How a proposal ended, in words. */
export interface Ending {
  readonly id: string;
  readonly how: string;
}

/** What the reader is busy with that is no longer among the pending proposals; nothing otherwise. */
export function lostIn(
  { selected, prompt, draft }: InboxState,
  proposals: readonly ProposalView[],
): string | undefined {
  const isBusy = prompt !== undefined || draft !== undefined;
  return isBusy && !proposals.some(({ id }) => id === selected) ? selected : undefined;
}

/**
 * Takes the pending proposals as they are now. If the selected one is gone, the cursor drifts to the next.
 *
 * @param ending - that of the selected one, where it is known
 */
export function withProposals(
  state: InboxState,
  proposals: readonly ProposalView[],
  now: number,
  ending?: Ending,
): InboxState {
  const { selected } = state;
  if (selected !== undefined && proposals.some(({ id }) => id === selected)) return { ...state, proposals };
  const place = state.proposals.findIndex(({ id }) => id === selected);
  const next = proposals[Math.min(Math.max(place, 0), proposals.length - 1)]?.id;
  const { selected: _selected, prompt, draft: _draft, ...rest } = state;
  const how = ending !== undefined && ending.id === selected ? `: ${ending.how}` : '';
  const note: Note | undefined =
    lostIn(state, proposals) === undefined
      ? undefined
      : { text: `What you were about to decide is over${how}.`, tone: 'bad' };
  return {
    ...rest,
    ...(prompt === undefined ? {} : { prompt: { ...prompt, purpose: 'gone' } }),
    proposals,
    scroll: 0,
    driftedAt: now,
    ...(next === undefined ? {} : { selected: next }),
    ...(note === undefined ? {} : { note }),
  };
}

/** Moves the cursor, by the reader's own key. */
export function moveBy(state: InboxState, step: number): InboxState {
  const { proposals, selected } = state;
  const place = proposals.findIndex(({ id }) => id === selected);
  const next = proposals[Math.min(Math.max(place + step, 0), proposals.length - 1)]?.id;
  if (next === undefined || next === selected) return state;
  const { draft: _draft, note: _note, ...rest } = state;
  return { ...rest, selected: next, scroll: 0, driftedAt: 0 };
}

/** The state when the gateway answers again: what was said because it did not is no longer true. */
export function whenConnected(state: InboxState): InboxState {
  const { note, ...rest } = state;
  return { ...rest, connected: true, ...(note === undefined || note.isAboutConnection ? {} : { note }) };
}

/** After a rejection the cursor drifts to the next one that nobody rejected, if there is any. */
export function afterRejection(state: InboxState, id: string, now: number): InboxState {
  const { proposals, draft: _draft, ...rest } = state;
  const place = proposals.findIndex((proposal) => proposal.id === id);
  const others = [...proposals.slice(place + 1), ...proposals.slice(0, Math.max(0, place))];
  const next = others.find(({ rejections }) => Object.keys(rejections).length === 0);
  if (next === undefined || state.selected !== id) return state;
  return { ...rest, proposals, selected: next.id, scroll: 0, driftedAt: now };
}
