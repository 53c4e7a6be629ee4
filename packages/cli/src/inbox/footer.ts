import { visibleName } from '../display/operation.js';
import { displayWidth, fit, visible, wrapWords } from '../terminal/visible.js';
import { allowancesFor } from './acting.js';
import { type Canvas, type InboxState, type Note, selectedIn } from './state.js';

type FooterCanvas = Pick<Canvas, 'style' | 'width' | 'height'>;

/** The first of ever shorter lines that fits; each of them has all deciding keys. */
const KEYS: readonly string[] = [
  '↑↓ choose  a approve  h allow for …  B all like it  e edit  s set  c offer  d delegate  r reject  / search  ? help  q quit',
  'a approve  h allow  e edit  s set  c offer  d delegate  r reject  ? help  q quit',
  'a approve  e edit  s set  c offer  r reject  ? help  q quit',
  'a approve e edit s set r reject ? help q',
];

const LABELS = {
  reject: ['Reject because', '  Enter sends, Esc cancels'],
  counter: ['Offer your changes because', '  Enter sends, Esc cancels'],
  set: ['Set (such as text=hello)', '  Enter keeps it, Esc cancels'],
  delegate: ['Let someone review this in your place (such as bob 8h; - takes it back)', '  Enter sends'],
  'delegate-all': ['Let someone review everything in your place (bob 8h, or -)', '  Enter sends'],
  search: ['Search', '  Enter keeps it, Esc shows all'],
} as const;

/** The last message, and the available keys. */
export function drawFooter(state: InboxState, canvas: FooterCanvas): readonly string[] {
  const { prompt, note, isHelpOpen } = state;
  const { style, width } = canvas;
  const tones = { good: style.green, bad: style.red, plain: style.yellow };
  const said = note === undefined ? [''] : drawNote(note, canvas).map(tones[note.tone]);
  if (isHelpOpen) return [...said, style.dim(fit('Press any key to go back.', width))];
  if (prompt === undefined) {
    const keys = KEYS.find((line) => displayWidth(line) <= width) ?? KEYS.at(-1) ?? '';
    return [...said, style.dim(fit(keys, width))];
  }
  if (prompt.purpose === 'gone')
    return [...said, style.bold(fit('This call has ended; nothing was sent. Press Enter or Esc.', width))];
  if (prompt.purpose === 'allow')
    return [style.yellow(fit(allowReach(state), width)), style.bold(fit(allowLabel(state), width))];
  const [label, hint] = LABELS[prompt.purpose];
  // A line that wraps would push the head off the screen, so only the end of a long text is shown.
  const left = width - displayWidth(label) - ': █'.length - 1;
  const typed = fitEnd(visible(prompt.text), left);
  const rest = displayWidth(typed) + hint.length <= left ? style.dim(hint) : '';
  return [...said, `${style.bold(label)}: ${typed}█${rest}`];
}

/** What is allowed: more than what was looked at. */
function allowReach(state: InboxState): string {
  const proposal = selectedIn(state);
  const what = proposal === undefined ? '' : visibleName(proposal);
  return `Later calls of ${what} run without approval, with any arguments. This one still needs your decision.`;
}

/** The choices, each with its key. */
function allowLabel(state: InboxState): string {
  const proposal = selectedIn(state);
  const choices = proposal === undefined ? [] : allowancesFor(proposal);
  const keys = choices.map(({ words }, index) => `${index + 1} ${words}`).join('  ');
  return `Allow: ${keys}  Esc`;
}

/** On as many lines as it needs, but at most a third of the screen. */
function drawNote({ text, hints = [] }: Note, { width, height }: FooterCanvas): readonly string[] {
  const lines = [text, ...hints.map((hint) => `→ ${hint}`)].flatMap((line) =>
    wrapWords(visible(line), width),
  );
  const most = Math.max(1, Math.floor(height / 3));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), fit(lines.slice(most - 1).join(' '), width)];
}

/** The end of a text that fits, after `…` if something is left out. */
function fitEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && displayWidth(characters.join('')) >= width) characters.shift();
  return `…${characters.join('')}`;
}
