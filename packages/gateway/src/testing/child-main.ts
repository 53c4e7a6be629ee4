import { pino } from 'pino';
import { parseConfig } from '../config/index.js';
import { startGateway } from '../gateway.js';

/** A gateway as a process of its own: `child-main FOLDER PORT YAML`. Says `ready PORT` when it is. */
const [, , folder = '', port = '0', yaml = 'dev: true'] = process.argv;
const { config, problems } = parseConfig(yaml, { file: 'test.yaml' });
if (config === undefined) throw new Error(JSON.stringify(problems));
const started = await startGateway({
  config: {
    ...config,
    listen: {
      ...config.listen,
      http: { host: '127.0.0.1', port: Number(port) },
      grpc: { host: '127.0.0.1', port: 0 },
    },
    journal: { backend: 'local', path: folder },
  },
  log: pino({ level: 'error' }, pino.destination(2)),
});
if (!started.ok) throw new Error(started.refusal.message);
const gateway = started.value;
process.on('SIGTERM', () => void gateway.close());
// Asked for by a test that looks at memory: what counts is what cannot be collected.
process.on('SIGUSR2', () => globalThis.gc?.());
// Whoever started it is gone without a word: then nobody would end it.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref();
process.stdout.write(`ready ${gateway.address.port}\n`);
