import { type JournalPlace, openJournal } from '@proffer/journal';
import { pino } from 'pino';
import { startOnLoopback } from '../../loopback.js';

/**
 * A gateway in a separate process: `child-main JOURNAL PORT YAML`, with the location of its journal as JSON.
 * Prints `ready PORT` when it is ready.
 */
const [, , place = '', port = '0', yaml = 'dev: true'] = process.argv;
const log = pino({ level: 'error' }, pino.destination(2));
const where = JSON.parse(place) as JournalPlace;
const opened = await openJournal(where);
if (!opened.ok) throw new Error(opened.refusal.message);
const { gateway } = await startOnLoopback(yaml, {
  ...opened.value,
  // A journal that is kept: what was signed of it is remembered.
  ...(where.backend === 'local' ? { folder: where.path } : {}),
  port: Number(port),
  log,
});
process.on('SIGTERM', () => void gateway.close());
// Requested by a test that measures memory: only what cannot be collected counts.
process.on('SIGUSR2', () => globalThis.gc?.());
// Its parent died silently: then nobody would stop it.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref();
process.stdout.write(`ready ${gateway.address.port}\n`);
