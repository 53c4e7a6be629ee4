import { openNatsJournal } from '@proffer/journal/nats';
import { pino } from 'pino';
import { startGateway } from '../../gateway.js';
import { loopbackConfig } from '../../loopback.js';

/**
 * A gateway on NATS as a process of its own: `gateway-main SERVERS STREAM HOST PORT YAML`. Says `ready` when it is. What
 * comes in is how many milliseconds its clock is wrong from now on, one number in a line.
 */
const [, , servers = '', stream = '', host = '127.0.0.1', port = '0', yaml = 'dev: true'] = process.argv;

// Whoever started it is gone without a word: then nobody would end it.
process.stdin.on('end', () => process.exit(1));
const trueTime = Date.now;
let wrong = 0;
Date.now = () => trueTime() + wrong;
process.stdin.setEncoding('utf8').on('data', (lines: string) => {
  // Several at once for a process that was stopped meanwhile.
  wrong = Number(lines.trim().split('\n').at(-1));
});

const log = pino({ level: 'warn' }, pino.destination(2));
const opened = await openNatsJournal({ servers: servers.split(','), stream });
if (!opened.ok) throw new Error(opened.refusal.message);
const config = loopbackConfig(yaml, { port: Number(port) });
const listen = { ...config.listen, http: { host, port: Number(port) } };
const started = await startGateway({ config: { ...config, listen }, journal: opened.value, log });
if (!started.ok) throw new Error(started.refusal.message);
process.stdout.write('ready\n');
