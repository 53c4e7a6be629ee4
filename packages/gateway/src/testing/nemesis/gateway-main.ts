import { openNatsJournal } from '@proffer/journal/nats';
import { TEST_ACCESS } from '@proffer/journal/testing/nats-servers';
import { pino } from 'pino';
import { startGateway } from '../../gateway.js';
import { loopbackConfig } from '../../loopback.js';

/**
 * A gateway on NATS in a separate process: `gateway-main SERVERS STREAM HOST PORT YAML`. Prints `ready` when
 * it is ready. Each line on stdin is the error of its clock from now on, in milliseconds.
 */
const [, , servers = '', stream = '', host = '127.0.0.1', port = '0', yaml = 'dev: true'] = process.argv;

// Its parent died silently: then nobody would stop it.
process.stdin.on('end', () => process.exit(1));
const trueTime = Date.now;
let wrong = 0;
Date.now = () => trueTime() + wrong;
process.stdin.setEncoding('utf8').on('data', (lines: string) => {
  // Several at once for a process that was suspended meanwhile.
  wrong = Number(lines.trim().split('\n').at(-1));
});

const log = pino({ level: 'warn' }, pino.destination(2));
const opened = await openNatsJournal({ ...TEST_ACCESS, servers: servers.split(','), stream });
if (!opened.ok) throw new Error(opened.refusal.message);
const config = loopbackConfig(yaml, { port: Number(port) });
const listen = { ...config.listen, http: { host, port: Number(port) } };
const started = await startGateway({ config: { ...config, listen }, journal: opened.value, log });
if (!started.ok) throw new Error(started.refusal.message);
process.stdout.write('ready\n');
