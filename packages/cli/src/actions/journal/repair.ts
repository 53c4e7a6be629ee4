import { type AcceptedLoss, acceptLoss } from '@proffer/journal';
import { EXIT, type ExitCode } from '../../command-failure.js';
import type { DataOptions } from '../../command-options.js';
import { journalFailure } from '../../journal/damaged.js';
import { journalFolder } from '../../journal/folder.js';
import { printJson, type Shell, shellWord } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** Command-line options of `repair`. */
export interface RepairOptions extends DataOptions {
  readonly acceptLoss?: boolean;
}

/** Says what can be kept of a damaged journal; if the loss is accepted, keeps that and moves the rest aside. */
export async function repair(options: RepairOptions, shell: Shell): Promise<ExitCode> {
  const folder = await journalFolder(options, shell);
  const accepts = options.acceptLoss === true;
  const result = await acceptLoss(folder, { now: shell.now(), dryRun: !accepts });
  if (!result.ok) throw journalFailure(result.refusal, folder, shell);
  const loss = result.value;
  if (options.json === true)
    printJson({ folder, accepted: accepts && loss !== undefined, loss: loss ?? null }, shell);
  else
    shell.print(
      ...(loss === undefined ? nothingWrong(folder, shell) : describe(folder, loss, { accepts, shell })),
    );
  return loss === undefined || accepts ? EXIT.done : EXIT.refused;
}

function nothingWrong(folder: string, { style, name }: Shell): readonly string[] {
  return [
    `${style.green('✓')} Nothing to repair in ${visible(folder)}: no record is missing.`,
    `  ${style.cyan('→')} ${name} verify --data ${shellWord(folder)}   ${style.dim('# also checks every chain')}`,
  ];
}

function describe(
  folder: string,
  { faults, kept, reached, movedTo }: AcceptedLoss,
  { accepts, shell }: { readonly accepts: boolean; readonly shell: Shell },
): readonly string[] {
  const { style, name } = shell;
  const lost = reached > kept ? `; what came after that, up to seq ${reached} or more, is lost` : '';
  const aside =
    movedTo === undefined
      ? []
      : [`  What comes after the damage ${accepts ? 'is now' : 'would go'} in ${visible(movedTo)}.`];
  const faultLines = faults.map((fault) => `  ${visible(fault)}`);
  if (accepts) {
    return [
      `${style.yellow('!')} ${visible(folder)} can be opened again; the loss is recorded in losses.jsonl:`,
      ...faultLines,
      `  Kept: everything up to seq ${kept}${lost}.`,
      ...aside,
    ];
  }
  return [
    `${style.red('✗')} ${visible(folder)} is damaged:`,
    ...faultLines,
    `  Could be kept: everything up to seq ${kept}${lost}.`,
    ...aside,
    'Restore the folder from a backup if you have one. Otherwise:',
    `  ${style.cyan('→')} ${name} repair --accept-loss --data ${shellWord(folder)}   ${style.dim('# deletes no files, but gives up everything acknowledged after that')}`,
  ];
}
