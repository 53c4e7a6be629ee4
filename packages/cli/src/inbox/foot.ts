import { visible } from '../terminal/visible.js';
import { displayWidth, fit } from '../terminal/width.js';
import { wrapWords } from '../terminal/wrap.js';
import type { Canvas } from './canvas.js';
import type { InboxState, Note } from './state.js';

type Room = Pick<Canvas, 'style' | 'width' | 'height'>;

/** The first of ever shorter lines that fits; every deciding key is in each of them. */
const KEYS: readonly string[] = [
  '↑↓ choose  a approve  h allow for an hour  e edit  s set one value  c offer  r reject  / search  ? help  q quit',
  'a approve  h allow 1h  e edit  s set  c offer  r reject  / search  ? help  q quit',
  'a approve  e edit  s set  c offer  r reject  ? help  q quit',
  'a approve e edit s set r reject ? help q',
];

const LABELS = {
  reject: ['Reject because', '  Enter sends, Esc cancels'],
  counter: ['Offer your changes because', '  Enter sends, Esc cancels'],
  set: ['Set (such as text=hello)', '  Enter keeps it, Esc cancels'],
  search: ['Search', '  Enter keeps it, Esc shows all'],
} as const;

/** What was said last, and what can be typed. */
export function drawFoot({ prompt, note, isHelpOpen }: InboxState, room: Room): readonly string[] {
  const { style, width } = room;
  const tones = { good: style.green, bad: style.red, plain: style.yellow };
  const said = note === undefined ? [''] : drawNote(note, room).map(tones[note.tone]);
  if (isHelpOpen) return [...said, style.dim(fit('Press any key to go back.', width))];
  if (prompt === undefined) {
    const keys = KEYS.find((line) => displayWidth(line) <= width) ?? KEYS.at(-1) ?? '';
    return [...said, style.dim(fit(keys, width))];
  }
  if (prompt.purpose === 'gone')
    return [...said, style.bold(fit('It has ended; nothing was sent. Press Enter or Esc.', width))];
  const [label, hint] = LABELS[prompt.purpose];
  // A line that wraps would push the head off the screen, so of a long text the end is shown.
  const left = width - displayWidth(label) - ': █'.length - 1;
  const typed = fitEnd(visible(prompt.text), left);
  const rest = displayWidth(typed) + hint.length <= left ? style.dim(hint) : '';
  return [...said, `${style.bold(label)}: ${typed}█${rest}`];
}

/** On as many lines as it needs, but at most a third of the screen. */
function drawNote({ text, hints = [] }: Note, { width, height }: Room): readonly string[] {
  const lines = [text, ...hints.map((hint) => `→ ${hint}`)].flatMap((line) =>
    wrapWords(visible(line), width),
  );
  const most = Math.max(1, Math.floor(height / 3));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), fit(lines.slice(most - 1).join(' '), width)];
}

/** The end of a text that fits, after `…` where something is left out. */
function fitEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && displayWidth(characters.join('')) >= width) characters.shift();
  return `…${characters.join('')}`;
}
