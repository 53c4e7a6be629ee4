// Measures two builds of core in alternation: node measure.mjs BEFORE NOW [ROUNDS], each the output folder of
// a build.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

const PER_ROUND = 100;
const WARM_UP = 150;
const TS = '2026-01-01T00:00:00.000Z';

/** @typedef {{ name: string, round: () => Map<string, number> }} Side */

/** @param {Record<string, unknown>} fields - parsed from text, like real messages */
function message(fields) {
  return JSON.parse(JSON.stringify({ protocol: 'mcpx/v0.1', ts: TS, ...fields }));
}

/** @param {string} id */
const paramsFor = (id) => ({
  name: 'write_file',
  arguments: { path: `/srv/reports/${id}.txt`, text: 'The quarterly figures, as agreed on Monday.' },
});

/** @param {string} id */
const messagesAbout = (id) => ({
  propose: message({
    id,
    from: 'agent',
    kind: 'mcp.proposal.tools/call:write_file',
    payload: { method: 'tools/call', params: paramsFor(id) },
  }),
  status: message({
    id: `s-${id}`,
    from: 'reviewer',
    kind: 'mcpx.status.proposal',
    correlationId: id,
    payload: { status: 'considering', message: 'Looking at it.' },
  }),
  fulfil: message({
    id: `f-${id}`,
    from: 'reviewer',
    to: ['tools'],
    kind: 'mcp.request.tools/call:write_file',
    correlationId: id,
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: paramsFor(id) },
  }),
  answer: message({
    id: `a-${id}`,
    from: 'tools',
    to: ['reviewer'],
    kind: 'mcp.response.tools/call',
    correlationId: `f-${id}`,
    payload: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'written' }] } },
  }),
});

/** What a gateway passes to core besides the message. */
const context = {
  now: 1_700_000_000_000,
  isPresent: () => true,
  isConnected: () => true,
  isRemoved: () => false,
  standingOf: () => undefined,
  durableOf: () => undefined,
  hash: (/** @type {string} */ text) => hash('sha256', text),
};

const STEPS = /** @type {const} */ (['propose', 'status', 'fulfil', 'answer']);

/**
 * @param {string} name
 * @param {string} folder
 * @returns {Promise<Side>}
 */
async function load(name, folder) {
  const core = await import(pathToFileURL(join(folder, 'operations/index.js')).href);
  const { decideInSpace, emptySpace, evolveSpace, evictProposal, spaceSettings } = core;
  let space = emptySpace(spaceSettings({ name: 'main' }));
  let count = 0;
  /** @param {object} envelope */
  const send = (envelope) => {
    const { appends, refused } = decideInSpace(space, envelope, context);
    if (appends === undefined) throw new Error(`${name} does not take it: ${JSON.stringify(refused)}`);
    for (const { records } of appends) for (const record of records) space = evolveSpace(space, record);
  };
  return {
    name,
    round() {
      const ids = Array.from({ length: PER_ROUND }, () => `proposal-${count++}`);
      const all = ids.map(messagesAbout);
      const times = new Map();
      for (const step of STEPS) {
        const start = process.cpuUsage();
        for (const each of all) send(each[step]);
        const { user, system } = process.cpuUsage(start);
        times.set(step, (user + system) / PER_ROUND);
      }
      for (const id of ids) space = evictProposal(space, id);
      return times;
    },
  };
}

/** @param {number[]} values @param {number} part */
function quantile(values, part) {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** @param {number} old @param {number} recent */
function change(old, recent) {
  return `${recent >= old ? '+' : ''}${((recent / old - 1) * 100).toFixed(1)} %`;
}

const [before = '', now = '', rounds = '1000'] = process.argv.slice(2);
const sides = [await load('before', before), await load('now', now)];
/** @type {Map<string, number[][]>} */
const costs = new Map([...STEPS, 'all four'].map((step) => [step, sides.map(() => [])]));
for (let round = -WARM_UP; round < Number(rounds); round++) {
  const order = round % 2 === 0 ? [0, 1] : [1, 0];
  for (const which of order) {
    const times = sides[which]?.round() ?? new Map();
    if (round < 0) continue;
    const sum = [...times.values()].reduce((total, time) => total + time, 0);
    for (const [step, time] of [...times, ['all four', sum]]) costs.get(step)?.[which]?.push(time);
  }
}

process.stdout.write(
  'µs of processor time for a message   before p5 / median         now p5 / median     change\n',
);
for (const [step, [old = [], recent = []]] of costs) {
  const [oldLow, low] = [quantile(old, 0.05), quantile(recent, 0.05)];
  const [oldMiddle, middle] = [quantile(old, 0.5), quantile(recent, 0.5)];
  process.stdout.write(
    `${step.padEnd(36)} ${oldLow.toFixed(2).padStart(10)} / ${oldMiddle.toFixed(2).padEnd(10)} ` +
      `${low.toFixed(2).padStart(12)} / ${middle.toFixed(2).padEnd(8)} ${change(oldLow, low)} / ${change(oldMiddle, middle)}\n`,
  );
}
