import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { connect } from '@proffer/client';
import { createHttpClient } from '@proffer/client/http';
import { formatSignerKey, makeSignerKey } from '@proffer/evidence/node';
import { startOnLoopback } from '@proffer/gateway';
import { openLocalJournal } from '@proffer/journal';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst, type Samples } from '../comparison.js';
import { roundsFor } from '../turns.js';
import { cycles } from './cycles.js';

/** What an auditor asks of a gateway whose journal has many records. */
const files: Benchmark = {
  name: 'evidence/files',
  about: 'one proof, and the evidence of one proposal, from a signed log of a million records, over HTTP',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const records = smoke ? 2_000 : quick ? 50_000 : 1_000_000;
    const rounds = roundsFor({ quick, smoke }, { warmUp: 5, counted: 60 });
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    await fill(data, records);
    const key = join(folder.path, 'log.key');
    await writeFile(key, `${formatSignerKey(makeSignerKey('bench.example/log'))}\n`, { mode: 0o600 });
    const yaml = `dev: true\nevidence: { key: ${JSON.stringify(key)} }`;
    await using gateway = await startOnLoopback(yaml, { folder: data });
    const url = `http://127.0.0.1:${gateway.port}`;
    await decide(url);
    const reader = createHttpClient({ url, space: 'main', token: 'reviewer' });
    const { checkpoint } = await reader.checkpoint();
    const [, size = '0'] = checkpoint.split('\n');
    const headers = { authorization: 'Bearer reviewer' };
    const proof = async (round: number): Promise<number> => {
      // Spread over the whole log, so that no tile is read twice.
      const seq = 1 + ((round * 7_919) % (records - 1));
      const answer = await fetch(`${url}/proof/inclusion?seq=${seq}&size=${size}`, { headers });
      return (await answer.text()).length;
    };
    const file = async (): Promise<number> =>
      JSON.stringify(await reader.evidence({ proposal: 'p-1' })).length;
    const found = [
      ...(await sample('a proof', proof, { records, ...rounds })),
      ...(await sample('evidence of a proposal', file, { records, ...rounds })),
    ];
    return compareWithFirst(found);
  },
};

/** The evidence that a gateway makes. */
export const evidence: readonly Benchmark[] = [files, cycles];

/** Wall and processor time, and bytes, of one after another. */
async function sample(
  what: string,
  ask: (round: number) => Promise<number>,
  {
    records,
    warmUp,
    counted,
  }: { readonly records: number; readonly warmUp: number; readonly counted: number },
): Promise<readonly Samples[]> {
  const units = {
    'ms/request': [] as number[],
    'ms of CPU/request': [] as number[],
    'B/answer': [] as number[],
  };
  for (let round = 0; round < warmUp + counted; round++) {
    const before = process.cpuUsage();
    const start = performance.now();
    const bytes = await ask(round);
    const { user, system } = process.cpuUsage(before);
    if (round < warmUp) continue;
    units['ms/request'].push(performance.now() - start);
    units['ms of CPU/request'].push((user + system) / 1000);
    units['B/answer'].push(bytes);
  }
  const parameters = { records };
  return Object.entries(units).map(([unit, samples]) => ({ name: what, unit, parameters, samples }));
}

/** Records of another space: the gateway need not fold them. */
async function fill(folder: string, records: number): Promise<void> {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const journal = opened.value;
  const batch = 1_000;
  const text = 'x'.repeat(200);
  for (let version = 0; version < records; version += batch) {
    const contents = Array.from({ length: Math.min(batch, records - version) }, (_, index) => ({
      type: 'said',
      time: 1_800_000_000_000 + version + index,
      principal: 'agent',
      envelope: { id: `m-${version + index}`, payload: { text } },
    }));
    const outcome = await journal.append('elsewhere/participant/agent', version, contents);
    if (outcome.status !== 'appended') throw new Error(`The journal answered ${outcome.status}.`);
  }
  await journal.close();
}

/** A call that one person rejected, another approved, and a server ran. */
async function decide(url: string): Promise<void> {
  const inSpace = (token: string) => connect({ url, space: 'main', token });
  await using tools = await inSpace('tools');
  const schema = { type: 'object', properties: { amount: { type: 'number' }, payee: { type: 'string' } } };
  await tools.serve([{ name: 'pay', description: 'Pays.', inputSchema: schema, handler: () => 'paid' }]);
  await using agent = await inSpace('agent');
  await using reviewer = await inSpace('reviewer');
  const params = { name: 'pay', arguments: { amount: 100, payee: 'ACME' } };
  const call = agent.propose('tools/call', params, { id: 'p-1', onRejection: 'wait' });
  await call.accepted;
  await reviewer.approve({ id: 'p-1', method: 'tools/call', params });
  await call;
}
