import { loopbackConfig, startGateway } from '@proffer/gateway';
import type { JournalPlace } from '@proffer/journal';
import { pino } from 'pino';
import { CHANNEL_TYPES } from '../channels/registry.js';
import { notifyCompanion } from '../companion.js';

/**
 * A notifying gateway as a separate process: `notifying-main JOURNAL AHEAD YAML`, with the location
 * of its journal as JSON. Its clock is AHEAD milliseconds ahead. Prints `ready PORT` when it is
 * ready.
 */
const [, , journal = '', ahead = '0', yaml = 'dev: true'] = process.argv;
const started = await startGateway({
  config: {
    ...loopbackConfig(yaml, { channelTypes: CHANNEL_TYPES }),
    journal: JSON.parse(journal) as JournalPlace,
  },
  log: pino({ level: 'fatal' }, pino.destination(2)),
  companions: [notifyCompanion],
  clock: () => Date.now() + Number(ahead),
});
if (!started.ok) throw new Error(started.refusal.message);
// The parent process is gone, and nobody else would stop this one.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref();
process.stdout.write(`ready ${started.value.address.port}\n`);
