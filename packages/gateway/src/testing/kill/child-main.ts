import { type JournalPlace, openJournal } from '@proffer/journal';
import { pino } from 'pino';
import { startOnLoopback } from '../../loopback.js';

/**
 * A gateway as a process of its own: `child-main JOURNAL PORT YAML`, with the place of its journal as JSON. Says `ready
 * PORT` when it is.
 */
const [, , place = '', port = '0', yaml = 'dev: true'] = process.argv;
const log = pino({ level: 'error' }, pino.destination(2));
const opened = await openJournal(JSON.parse(place) as JournalPlace);
if (!opened.ok) throw new Error(opened.refusal.message);
const { gateway } = await startOnLoopback(yaml, { ...opened.value, port: Number(port), log });
process.on('SIGTERM', () => void gateway.close());
// Asked for by a test that looks at memory: what counts is what cannot be collected.
process.on('SIGUSR2', () => globalThis.gc?.());
// Whoever started it is gone without a word: then nobody would end it.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref();
process.stdout.write(`ready ${gateway.address.port}\n`);
