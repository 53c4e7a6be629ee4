import { defined } from '@proffer/core/json';
import { count } from '@proffer/core/words';
import type { EvidenceReport } from '@proffer/evidence';
import { folderOf, type UnsignedRecords, type VerifyReport, verifyLocalJournal } from '@proffer/journal';
import { EXIT, type ExitCode } from '../../command-failure.js';
import type { DataOptions } from '../../command-options.js';
import { type CheckedContents, checkContents } from '../../journal/check-contents.js';
import { cutOffLines, journalFailure, repairStep } from '../../journal/damaged.js';
import { decideApart } from '../../journal/decide-apart.js';
import { describeDecided } from '../../journal/describe-decided.js';
import { type JournalPlace, journalPlace, nameOfPlace } from '../../journal/place.js';
import { sharedBackend } from '../../journal/read-journal.js';
import { describeLog, groupLines, type KeptEvidence, keptEvidence } from '../../journal/signed-log.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { formatMoment, visible } from '../../terminal/visible.js';

/** Command-line options of `verify`. */
export interface VerifyFlags extends DataOptions {
  /** Files with checkpoints. */
  readonly checkpoint?: readonly string[];
  /** Keys, or files with keys. */
  readonly logKey?: readonly string[];
}

/**
 * Checks every record and every chain of a journal, its signed log if it has one, and decides every record again; prints
 * what is wrong, what is proved, and what cannot be known.
 */
export async function verify(options: VerifyFlags, shell: Shell): Promise<ExitCode> {
  const { style } = shell;
  const place = await journalPlace(options, shell);
  const folder = nameOfPlace(place);
  const kept = await keptEvidence(options, shell);
  const { report, contents } = await check(place, kept, shell);
  const { records, streams, faults, cutOff, unsigned, losses = [] } = report;
  const { decided, log } = contents;
  const isRight = log?.isTrue !== false && (decided?.wrong ?? 0) === 0;
  const whole = faults.length === 0 && cutOff === undefined && isRight;
  const read = `${count(records, 'record')} in ${count(streams, 'stream')}`;
  if (options.json === true) {
    const end = defined({ cutOff });
    const before = defined({ unsigned });
    printJson(
      { folder, whole, records, streams, faults, ...end, ...before, losses, ...defined({ log, decided }) },
      shell,
    );
  } else if (log?.isTrue === false) {
    shell.print(`${style.red('✗')} ${folder} is not what its log says: ${read}.`);
  } else if (!isRight) {
    shell.print(`${style.red('✗')} ${folder} has records that its rules do not allow: ${read}.`);
  } else if (whole) {
    shell.print(`${style.green('✓')} ${folder} is intact: ${read}, every chain unbroken.`);
  } else if (faults.length > 0) {
    shell.print(`${style.red('✗')} ${folder} is damaged, in ${count(faults.length, 'place')}:`);
    for (const { file, offset, stream, version, refusal } of faults) {
      const place = file === undefined ? folder : `${file}, byte ${offset ?? 0}`;
      const record = stream === undefined ? '' : `: record ${version ?? '?'} of ${visible(stream)}`;
      shell.print(
        `  ${style.bold(visible(place))}${record}`,
        `    ${style.red(refusal.code)}  ${visible(refusal.message)}`,
      );
    }
    shell.print(`${read} were read.`);
    if (folderOf(place) !== undefined) shell.print(`  ${style.cyan('→')} ${repairStep(folder, shell)}`);
  }
  if (options.json !== true && cutOff !== undefined) {
    shell.print(
      ...(faults.length > 0
        ? []
        : [`${style.yellow('!')} ${folder} is intact up to its last write: ${read}.`]),
      ...cutOffLines(cutOff, shell),
      '  The next start discards these bytes unless a running gateway is still writing them.',
      `  ${style.cyan('→')} cp -r ${visible(folder)} COPY   ${style.dim('# first keeps a copy, in case there was no crash')}`,
    );
  }
  if (options.json !== true) {
    if (unsigned !== undefined) shell.print(...describeUnsigned(unsigned, shell));
    for (const { at, kept, reached } of losses) {
      const when = formatMoment(at, shell.now());
      shell.print(
        `${style.yellow('!')} A loss was accepted ${when}: after seq ${kept}, up to seq ${reached} or more.`,
      );
    }
  }
  if (options.json !== true && decided !== undefined) {
    const found = [...(log === undefined ? [] : [describeLog(log)]), describeDecided(decided)];
    shell.print(...groupLines(joinReports(found), shell));
  }
  if (faults.length > 0 || !isRight) return EXIT.refused;
  return cutOff === undefined ? EXIT.done : EXIT.cutOff;
}

/** A tree over damaged records proves nothing, and decisions on a damaged state show nothing. */
const NOTHING: Partial<CheckedContents> = {};

function joinReports(found: readonly EvidenceReport[]): EvidenceReport {
  return {
    wrong: found.flatMap(({ wrong }) => wrong),
    proved: found.flatMap(({ proved }) => proved),
    consistent: found.flatMap(({ consistent }) => consistent),
    unknown: found.flatMap(({ unknown }) => unknown),
  };
}

/** Checks the chains, and unless they are damaged, what the records say. */
async function check(
  place: JournalPlace,
  kept: KeptEvidence,
  shell: Shell,
): Promise<{ readonly report: VerifyReport; readonly contents: Partial<CheckedContents> }> {
  // The thread begins before the chains are known to be in order. If they are not, what it finds counts for nothing.
  await using apart = await decideApart(place, shell.stdout);
  const report = await verifyPlace(place, shell);
  if (report.faults.length > 0) return { report, contents: NOTHING };
  const { removed = 0 } = report;
  return { report, contents: await checkContents(place, { kept, removed, screen: shell.stdout, apart }) };
}

async function verifyPlace(place: JournalPlace, shell: Shell): Promise<VerifyReport> {
  const folder = folderOf(place);
  const verified =
    folder === undefined ? await sharedBackend(place).verify(place) : await verifyLocalJournal(folder);
  if (!verified.ok) throw journalFailure(verified.refusal, nameOfPlace(place), shell);
  return verified.value;
}

function describeUnsigned(
  { count: found, lastSeq, isAccepted }: UnsignedRecords,
  { style }: Shell,
): readonly string[] {
  const what = `${style.yellow('!')} ${count(found, 'record')} up to seq ${lastSeq} ${found === 1 ? 'has' : 'have'} no MAC`;
  if (isAccepted)
    return [`${what}, and ${found === 1 ? 'is' : 'are'} accepted (journal.nats.accept_unsigned).`];
  return [
    `${what}. If you know that an older release wrote all of them, accept them once:`,
    `  ${style.cyan('→')} journal.nats.accept_unsigned: ${lastSeq}   ${style.dim('# in the configuration of every gateway')}`,
  ];
}
