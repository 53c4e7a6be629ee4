import { EXIT } from './command-failure.js';
import { run } from './program.js';
import { processShell } from './terminal/shell.js';
import { visible } from './terminal/visible.js';

/** How long a process may take to end on its own, in milliseconds. */
const LEAVE = 2_000;

const shell = processShell();
// A reader such as `head` may close the pipe early; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  if (error.code !== 'EIO') throw error;
});
// If the terminal is gone, there is nobody to tell, and no reason to stop either.
process.stderr.on('error', () => undefined);
try {
  process.exitCode = await run(process.argv.slice(2), shell);
} catch (error) {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  shell.tell('✗ Internal error in proffer:', ...what.split('\n').map((line) => `  ${visible(line)}`));
  process.exitCode = EXIT.fault;
}
// A command that is over must not stay because something that it could not close is left, such as a write to a disk that
// hangs. What is left to print keeps it.
const leave = (): void => {
  if (process.stdout.writableLength === 0) process.exit();
  setTimeout(leave, LEAVE).unref();
};
setTimeout(leave, LEAVE).unref();
