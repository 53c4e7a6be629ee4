import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createGate } from '../index.js';
import { byInterruptions } from './scripted.js';

/** An agent as a process: `URL TOOL FILE [die]`. Goes on from what FILE has; `die` kills it in the middle of the tool. */
const [url = '', tool = '', file = '', mode] = process.argv.slice(2);

const saved = {
  get text(): string | undefined {
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  },
  set text(text: string) {
    writeFileSync(file, text);
  },
};

const heard = await byInterruptions.converse({
  gate: createGate({ agent: 'mortal', url, session: tool }),
  tool,
  arguments: { amount: 5 },
  execute() {
    process.stdout.write('ran\n');
    if (mode === 'die') process.kill(process.pid, 'SIGKILL');
    return 'paid';
  },
  saved: saved as { text?: string },
});
process.stdout.write(`heard ${heard}\n`);
