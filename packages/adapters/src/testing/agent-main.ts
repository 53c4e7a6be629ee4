import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGate } from '../gate/index.js';
import type { Driver } from './driver.js';
import { plainName } from './driver-names.js';
import { DRIVERS } from './drivers.js';

/**
 * Agents as a process: `URL FOLDER MODE [NAME…]`. The named agents, or all, resume from what they
 * saved in FOLDER. The mode `die` kills the process in the middle of the first tool.
 */
const [url = '', folder = '', mode = '', ...names] = process.argv.slice(2);

async function converse(driver: Driver): Promise<void> {
  const name = plainName(driver);
  const file = join(folder, name);
  const saved = {
    get text(): string | undefined {
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    },
    set text(text: string) {
      writeFileSync(file, text);
    },
  };
  const received = await driver.converse({
    gate: createGate({ agent: name, url, session: `${name} in ${folder}` }),
    tool: name,
    arguments: { amount: 5 },
    execute() {
      process.stdout.write(`${name} ran\n`);
      if (mode === 'die') process.kill(process.pid, 'SIGKILL');
      return 'paid';
    },
    saved: saved as { text?: string },
  });
  process.stdout.write(`${name} received ${received}\n`);
}

const chosen = DRIVERS.filter((driver) => names.length === 0 || names.includes(plainName(driver)));
await Promise.all(chosen.map((driver) => converse(driver)));
