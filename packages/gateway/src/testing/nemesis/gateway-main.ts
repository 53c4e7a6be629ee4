import { openNatsJournal } from '@proffer/journal/nats';
import { pino } from 'pino';
import { startOnLoopback } from '../../loopback.js';

/** A gateway on NATS as a process of its own: `gateway-main SERVERS STREAM PORT YAML`. Says `ready PORT` when it is. */
const [, , servers = '', stream = '', port = '0', yaml = 'dev: true'] = process.argv;
const log = pino({ level: 'fatal' }, pino.destination(2));
const opened = await openNatsJournal({ servers: servers.split(','), stream });
if (!opened.ok) throw new Error(opened.refusal.message);
const { gateway } = await startOnLoopback(yaml, { journal: opened.value, port: Number(port), log });
process.on('SIGTERM', () => void gateway.close());
// Whoever started it is gone without a word: then nobody would end it.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref();
process.stdout.write(`ready ${gateway.address.port}\n`);
