import { join } from 'node:path';
import process from 'node:process';
import { connect } from '@proffer/client';
import {
  createClientStdio,
  createPinFile,
  createProposalArchive,
  createUpstreamStdio,
  Guard,
} from '@proffer/mcp';
import { decideByRules, defaultRules } from '@proffer/steward';
import { COMPANION_MAIN } from '../../entries.js';

export type GuardOptions = {
  readonly url: string;
  /** The folder with its pins. */
  readonly folder: string;
};

/**
 * The guard as the CLI runs it, in front of the minimal server; held calls are never dropped before they are
 * decided.
 */
export async function serveGuard({ url, folder }: GuardOptions): Promise<true> {
  const access = { url, space: 'main', token: 'guard' };
  const rules = defaultRules();
  const participant = await connect(access);
  const guard = await Guard.start({
    participant,
    archive: createProposalArchive(access),
    pins: createPinFile(join(folder, 'pins.json')),
    server: 'guard',
    hints: () => true,
    decide: (call) => decideByRules(rules, call),
    holdFor: 3_600_000,
  });
  const back = createUpstreamStdio({ command: process.execPath, args: [COMPANION_MAIN, 'tools'] });
  await guard.connect(createClientStdio(), back);
  return true;
}
