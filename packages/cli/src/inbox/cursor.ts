import { newestFirst } from '@proffer/core/approvals';
import { defined } from '@proffer/core/json';
import type { ProposalView } from '../proposals/proposal-view.js';
import { type InboxState, isAboutSelected, listedIn, type Note, without } from './state.js';

/** How a proposal ended, in words. */
interface Ending {
  readonly id: string;
  readonly how: string;
}

/** The proposal the reader is working on, if it is no longer pending; nothing otherwise. */
export function lostIn(
  { selected, prompt, drafts, deciding }: InboxState,
  proposals: readonly ProposalView[],
): string | undefined {
  const isTyping = isAboutSelected(prompt);
  const isStaged = selected !== undefined && selected !== deciding && drafts.has(selected);
  const isBusy = isTyping || isStaged;
  return isBusy && !proposals.some(({ id }) => id === selected) ? selected : undefined;
}

/**
 * Updates the pending proposals. If the selected one is gone, the cursor moves to the next; a remark about
 * the selected one counts as a change under the cursor, too.
 *
 * @param ending - the ending of the selected one, if known
 */
export function withProposals(
  state: InboxState,
  proposals: readonly ProposalView[],
  now: number,
  ending?: Ending,
): InboxState {
  const { selected } = state;
  const isOver = (id: string): boolean => !proposals.some((proposal) => proposal.id === id);
  const kept = {
    proposals: [...proposals].sort(newestFirst),
    reasons: without(state.reasons, isOver),
    drafts: without(state.drafts, isOver),
    unfinished: without(state.unfinished, isOver),
  };
  const before = state.proposals.find(({ id }) => id === selected);
  const after = proposals.find(({ id }) => id === selected);
  if (before !== undefined && after !== undefined) {
    const hasChanged = before.version !== after.version || before.digest !== after.digest;
    return { ...state, ...kept, ...(hasChanged ? { driftedAt: now } : {}) };
  }
  const place = listedIn(state).findIndex(({ id }) => id === selected);
  const listed = listedIn({ ...state, ...kept });
  const next = listed[Math.min(Math.max(place, 0), listed.length - 1)]?.id;
  const { selected: _selected, prompt, ...rest } = state;
  const how = ending !== undefined && ending.id === selected ? ` ${ending.how}` : '';
  const note: Note | undefined =
    lostIn(state, proposals) === undefined
      ? undefined
      : { text: `The proposal you were deciding has ended.${how}`, tone: 'bad' };
  const typed =
    prompt === undefined || !isAboutSelected(prompt) ? prompt : { ...prompt, purpose: 'gone' as const };
  return {
    ...rest,
    ...kept,
    ...defined({ prompt: typed }),
    scroll: 0,
    driftedAt: now,
    ...defined({ selected: next, note }),
  };
}

/** Moves the cursor by a number of rows, on the reader's key. */
export function moveBy(state: InboxState, step: number, now: number): InboxState {
  const listed = listedIn(state);
  const place = listed.findIndex(({ id }) => id === state.selected);
  const next = listed[Math.min(Math.max(place + step, 0), listed.length - 1)]?.id;
  return next === undefined || next === state.selected ? state : select(state, next, now);
}

/** Lists only proposals with this text. The cursor stays where it is if possible. */
export function searchFor(state: InboxState, search: string, now: number): InboxState {
  const found = { ...state, search };
  const listed = listedIn(found);
  if (listed.some(({ id }) => id === state.selected)) return found;
  const [first] = listed;
  if (first !== undefined) return select(found, first.id, now);
  const { selected: _selected, ...rest } = found;
  return rest;
}

/** After a rejection the cursor moves to the next proposal that nobody rejected, if any. */
export function afterRejection(state: InboxState, id: string, now: number): InboxState {
  const listed = listedIn(state);
  const place = listed.findIndex((proposal) => proposal.id === id);
  const others = [...listed.slice(place + 1), ...listed.slice(0, Math.max(0, place))];
  const next = others.find(({ rejections }) => Object.keys(rejections).length === 0);
  const drafts = without(state.drafts, (key) => key === id);
  if (next === undefined || state.selected !== id) return { ...state, drafts };
  return { ...state, drafts, selected: next.id, scroll: 0, driftedAt: now };
}

function select(state: InboxState, id: string, now: number): InboxState {
  return { ...state, selected: id, scroll: 0, driftedAt: now };
}
