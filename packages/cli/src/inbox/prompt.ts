import { checkAssignment } from '../argument-names.js';
import { applyAssignments } from '../arguments.js';
import { CommandFailure } from '../command-failure.js';
import { nameOf, type ProposalView } from '../proposals/proposal-view.js';
import { parseDuration } from '../terminal/visible.js';
import { allowancesFor } from './acting.js';
import type { Key, KeyResult } from './keys.js';
import { type InboxState, type Note, paramsOf, searchFor, selectedIn, withoutNote } from './state.js';

type Prompt = NonNullable<InboxState['prompt']>;

/** What a key does while a line is being typed. Pure. */
export function typeInto(state: InboxState, prompt: Prompt, key: Key, now: number): KeyResult {
  const { prompt: _prompt, ...rest } = state;
  const isEnter = key.name === 'return' || key.name === 'enter';
  if (key.name === 'escape') {
    // The note about the typed line disappears with the line.
    const quiet = withoutNote(rest);
    return { state: prompt.purpose === 'search' ? searchFor(quiet, '', now) : quiet };
  }
  if (prompt.purpose === 'gone') return { state: isEnter ? rest : state };
  if (prompt.purpose === 'allow') return chooseAllowance(state, rest, key);
  if (isEnter) return finish(rest, prompt);
  if (key.name === 'backspace') {
    const kept = Array.from(prompt.text).slice(0, -1).join('');
    return typed(state, prompt, kept, now);
  }
  if (key.ctrl === true || key.meta === true || !/^\P{C}+$/u.test(key.text)) return { state };
  return typed(state, prompt, prompt.text + key.text, now);
}

/** Searches while typing. */
function typed(state: InboxState, prompt: Prompt, text: string, now: number): KeyResult {
  const typing = { ...state, prompt: { ...prompt, text } };
  return { state: prompt.purpose === 'search' ? searchFor(typing, text, now) : typing };
}

/** One key chooses for how long; any other cancels. */
function chooseAllowance(asking: InboxState, state: InboxState, { text }: Key): KeyResult {
  const proposal = selectedIn(state);
  const allowance = proposal && allowancesFor(proposal)[Number(text) - 1];
  if (proposal === undefined || allowance === undefined) return { state: asking };
  return { state: withoutNote(state), effect: { type: 'allow', id: proposal.id, allowance } };
}

/** `bob 8h` delegates your part, `-` takes it back. */
function readDelegate(state: InboxState, { purpose, text }: Prompt): KeyResult {
  const about = purpose === 'delegate' ? { id: selectedIn(state)?.id ?? '' } : {};
  if (text.trim() === '-') return { state: withoutNote(state), effect: { type: 'delegate', ...about } };
  const [, to = '', time = ''] = /^\s*(\S+)\s+(?:for\s+)?(\S+)\s*$/.exec(text) ?? [];
  const span = parseDuration(time);
  if (to === '' || span === undefined || span === 0) {
    const note: Note = { text: 'Say who, and for how long, such as: bob 8h', tone: 'bad' };
    return { state: { ...state, prompt: { purpose, text }, note } };
  }
  return { state: withoutNote(state), effect: { type: 'delegate', ...about, handed: { to, span } } };
}

function finish(state: InboxState, { purpose, text }: Prompt): KeyResult {
  if (purpose === 'search') return { state };
  if (purpose === 'delegate' || purpose === 'delegate-all') return readDelegate(state, { purpose, text });
  const proposal = selectedIn(state);
  if (proposal === undefined) return { state };
  if (text.trim() === '') {
    if (purpose === 'set')
      return { state: { ...state, note: { text: 'Nothing was changed.', tone: 'plain' } } };
    const what = purpose === 'counter' ? 'An offer' : 'A rejection';
    const note: Note = { text: `${what} needs a reason. Esc cancels it.`, tone: 'bad' };
    return { state: { ...state, prompt: { purpose, text: '' }, note } };
  }
  if (purpose === 'set') return { state: setValue(state, proposal, text) };
  const { id } = proposal;
  const draft = state.drafts.get(id);
  if (purpose === 'counter') {
    if (draft === undefined) return { state };
    return { state: withoutNote(state), effect: { type: 'counter', id, params: draft, reason: text.trim() } };
  }
  // `policy: not on Fridays` is a known reason followed by a message.
  const [, reason = text.trim(), message = ''] = /^\s*([a-z_]+):\s*(.+)$/s.exec(text) ?? [];
  return {
    state: withoutNote(state),
    effect: { type: 'reject', id, reason, ...(message === '' ? {} : { message }) },
  };
}

/** Stages one changed value. An invalid one stays in the line, to be corrected. */
function setValue(state: InboxState, proposal: ProposalView, text: string): InboxState {
  const { id, method } = proposal;
  const params = paramsOf(state, proposal);
  // A plus adds an argument that the call does not have, on purpose.
  const [, plus = '', assignment = ''] = /^\s*(\+?)(.*?)\s*$/s.exec(text) ?? [];
  try {
    const announced = state.announced.get(nameOf(proposal));
    // They are typed here, not into a shell.
    const words = { set: (line: string) => line, add: (line: string) => `+${line}` };
    if (plus === '') checkAssignment({ method, params, announced }, assignment, words);
    const changed = applyAssignments(method, params, [assignment]);
    const quiet = withoutNote(state);
    return changed === undefined ? quiet : { ...quiet, drafts: new Map([...state.drafts, [id, changed]]) };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { message, next = [] } = error.failure;
    const example = next.length > 0 ? next : ['For example: text=hello or options.depth=3'];
    const hints = example.map((line) => line.replace(/ {3}# (.*)$/, ' ($1)'));
    const note: Note = { text: message.replace(/^--set /, ''), hints, tone: 'bad' };
    return { ...state, prompt: { purpose: 'set', text }, note };
  }
}
