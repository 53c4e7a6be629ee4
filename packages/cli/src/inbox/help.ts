import { fit } from '../terminal/width.js';
import type { Canvas } from './canvas.js';

const HELP: readonly string[] = [
  '↑ ↓  j k       previous, next',
  'Home End  g G  first, last',
  'Space  PgDn    read on      PgUp  b  read back',
  '/              search by who asks, tool, id or argument; Esc shows all',
  'a              approve, once all of the call has been shown',
  'h              allow the same for an hour, five times or this session; this call still needs a decision',
  'B              show all calls like this one together, to approve them at once',
  'e              edit the arguments in $EDITOR, then a',
  's              set one argument: name=value; +name=value adds one',
  'c              offer your changes to the proposer, who may accept them',
  'r              reject, with a reason',
  'v              reveal hidden values, which is recorded; hide them again',
  'd  D           let someone review this, or everything, in your place',
  'Esc            drop your changes',
  'q              quit',
  '',
  '○ only reads   ◐ may change something   ● may destroy data',
  '✎ you changed it   ✗ someone rejected it',
  '! it could not run now   ⊘ you may not approve it',
];

/** Every key and every mark. */
export function drawHelp({ width }: Pick<Canvas, 'width'>, rows: number): readonly string[] {
  return HELP.slice(0, rows).map((line) => fit(line, width));
}
