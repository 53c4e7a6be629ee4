// An MCP server over stdio: `stubborn-server.mjs FOLDER [restless]`. It appends the method of every message
// to FOLDER/heard and lists the tools of FOLDER/tools.json. It never answers calls of `hang`, nor lists while
// FOLDER/silent exists, nor answers `initialize` while FOLDER/mute exists. A restless one reports a change
// after each listing.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

const [folder = '.', mode] = process.argv.slice(2);
const CHANGED = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n`;
/** @type {unknown[]} */
const hanging = [];

const answer = (/** @type {unknown} */ id, /** @type {object} */ result) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);

/** @type {Record<string, (id: unknown, name: string) => unknown>} */
const methods = {
  initialize(id) {
    if (existsSync(join(folder, 'mute'))) return;
    answer(id, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, resources: {} },
      serverInfo: { name: 'stubborn', version: '1' },
    });
  },
  'tools/list'(id) {
    if (existsSync(join(folder, 'silent'))) return;
    answer(id, { tools: JSON.parse(readFileSync(join(folder, 'tools.json'), 'utf8')) });
    if (mode === 'restless') process.stdout.write(CHANGED);
  },
  'tools/call'(id, name) {
    if (name === 'hang') return hanging.push(id);
    if (name === 'release') for (const late of hanging.splice(0)) answer(late, { content: [] });
    if (name === 'change') process.stdout.write(CHANGED.repeat(20_000));
    if (name === 'die') process.exit();
    return answer(id, { content: [{ type: 'text', text: `${name} ran` }] });
  },
  'resources/list': (id) => answer(id, { resources: [{ uri: 'test:hang', name: 'hang' }] }),
  'resources/read'(id, name) {
    if (name !== 'test:hang') answer(id, { contents: [] });
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(join(folder, 'heard'), `${method}\n`);
  methods[method]?.(id, params?.name ?? params?.uri);
});
