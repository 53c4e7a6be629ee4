import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AGENTS, startResident } from '@proffer/hook';
import { parseRules } from '@proffer/steward';
import type { Benchmark, Measurement, Parameters } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { roundsFor } from '../turns.js';

const TOKEN = 'bench';
const EVENT = JSON.stringify(AGENTS['claude-code'].sample('/srv/app', 'git status && ls -la src | head -20'));
const RULES = 'rules: [{ action: allow, match: { command: [git status **, ls **, head **] } }]';

/** What the hook adds to an agent's tool call that needs no approval. */
export const calls: Benchmark = {
  name: 'hook/calls',
  about:
    'a call that the rules allow: over HTTP compared with a bare server, as a command compared with bare node',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    await using folder = await temporaryFolder();
    const parsed = parseRules(RULES, 'bench');
    if (!parsed.ok) throw new Error(parsed.refusal.message);
    const resident = await startResident({
      isShared: true,
      folder: folder.path,
      home: '/home/bench',
      env: {},
      rules: { current: parsed.value },
      guarded: () => ({ folders: [folder.path], files: [], ports: [] }),
      // Calls that the rules allow do not wait for a gateway.
      enter: () => Promise.reject(new Error('There is no gateway here.')),
      log: () => {},
      http: { port: 0, token: TOKEN },
    });
    if (resident === undefined) throw new Error('Another process has the folder.');
    const bare = createServer(
      (request, response) => void request.resume().on('end', () => response.end('{}')),
    );
    await once(bare.listen(0, '127.0.0.1'), 'listening');
    const { port } = bare.address() as AddressInfo;
    const { warmUp, counted } = roundsFor({ quick, smoke }, { warmUp: 2, counted: 15 });
    const ways: readonly Way[] = [
      {
        name: 'HTTP, p50',
        parameters: { way: 'bare' },
        count: 200,
        once: () => post(`http://127.0.0.1:${port}/`),
      },
      {
        name: 'HTTP, p50',
        parameters: { way: 'hook' },
        count: 200,
        once: () => post(`http://127.0.0.1:${resident.httpPort}/proffer/hooks/claude-code/PreToolUse`),
      },
      { name: 'command, p50', parameters: { way: 'bare' }, count: 10, once: () => run(['-e', ''], '') },
      {
        name: 'command, p50',
        parameters: { way: 'hook' },
        count: 10,
        once: () => run(hookCommand(folder.path), '"allow"'),
      },
    ];
    try {
      const samples = ways.map((): number[] => []);
      for (let round = 0; round < warmUp + counted; round++) {
        for (const [index, way] of ways.entries()) {
          const taken = await median(way, smoke);
          if (round >= warmUp) samples[index]?.push(taken);
        }
      }
      return ['HTTP, p50', 'command, p50'].flatMap((name) =>
        compareWithFirst(
          ways.flatMap((way, index) =>
            way.name === name
              ? [{ name, unit: 'ms', parameters: way.parameters, samples: samples[index] ?? [] }]
              : [],
          ),
        ),
      );
    } finally {
      bare.close();
      bare.closeAllConnections();
      await resident.close();
    }
  },
};

interface Way {
  readonly name: string;
  readonly parameters: Parameters;
  readonly count: number;
  readonly once: () => Promise<void>;
}

/** Milliseconds per call. */
async function median({ count, once: call }: Way, smoke: boolean): Promise<number> {
  const taken = new Float64Array(smoke ? 2 : count);
  for (let index = 0; index < taken.length; index++) {
    const start = performance.now();
    await call();
    taken[index] = performance.now() - start;
  }
  return percentile(taken.sort(), 0.5);
}

async function post(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: EVENT });
  const text = await response.text();
  if (!response.ok || text.includes('"ask"')) throw new Error(`unexpected: ${text}`);
}

/** A hook's command as it is written in an agent's settings. */
function hookCommand(folder: string): readonly string[] {
  const launcher = new URL('../bin/proffer-hook.cjs', import.meta.resolve('@proffer/cli'));
  return [fileURLToPath(launcher), 'claude-code', 'PreToolUse', '--data', folder];
}

/** Runs node with an event on stdin; a hook's command must answer with an approval. */
async function run(args: readonly string[], answers: '' | '"allow"'): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  child.stdin.end(EVENT);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(child, 'close');
  if (!text.includes(answers)) throw new Error(`unexpected: ${text}`);
}
