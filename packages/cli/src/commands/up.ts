import { type Command, Option } from 'commander';
import { EXIT, type ExitCode } from '../exit-code.js';
import { CONFIG } from '../journal/folder-options.js';
import { portOption } from '../option-values.js';
import type { Shell } from '../terminal/shell.js';
import type { UpOptions } from '../up/configure.js';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];

/** `proffer up`: a gateway in the foreground, until it is told to stop. */
export function addUp(program: Command, shell: Shell, done: (code: ExitCode) => void): void {
  program
    .command('up')
    .description('Start a gateway here')
    .option('-c, --config <file>', CONFIG)
    .option('--dev', 'dev mode: names are tokens, local only, with sample tools')
    .option('--data <folder>', 'the folder of the journal (in dev mode: proffer-dev-data)')
    .option('-p, --port <number>', 'the port for HTTP and WebSocket; 0 picks a free one', portOption)
    .option('--grpc-port <number>', 'the port for gRPC; with --port 0, a free one', portOption)
    .addOption(new Option('--log-level <level>', 'what to log, as JSON lines on stderr').choices(LEVELS))
    .action(async (options: UpOptions) => {
      await (await import('../actions/up.js')).up(options, shell);
      done(EXIT.done);
    });
}
