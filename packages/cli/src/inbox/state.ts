import { newestFirst } from '@proffer/core/approvals';
import { defined, type JsonObject } from '@proffer/core/json';
import { whoAsks } from '../display/operation.js';
import { argumentsOf, nameOf, type ProposalView } from '../proposals/proposal-view.js';
import type { Present } from '../proposals/served.js';
import type { Style } from '../terminal/shell.js';

/** The state of the live inbox. */
export interface InboxState {
  /** Pending, including those that someone rejected, newest first. */
  readonly proposals: readonly ProposalView[];
  /** Pending too, but not listed: there are too many. */
  readonly more: number;
  /** Only proposals with this text in them are listed; empty lists all. */
  readonly search: string;
  /** By id, not by position: arrivals and departures must not put another one under the cursor unseen. */
  readonly selected?: string;
  /**
   * When the content under the cursor last changed, in milliseconds since 1970.
   */
  readonly driftedAt: number;
  /**
   * The line being typed. `gone`: its proposal has ended, and further typing must not count as keys for
   * another proposal.
   */
  readonly prompt?: {
    readonly purpose:
      | 'reject'
      | 'counter'
      | 'set'
      | 'allow'
      | 'delegate'
      | 'delegate-all'
      | 'search'
      | 'gone';
    readonly text: string;
  };
  /** The proposal whose hidden values are shown, until the cursor leaves it. */
  readonly revealed?: string;
  /** Similar calls shown together, as they were shown (O-35). */
  readonly batch?: readonly BatchItem[];
  /** Params that the reader changed, by proposal. Kept until they are approved or dropped. */
  readonly drafts: ReadonlyMap<string, JsonObject>;
  /** What the reader has just approved; its changes are no longer staged, unless sending fails. */
  readonly deciding?: string;
  /** Invalid JSON that the reader left in the editor, by proposal. */
  readonly unfinished: ReadonlyMap<string, string>;
  readonly note?: Note;
  /** Scroll position of the details, in lines. */
  readonly scroll: number;
  /** How much of the details has been on the screen. */
  readonly reading?: ReadSoFar;
  readonly isHelpOpen: boolean;
  readonly connected: boolean;
  /** Why proposers ask, in their own words, by proposal, as far as known here; empty if one does not say. */
  readonly reasons: ReadonlyMap<string, string>;
  /** Announced argument names by tool or prompt, as far as known here. */
  readonly announced: ReadonlyMap<string, readonly string[]>;
}

/** A call decided together with others, and the executor that was shown. */
export interface BatchItem {
  readonly proposal: ProposalView;
  readonly executor: string | undefined;
}

export interface Note {
  readonly text: string;
  /** What to type instead, one per line. */
  readonly hints?: readonly string[];
  readonly tone: 'good' | 'bad' | 'plain';
  /** Valid only while the gateway is unreachable. */
  readonly isAboutConnection?: boolean;
}

/** How much of the details of one proposal, in one form, has been shown. */
export interface ReadSoFar {
  /** What is being read; see {@link readingKey}. */
  readonly key: string;
  /** How many lines, from the first, have been on the screen. */
  readonly upTo: number;
  readonly total: number;
  /** Lines that fit on the screen at once. */
  readonly page: number;
  /** The columns they were wrapped for. */
  readonly width: number;
}

/** Lines of the details that are on the screen now. */
export type ShownLines = Pick<ReadSoFar, 'total' | 'page' | 'width'> & {
  readonly from: number;
  readonly to: number;
};

export const EMPTY_INBOX: InboxState = {
  proposals: [],
  more: 0,
  search: '',
  driftedAt: 0,
  drafts: new Map(),
  unfinished: new Map(),
  scroll: 0,
  isHelpOpen: false,
  connected: true,
  reasons: new Map(),
  announced: new Map(),
};

/** The proposal under the cursor. */
export function selectedIn({ proposals, selected }: InboxState): ProposalView | undefined {
  return proposals.find(({ id }) => id === selected);
}

/** The listed proposals: all, or the search results. */
export function listedIn({ proposals, search }: InboxState): readonly ProposalView[] {
  const wanted = search.toLowerCase();
  return wanted === '' ? proposals : proposals.filter((proposal) => searchText(proposal).includes(wanted));
}

function searchText(proposal: ProposalView): string {
  const { id, method } = proposal;
  return [id, whoAsks(proposal), method, nameOf(proposal), JSON.stringify(argumentsOf(proposal) ?? {})]
    .join(' ')
    .toLowerCase();
}

/** The params the selected one would run with: the reader's changes, or else what was proposed. */
export function paramsOf({ drafts }: InboxState, { id, params }: ProposalView): JsonObject | undefined {
  return drafts.get(id) ?? params;
}

/** Identifies the calls that are shown together. */
function batchKey(batch: readonly BatchItem[]): string {
  return JSON.stringify(batch.map(({ proposal: { id, digest }, executor = '' }) => [id, digest, executor]));
}

/** Identifies what is under the cursor, as it would run. */
export function readingKey(state: InboxState): string {
  if (state.batch !== undefined) return batchKey(state.batch);
  const proposal = selectedIn(state);
  return proposal === undefined
    ? ''
    : JSON.stringify([
        proposal.id,
        proposal.digest,
        state.drafts.get(proposal.id) ?? null,
        state.revealed === proposal.id,
      ]);
}

/**
 * Remembers which lines of the details were on the screen. Lines count only if everything above them has been
 * shown.
 */
export function withShown(state: InboxState, { from, to, total, page, width }: ShownLines): InboxState {
  const key = readingKey(state);
  const isSame = state.reading?.key === key && state.reading.width === width;
  const before = isSame ? (state.reading?.upTo ?? 0) : 0;
  const upTo = from <= before ? Math.max(before, to) : before;
  return { ...state, reading: { key, upTo, total, page, width } };
}

/** How many lines of what is under the cursor have never been on the screen. */
export function unseenLines(state: InboxState): number {
  const { reading } = state;
  if (reading === undefined || reading.key !== readingKey(state)) return 1;
  return Math.max(0, reading.total - reading.upTo);
}

/** Hides what was revealed. */
export function withoutRevealed({ revealed: _revealed, ...state }: InboxState): InboxState {
  return state;
}

/** The state when the gateway answers again: notes about its absence are dropped. */
export function whenConnected(state: InboxState): InboxState {
  return { ...(state.note?.isAboutConnection === true ? withoutNote(state) : state), connected: true };
}

export function withoutNote(state: InboxState): InboxState {
  const { note: _note, ...rest } = state;
  return rest;
}

/** Whether the line being typed is about the proposal under the cursor. */
function isAboutSelected(prompt: InboxState['prompt']): boolean {
  return prompt !== undefined && prompt.purpose !== 'search' && prompt.purpose !== 'delegate-all';
}

export function withoutBatch(state: InboxState): InboxState {
  const { batch: _batch, ...rest } = state;
  return { ...rest, scroll: 0 };
}

/** A map without some of its keys. */
export function without<Value>(map: ReadonlyMap<string, Value>, isOver: (key: string) => boolean) {
  return new Map([...map].filter(([key]) => !isOver(key)));
}

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
      : { text: `The call you were deciding has ended.${how}`, tone: 'bad' };
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
