import { writeFile } from 'node:fs/promises';
import { defined, type JsonObject, textOf } from '@proffer/core/json';
import { isSessionId } from '@proffer/core/negotiation';
import { count } from '@proffer/core/words';
import {
  type EvidenceAbout,
  type EvidencePredicate,
  nameOf,
  parseCheckpoint,
  readEvidence,
  readScitt,
} from '@proffer/evidence';
import { evidencePage } from '@proffer/evidence/node';
import { CommandFailure, EXIT, usageFailure } from '../../command-failure.js';
import type { EndpointOptions } from '../../command-options.js';
import { connectToHolder } from '../../connection/connect.js';
import type { GatewayConnection } from '../../connection/connection.js';
import { type AskedEvidence, evidenceOffline } from '../../journal/evidence-offline.js';
import { readCheckpoints } from '../../journal/signed-log.js';
import { findProposal } from '../../proposals/find-proposal.js';
import { commandAbout, printJson, type Shell } from '../../terminal/shell.js';
import { visible } from '../../terminal/visible.js';

/** Command-line options of `evidence`. */
export interface EvidenceFlags extends EndpointOptions {
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly out?: string;
  readonly html?: boolean;
  readonly scitt?: boolean;
  readonly checkpoint?: readonly string[];
  readonly hide?: readonly string[];
  readonly exact?: boolean;
  readonly data?: string;
  readonly config?: string;
  readonly json?: boolean;
}

/** Writes a file that shows others how something was decided. */
export async function evidence(id: string | undefined, options: EvidenceFlags, shell: Shell): Promise<void> {
  const { since, data, config, json, checkpoint = [], hide = [] } = options;
  if ((id === undefined) === (since === undefined))
    throw usageFailure('Give the id of a proposal or a session, or --since and a time.');
  const given = (await Promise.all(checkpoint.map((file) => readCheckpoints(file, true)))).flat();
  const kept = given.map(({ checkpoint: { size } }) => size);
  const isOffline = data !== undefined || config !== undefined;
  const form = options.scitt === true ? 'cose' : 'dsse';
  const file = isOffline
    ? await evidenceOffline({ id, since, kept, form, hide }, options, shell)
    : await evidenceFromGateway({ id, since, kept, form, hide }, options, shell);
  if (json === true) return printJson(file, shell);
  const { about, records, log } = contentOf(file);
  checkContinues(log, given);
  const { ending, content } = await formOf(file, options);
  // One that hides something must not replace one that does not, or the other way round.
  const out = options.out ?? `${nameFor(about)}.${hide.length === 0 ? '' : 'hidden.'}evidence.${ending}`;
  await write(out, content);
  // Without a log, no key is in it. With one, the check proves nothing without a key from elsewhere.
  const check = commandAbout(`${shell.name} verify`, [out], {
    options: log === undefined ? '' : ' --log-key KEYS',
  });
  const what = `${visible(nameOf(about))}, ${count(records.length, 'record')}`;
  shell.print(`${shell.style.green('✓')} ${visible(out)}: ${what}.`);
  shell.tell(
    hide.length === 0
      ? '  It has real values, including those that look like secrets.'
      : '  What you hide is not in it, nor what is computed from it or mentions it. All else is: read it before you hand it over.',
    `  ${shell.style.cyan('→')} ${check}   ${shell.style.dim('# anywhere, without a gateway')}`,
  );
  if (log !== undefined)
    shell.tell(
      `  KEYS is a file with what “${shell.name} checkpoint --keys” prints: hand it over separately.`,
    );
}

/** What a file is written as. */
async function formOf(
  file: JsonObject,
  { html, scitt }: EvidenceFlags,
): Promise<{ readonly ending: string; readonly content: string | Uint8Array }> {
  if (scitt === true) return { ending: 'cose', content: Buffer.from(textOf(file['cose']), 'base64') };
  const text = `${JSON.stringify(file)}\n`;
  return html === true
    ? { ending: 'html', content: await evidencePage(text) }
    : { ending: 'json', content: text };
}

/** What a file that was just made has in it. */
function contentOf(file: JsonObject): Pick<EvidencePredicate, 'about' | 'records' | 'log'> {
  const { cose } = file;
  const read =
    typeof cose === 'string' ? readScitt(Buffer.from(cose, 'base64')) : readEvidence(JSON.stringify(file));
  if (typeof read === 'string') throw new Error(`The gateway answered with something else. ${read}`);
  return read.statement.predicate;
}

/** A log that has become shorter than somebody saw it is not the same log. */
function checkContinues(
  log: EvidencePredicate['log'],
  given: Awaited<ReturnType<typeof readCheckpoints>>,
): void {
  const { origin, size = 0 } = parseCheckpoint(log?.checkpoint ?? '') ?? {};
  const longer = given.find(({ checkpoint }) => checkpoint.origin === origin && checkpoint.size > size);
  if (longer === undefined) return;
  const { file, checkpoint } = longer;
  throw new CommandFailure({
    exit: EXIT.refused,
    code: 'rewritten_journal',
    message: `The log has ${count(size, 'record')}, fewer than the ${checkpoint.size} that ${visible(file)} covers: records were removed, or an older copy was restored.`,
    next: ['verify   # on the machine with the journal, shows where it differs'],
  });
}

async function evidenceFromGateway(
  asked: AskedEvidence,
  options: EvidenceFlags,
  shell: Shell,
): Promise<JsonObject> {
  const { id = '', since, kept, form, hide } = asked;
  const connection = await connectToHolder(id, options, shell);
  if (since !== undefined) return await connection.evidence({ since }, kept, form);
  if (isSessionId(id)) {
    const session = await sessionOrNothing(connection, id, asked);
    if (session !== undefined && hide.length > 0)
      throw usageFailure('Only arguments of a proposal can be hidden.');
    if (session !== undefined) return session;
  }
  const { proposal } = await findProposal(connection, id, defined({ exact: options.exact }));
  return await connection.evidence({ proposal: proposal.id, hide }, kept, form);
}

async function sessionOrNothing(
  connection: GatewayConnection,
  session: string,
  { kept, form }: AskedEvidence,
): Promise<JsonObject | undefined> {
  try {
    return await connection.evidence({ session }, kept, form);
  } catch (error) {
    if (error instanceof CommandFailure && error.failure.code === 'SESSION_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A name for a file: ids may contain anything. */
function nameFor(about: EvidenceAbout): string {
  const id = 'session' in about ? about.session : 'proposal' in about ? about.proposal : 'since';
  return id.replaceAll(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'proposal';
}

async function write(file: string, content: string | Uint8Array): Promise<void> {
  try {
    // Only for its owner: it has real values.
    await writeFile(file, content, { mode: 0o600 });
  } catch (error) {
    throw usageFailure(`${file} cannot be written: ${(error as Error).message}.`);
  }
}
