import { stopWatching, watchingSince } from '@proffer/client/machine';
import {
  type FileChange,
  type LeftAlone,
  PROGRAM_IDS,
  PROGRAMS,
  planDisconnect,
} from '@proffer/hook/connect';
import { nearest } from '@proffer/reading';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../../command-failure.js';
import { showChange } from '../../hook/next-steps.js';
import { confirm } from '../../terminal/confirm.js';
import type { Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import { parseOnly } from './choose-items.js';
import { type ConnectCommandOptions, countFiles, makeChanges, reportFailures } from './connect.js';
import { type Connections, openConnections, whileAlone } from './connections.js';

/** Puts the settings of programs back as they were before `connect`; what others changed since then stays. */
export async function disconnectPrograms(options: ConnectCommandOptions, shell: Shell): Promise<ExitCode> {
  checkNames(options);
  const { folder, ledger } = openConnections(options, shell);
  if (options.dryRun === true || ledger.files.length === 0)
    return await disconnectNow(openConnections(options, shell), options, shell);
  return await whileAlone(folder, () => disconnectNow(openConnections(options, shell), options, shell));
}

function checkNames({ only }: ConnectCommandOptions): void {
  for (const name of only === undefined ? [] : parseOnly(only)) {
    if (PROGRAM_IDS.some((id) => id === name)) continue;
    const meant = nearest(name.split('/')[0] ?? '', PROGRAM_IDS);
    throw usageFailure(
      `--only ${JSON.stringify(name)} is not a program. The programs are ${PROGRAM_IDS.join(', ')}.`,
      meant === undefined ? [] : [`--only ${meant}`],
    );
  }
}

async function disconnectNow(
  { folder, ledger }: Connections,
  options: ConnectCommandOptions,
  shell: Shell,
): Promise<ExitCode> {
  const names = options.only === undefined ? undefined : parseOnly(options.only);
  const planned = planDisconnect(ledger, ({ program }) => names?.includes(program) !== false);
  const left = planned.filter((one): one is LeftAlone => 'why' in one);
  const changes = planned.filter((one): one is FileChange => !('why' in one));
  if (planned.length === 0) {
    shell.print('Nothing is connected, so there is nothing to undo.');
    return EXIT.done;
  }
  for (const change of changes.filter(({ diff }) => diff.length > 0)) showChange(change, shell);
  if (options.dryRun === true) {
    shell.print(`This would change ${countFiles(changes.length)}. Nothing was changed.`);
    return EXIT.done;
  }
  const isTerminal = shell.stdin.isTTY === true && shell.stdout.isTTY === true;
  const isAgreed =
    options.yes === true ||
    !isTerminal ||
    changes.length === 0 ||
    (await confirm('Put this back?', shell, shell.interruption()));
  if (!isAgreed) {
    shell.print('Nothing was changed.');
    return EXIT.refused;
  }
  const failures = makeChanges(changes, ledger);
  const done = changes.filter(({ path }) => !failures.has(path));
  const labels = [...new Set(done.map(({ program }) => PROGRAMS[program].label))];
  if (done.length > 0)
    shell.print(
      `Disconnected: ${labels.join(', ')}. Restart ${labels.length === 1 ? 'it if it is' : 'them if they are'} running.`,
    );
  for (const { path } of done.filter(({ isMerged }) => isMerged))
    shell.print(`${visible(path)} was changed after it was connected. Those later changes are still there.`);
  // Other guards and hooks would let everything pass, and nobody would know.
  if (names === undefined && watchingSince(folder) !== undefined) {
    stopWatching(folder);
    shell.print('Proffer is no longer in watch mode: guards and hooks that remain ask again.');
  }
  reportFailures(failures, `${shell.name} disconnect`);
  reportLeft(left, shell);
  return EXIT.done;
}

function reportLeft(left: readonly LeftAlone[], shell: Shell): void {
  if (left.length === 0) return;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'settings_left_alone',
    message: [
      `${countFiles(left.length)} ${left.length === 1 ? 'was' : 'were'} left alone:`,
      ...left.map(({ path, why }) => `${path}: ${why}`),
    ].join('\n'),
    next: [
      `${shell.name} disconnect   # again, after you have corrected the file`,
      ...left.flatMap(({ path, backup }) =>
        backup === undefined ? [] : [`The file ${path} as it was before is ${backup}`],
      ),
    ],
  });
}
