import { Option } from 'commander';
import type { AddCommands } from '../command-families.js';
import { CONFIG, portOption } from '../command-options.js';
import type { UpOptions } from '../up/configure.js';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

/** `proffer up`: a gateway in the foreground, until it is told to stop. */
export const addUp: AddCommands = (program, shell) => {
  program
    .command('up')
    .description('Start a gateway here')
    .option('-c, --config <file>', CONFIG)
    .option('--dev', 'dev mode: names are tokens, local only, with sample tools')
    .option('--data <folder>', 'the folder of the journal (in dev mode: proffer-dev-data)')
    .option('-p, --port <number>', 'the port for HTTP and WebSocket; 0 picks a free one', portOption)
    .option('--grpc-port <number>', 'the port for gRPC; with --port 0, a free one', portOption)
    .addOption(new Option('--log-level <level>', 'what to log, as JSON lines on stderr').choices(LEVELS))
    .action(async (options: UpOptions) => await (await import('../actions/up.js')).up(options, shell));
};
