import { stat } from 'node:fs/promises';
import { defined } from '@proffer/core/json';
import { count } from '@proffer/core/words';
import {
  checkEvidence,
  type DescribedEvidence,
  describeEvidence,
  type EvidenceFile,
  parseCheckpoint,
  readEvidence,
  readScitt,
} from '@proffer/evidence';
import { readEvidencePage, sha256, verifyEd25519, verifyWithJwk } from '@proffer/evidence/node';
import { nativeSha256 } from '@proffer/journal';
import { EXIT, type ExitCode, usageFailure } from '../../command-failure.js';
import { groupLines, keptEvidence, readGivenBytes, readVerifierKeys } from '../../journal/signed-log.js';
import { printJson, type Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';
import type { VerifyFlags } from './verify.js';

/** Checks an evidence file, and prints what happened and what of it is proved. */
export async function verifyEvidence(file: string, options: VerifyFlags, shell: Shell): Promise<ExitCode> {
  if ((await stat(file).catch(() => undefined))?.isDirectory() === true)
    throw usageFailure(`${file} is a folder.`, [`--data ${file}   # a journal in this folder`]);
  const bytes = await readGivenBytes(file);
  const text = bytes[0] === COSE_TAG ? '' : new TextDecoder().decode(bytes);
  const page = text.trimStart().startsWith('<') ? await readEvidencePage(text) : undefined;
  const read = bytes[0] === COSE_TAG ? readScitt(bytes) : readEvidence(page?.evidence ?? text);
  if (typeof read === 'string') throw usageFailure(`${file} is not an evidence file. ${read}`);
  const { keys, areConfigured, checkpoints } = await keysFor(read, options, shell);
  const kept = checkpoints
    .filter(({ isGiven }) => isGiven)
    .map(({ file: name, checkpoint }) => ({ name, checkpoint }));
  const found = await checkEvidence(read, {
    keys,
    kept,
    howToGive: 'check with it (--log-key)',
    hash: sha256,
    hashText: nativeSha256,
    verify: verifyEd25519,
    verifyJwk: verifyWithJwk,
  });
  const report = { ...found, unknown: [...found.unknown] };
  const isRight = report.wrong.length === 0;
  if (page?.isOurs === false)
    report.unknown.push(
      'Whether the page shows in a browser what it contains: this version does not write such a page.',
    );
  const { about, summary, records } = read.statement.predicate;
  if (options.json === true) printJson({ file, right: isRight, about, summary, ...report }, shell);
  else {
    const many = count(records.length, 'record');
    const verdict = isRight
      ? `${shell.style.green('✓')} ${visible(file)} is consistent: ${many}.`
      : `${shell.style.red('✗')} ${visible(file)} is not what it claims to be.`;
    shell.print(verdict);
    if (areConfigured) shell.print('  Checked with the keys of the configuration: no --log-key was given.');
    if (isRight) shell.print(...storyLines(describeEvidence(read.statement), shell));
    shell.print(...groupLines(report, shell));
  }
  return isRight ? EXIT.done : EXIT.refused;
}

/** How a COSE message begins: the tag 18, in one byte. No text does. */
const COSE_TAG = 0xd2;

/**
 * The keys and checkpoints that were given. Without a given key, those of the configuration, if it names this log: they
 * say nothing about another one.
 */
async function keysFor({ statement }: EvidenceFile, options: VerifyFlags, shell: Shell) {
  const { logKey = [] } = options;
  const origin = parseCheckpoint(statement.predicate.log?.checkpoint ?? '')?.origin;
  const configured = await keptEvidence(defined({ ...options, logKey: undefined }), shell);
  const isSameLog = configured.keys.some(({ name }) => name === origin);
  const given = (await Promise.all(logKey.map(readVerifierKeys))).flat();
  const areConfigured = given.length === 0 && isSameLog;
  return { ...configured, areConfigured, keys: areConfigured ? configured.keys : given };
}

function storyLines(
  { title, call, policy, steps, grounds, log }: DescribedEvidence,
  { style }: Shell,
): readonly string[] {
  return [
    style.bold(title),
    ...(call === undefined ? [] : [`  ${call.name} ${visible(JSON.stringify(call.params))}`]),
    ...(policy === undefined ? [] : [`  policy ${policy}`]),
    ...steps.map(({ at, who, what }) => `  ${at}  ${who}  ${what}`),
    ...grounds.map(({ seq, who, what, shown }) => {
      const definition = shown === undefined ? '' : ` ${visible(JSON.stringify(shown))}`;
      return style.dim(`  rests on seq ${seq}: ${who} ${what}${definition}`);
    }),
    ...(log === undefined || log.witnesses.length === 0
      ? []
      : [style.dim(`  witnesses under the checkpoint: ${log.witnesses.join(', ')}`)]),
  ];
}
