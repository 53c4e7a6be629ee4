import type { JsonObject } from '@proffer/core';
import { checkAssignment } from '../argument-names.js';
import { applyAssignments } from '../arguments.js';
import { CommandFailure } from '../command-failure.js';
import { nameOf } from '../connection/proposal-view.js';
import { type InboxState, moveBy, type Note, selectedIn } from './state.js';

/** A key, as node:readline reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
  /** What it types, if anything. */
  readonly text: string;
}

/** What a key asks for beyond a change of what is shown. */
export type Effect =
  | { readonly type: 'quit' }
  | { readonly type: 'approve'; readonly id: string; readonly params?: JsonObject }
  | { readonly type: 'reject'; readonly id: string; readonly reason: string; readonly message?: string }
  | { readonly type: 'edit'; readonly id: string }
  /** Finds out what the tool or prompt takes. */
  | { readonly type: 'learn'; readonly id: string };

export interface Pressed {
  readonly state: InboxState;
  readonly effect?: Effect;
}

/**
 * For how long after the cursor drifted to another proposal a deciding key does not count, in
 * milliseconds. Such a key was meant for the one before; each starts the time anew, so that a key held
 * down never decides what nobody has looked at.
 */
export const LOOK_FIRST = 500;

/** What a key does. Pure. */
export function pressKey(state: InboxState, key: Key, now: number): Pressed {
  if (key.ctrl === true && key.name === 'c') return { state, effect: { type: 'quit' } };
  if (state.prompt !== undefined) return typeInto(state, state.prompt, key);
  switch (key.name ?? key.text) {
    case 'q':
      return { state, effect: { type: 'quit' } };
    case 'up':
    case 'k':
      return { state: moveBy(state, -1) };
    case 'down':
    case 'j':
      return { state: moveBy(state, 1) };
    case 'pagedown':
    case 'space':
      return { state: { ...state, scroll: state.scroll + 5 } };
    case 'pageup':
      return { state: { ...state, scroll: Math.max(0, state.scroll - 5) } };
    case 'escape':
      return { state: withoutDraft(state) };
    case 'a':
    case 'r':
    case 'e':
    case 's':
      return decide(state, key.name ?? key.text, now);
    default:
      return {
        state: withNote(state, `${nameOfKey(key)} is no key here; those that are stand below.`, 'plain'),
      };
  }
}

function nameOfKey({ name, text }: Key): string {
  return /^[!-~]$/.test(text) ? JSON.stringify(text) : (name ?? 'That');
}

function withNote(state: InboxState, text: string, tone: Note['tone']): InboxState {
  return { ...state, note: { text, tone } };
}

function decide(state: InboxState, key: string, now: number): Pressed {
  const proposal = selectedIn(state);
  if (proposal === undefined) return { state: withNote(state, 'There is nothing to decide.', 'plain') };
  if (now - state.driftedAt < LOOK_FIRST) {
    const text = 'This one has just come under the cursor: look first, then press again.';
    return { state: withNote({ ...state, driftedAt: now }, text, 'plain') };
  }
  const { note: _note, ...rest } = state;
  const { id, params } = proposal;
  if (key === 'r') return { state: { ...rest, prompt: { purpose: 'reject', text: '' } } };
  if (key === 's') {
    return { state: { ...rest, prompt: { purpose: 'set', text: '' } }, effect: { type: 'learn', id } };
  }
  if (key === 'e') return { state: rest, effect: { type: 'edit', id } };
  if (state.unfinished?.id === id) {
    // Whoever has just edited it does not mean it as it was before.
    const text = 'Your edit is not JSON yet: e goes on with it, Esc drops it.';
    return { state: withNote(state, text, 'bad') };
  }
  const changed = state.draft?.id === id ? state.draft.params : params;
  const { draft: _draft, ...decided } = rest;
  const effect = { type: 'approve', id, ...(changed === undefined ? {} : { params: changed }) } as const;
  return { state: decided, effect };
}

function typeInto(state: InboxState, prompt: NonNullable<InboxState['prompt']>, key: Key): Pressed {
  const { prompt: _prompt, ...rest } = state;
  const isEnter = key.name === 'return' || key.name === 'enter';
  if (key.name === 'escape') {
    // What was said about the line that was typed goes with it.
    const { note: _note, ...quiet } = rest;
    return { state: quiet };
  }
  if (prompt.purpose === 'gone') return { state: isEnter ? rest : state };
  if (key.name === 'backspace') {
    const text = Array.from(prompt.text).slice(0, -1).join('');
    return { state: { ...state, prompt: { ...prompt, text } } };
  }
  if (isEnter) return finish(rest, prompt);
  if (key.ctrl === true || key.meta === true || !/^\P{C}+$/u.test(key.text)) return { state };
  return { state: { ...state, prompt: { ...prompt, text: prompt.text + key.text } } };
}

function finish(state: InboxState, { purpose, text }: NonNullable<InboxState['prompt']>): Pressed {
  const proposal = selectedIn(state);
  if (proposal === undefined) return { state };
  if (text.trim() === '') {
    if (purpose === 'set') return { state: withNote(state, 'Nothing was changed.', 'plain') };
    const prompt = { purpose, text: '' };
    return { state: withNote({ ...state, prompt }, 'A rejection needs a reason; Esc cancels it.', 'bad') };
  }
  if (purpose === 'reject') {
    // `policy: not on Fridays` is a reason that programs know, and a message beside it.
    const [, reason = text.trim(), message = ''] = /^\s*([a-z_]+):\s*(.+)$/s.exec(text) ?? [];
    const effect = {
      type: 'reject',
      id: proposal.id,
      reason,
      ...(message === '' ? {} : { message }),
    } as const;
    return { state, effect };
  }
  const { id, method, params } = proposal;
  const before = state.draft?.id === id ? state.draft.params : params;
  // A plus adds what the call does not have, on purpose.
  const [, plus = '', assignment = ''] = /^\s*(\+?)(.*?)\s*$/s.exec(text) ?? [];
  try {
    const announced = state.announced.get(nameOf(proposal));
    // They are typed here, and not into a shell.
    const words = { set: (typed: string) => typed, add: (typed: string) => `+${typed}` };
    if (plus === '') checkAssignment({ method, params: before, announced }, assignment, words);
    const changed = applyAssignments(method, before, [assignment]);
    const { note: _note, ...rest } = state;
    return { state: changed === undefined ? rest : { ...rest, draft: { id, params: changed } } };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { message, next = [] } = error.failure;
    const example = next.length > 0 ? next : ['For example: text=hello or options.depth=3'];
    const hints = example.map((line) => line.replace(/ {3}# (.*)$/, ' ($1)'));
    const note: Note = { text: message.replace(/^--set /, ''), hints, tone: 'bad' };
    // What was typed stays, to be corrected.
    return { state: { ...state, prompt: { purpose, text }, note } };
  }
}

function withoutDraft(state: InboxState): InboxState {
  const { draft: _draft, unfinished: _unfinished, note: _note, ...rest } = state;
  return rest;
}
