import { defined } from '@proffer/core/json';
import { CommandFailure } from '../../command-failure.js';
import { EXIT, type ExitCode } from '../../exit-code.js';
import { reportCutOff } from '../../journal/cut-off.js';
import { foldJournal } from '../../journal/fold.js';
import type { DataOptions } from '../../journal/folder-options.js';
import { journalPlace } from '../../journal/place.js';
import { printFold } from '../../journal/print-fold.js';
import type { Shell } from '../../terminal/shell.js';

/** Command-line options of `replay`. */
export interface ReplayFlags extends DataOptions {
  readonly until?: number;
  readonly space?: string;
}

/** Replays a journal and prints the resulting state. */
export async function replay(options: ReplayFlags, shell: Shell): Promise<ExitCode> {
  const folder = await journalPlace(options, shell);
  const { until, space } = options;
  const fold = await foldJournal(folder, defined({ until, space }));
  if (space !== undefined && fold.records === 0) throw noSuchSpace(space, fold.folder, until);
  reportCutOff(fold.cutOff, 'left out', shell);
  printFold(fold, shell, options.json === true);
  return EXIT.done;
}

function noSuchSpace(space: string, folder: string, until: number | undefined): CommandFailure {
  const then = until === undefined ? '' : ` up to seq ${until}`;
  const message = `Space ${JSON.stringify(space)} not found in ${folder}${then}.`;
  return new CommandFailure({ exit: EXIT.refused, code: 'unknown_space', message, details: { space } });
}
