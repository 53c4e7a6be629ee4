import { gestureVerdict, UNDECIDED } from '@proffer/core/gesture';
import { defined, type JsonObject } from '@proffer/core/json';
import { type Allowance, whyNotAllowed } from './acting.js';
import { typeInto } from './prompt.js';
import {
  type BatchItem,
  type InboxState,
  moveBy,
  type Note,
  paramsOf,
  searchFor,
  selectedIn,
  unseenLines,
  without,
  withoutBatch,
  withoutNote,
  withoutRevealed,
} from './state.js';

/** A key, as node:readline reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  readonly shift?: boolean | undefined;
  /** What it types, if anything. */
  readonly text: string;
}

/** What a key requests besides a change of the display. */
export type KeyEffect =
  | { readonly type: 'quit' }
  | { readonly type: 'approve'; readonly id: string; readonly params?: JsonObject }
  | { readonly type: 'reject'; readonly id: string; readonly reason: string; readonly message?: string }
  /** Offers the staged changes to the proposer (O-40). */
  | { readonly type: 'counter'; readonly id: string; readonly params: JsonObject; readonly reason: string }
  /** Lets its proposer do the same again without approval for a while (O-41). */
  | { readonly type: 'allow'; readonly id: string; readonly allowance: Allowance }
  /** Delegates your part, in one review or in all; without a delegate, takes it back (O-34). */
  | {
      readonly type: 'delegate';
      readonly id?: string;
      readonly handed?: { readonly to: string; readonly span: number };
    }
  /** Shows similar calls together. */
  | { readonly type: 'gather'; readonly id: string }
  /** Approves the calls that are shown together (O-35). */
  | { readonly type: 'approve-all'; readonly batch: readonly BatchItem[] }
  | { readonly type: 'edit'; readonly id: string }
  /** Shows hidden values, once it is recorded who looks. */
  | { readonly type: 'reveal'; readonly id: string }
  /** Finds out what the tool or prompt takes. */
  | { readonly type: 'learn'; readonly id: string };

export interface KeyResult {
  readonly state: InboxState;
  readonly effect?: KeyEffect;
}

/** What a key does. Pure. */
export function pressKey(state: InboxState, key: Key, now: number): KeyResult {
  if (key.ctrl === true && key.name === 'c') return { state, effect: { type: 'quit' } };
  if (state.isHelpOpen) return { state: { ...state, isHelpOpen: false } };
  if (state.prompt !== undefined) return typeInto(state, state.prompt, key, now);
  // The note about the last key disappears, unless it says that the gateway is gone.
  const quiet = state.note?.isAboutConnection === true ? state : withoutNote(state);
  if (state.batch !== undefined) return pressInBatch(quiet, state.batch, { name: nameOfKey(key), now });
  switch (nameOfKey(key)) {
    case 'q':
      return { state: quiet, effect: { type: 'quit' } };
    case '?':
      return { state: { ...quiet, isHelpOpen: true } };
    case 'D':
      return { state: { ...quiet, prompt: { purpose: 'delegate-all', text: '' } } };
    case '/':
      return { state: { ...quiet, prompt: { purpose: 'search', text: state.search } } };
    case 'up':
    case 'k':
      return { state: moveBy(quiet, -1, now) };
    case 'down':
    case 'j':
      return { state: moveBy(quiet, 1, now) };
    case 'home':
    case 'g':
      return { state: moveBy(quiet, Number.NEGATIVE_INFINITY, now) };
    case 'end':
    case 'G':
      return { state: moveBy(quiet, Number.POSITIVE_INFINITY, now) };
    case 'pagedown':
    case 'space':
      return { state: scrollBy(quiet, 1) };
    case 'pageup':
    case 'b':
      return { state: scrollBy(quiet, -1) };
    case 'escape':
      return { state: drop(quiet, now) };
    case 'v':
      return reveal(quiet);
    case 'a':
    case 'r':
    case 'e':
    case 's':
    case 'c':
    case 'h':
    case 'd':
    case 'B':
      return decide(quiet, nameOfKey(key), now);
    default:
      return { state: withNote(quiet, 'Unknown key. Press ? for help.', 'plain') };
  }
}

/** The typed text, if it is one visible character: `G` and `g` have the same name. */
function nameOfKey({ name, text }: Key): string {
  return /^[!-~]$/.test(text) ? text : (name ?? text);
}

export function withNote(state: InboxState, text: string, tone: Note['tone']): InboxState {
  return { ...state, note: { text, tone } };
}

/** One page of the details down or up; the last line of one page is the first of the next. */
function scrollBy(state: InboxState, pages: 1 | -1): InboxState {
  const { page = 1, total = 0 } = state.reading ?? {};
  const last = Math.max(0, total - page);
  const scroll = Math.min(Math.max(state.scroll + pages * Math.max(1, page - 1), 0), last);
  return { ...state, scroll };
}

/** Drops what is staged for the selected one; if nothing is, the search. */
function drop(state: InboxState, now: number): InboxState {
  const { selected = '', drafts, unfinished } = state;
  if (!drafts.has(selected) && !unfinished.has(selected)) return searchFor(state, '', now);
  const isDropped = (id: string): boolean => id === selected;
  return { ...state, drafts: without(drafts, isDropped), unfinished: without(unfinished, isDropped) };
}

function reveal(state: InboxState): KeyResult {
  const { selected: id } = state;
  if (id === undefined) return { state: withNote(state, 'There is nothing to reveal.', 'plain') };
  return state.revealed === id
    ? { state: withoutRevealed(state) }
    : { state, effect: { type: 'reveal', id } };
}

function decide(state: InboxState, key: string, now: number): KeyResult {
  const proposal = selectedIn(state);
  if (proposal === undefined) return { state: withNote(state, 'There is nothing to decide.', 'plain') };
  if (isTooEarly(state, now)) return lookFirst(state, now);
  const { id } = proposal;
  if (key === 'r') return { state: { ...state, prompt: { purpose: 'reject', text: '' } } };
  if (key === 's') {
    return { state: { ...state, prompt: { purpose: 'set', text: '' } }, effect: { type: 'learn', id } };
  }
  if (key === 'c') return { state: offer(state, id) };
  if (key === 'd') return { state: { ...state, prompt: { purpose: 'delegate', text: '' } } };
  if (key === 'B') return { state, effect: { type: 'gather', id } };
  if (key === 'e') return { state, effect: { type: 'edit', id } };
  if (state.unfinished.has(id)) {
    // A reader who has just edited it does not mean the old version.
    return {
      state: withNote(state, 'Your edit is not JSON yet. Press e to keep editing, Esc to discard.', 'bad'),
    };
  }
  const unread = unreadNote(state, 'this call');
  if (unread !== undefined) return { state: { ...state, note: unread } };
  if (state.deciding === id) return { state: withNote(state, 'Your approval is being sent.', 'plain') };
  if (key === 'h') {
    const why = whyNotAllowed(proposal);
    if (why !== undefined) return { state: withNote(state, why, 'bad') };
    return { state: { ...state, prompt: { purpose: 'allow', text: '' } } };
  }
  const params = paramsOf(state, proposal);
  const effect = { type: 'approve', id, ...defined({ params }) } as const;
  return { state: { ...state, deciding: id }, effect };
}

/** What a key does while similar calls are shown together. */
function pressInBatch(
  state: InboxState,
  batch: readonly BatchItem[],
  { name, now }: { readonly name: string; readonly now: number },
): KeyResult {
  switch (name) {
    case 'q':
      return { state, effect: { type: 'quit' } };
    case '?':
      return { state: { ...state, isHelpOpen: true } };
    case 'escape':
      return { state: withoutBatch(state) };
    case 'pagedown':
    case 'space':
      return { state: scrollBy(state, 1) };
    case 'pageup':
    case 'b':
      return { state: scrollBy(state, -1) };
    case 'a': {
      if (isTooEarly(state, now)) return lookFirst(state, now);
      const unread = unreadNote(state, 'these calls');
      if (unread !== undefined) return { state: { ...state, note: unread } };
      return { state: withoutBatch(state), effect: { type: 'approve-all', batch } };
    }
    default:
      return { state: withNote(state, 'Press a to approve all of them, Esc to go back.', 'plain') };
  }
}

function isTooEarly({ driftedAt }: InboxState, now: number): boolean {
  return gestureVerdict({ now, shownAt: driftedAt }) !== 'decides';
}

/** Such a key was meant for what was there before. It restarts the time: a key held down never decides. */
function lookFirst(state: InboxState, now: number): KeyResult {
  return { state: withNote({ ...state, driftedAt: now }, UNDECIDED['look first'], 'plain') };
}

/** Why nothing is approved that has not been on the screen. */
function unreadNote(state: InboxState, what: string): Note | undefined {
  const unseen = unseenLines(state);
  if (unseen === 0) return undefined;
  const lines = unseen === 1 ? '1 line' : `${unseen} lines`;
  const text = `Not approved: ${lines} of ${what} have not been shown. Press Space to read on.`;
  return { text, tone: 'bad' };
}

/** The staged changes are offered; the reason is asked for. */
function offer(state: InboxState, id: string): InboxState {
  if (state.drafts.has(id)) return { ...state, prompt: { purpose: 'counter', text: '' } };
  return withNote(state, 'First change what you would approve, with e or s; c then offers it.', 'plain');
}
