import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BUILT } from '../testing/cli.js';
import { useDevGateway } from '../testing/dev-gateway.js';

/**
 * Runs a command on a terminal of its own. Each line of stdin is what to wait for on the screen and what to type then, as
 * JSON; what is to be typed at once waits for nothing. Prints the screen in the end.
 */
const TERMINAL = `
import json, os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
screen = b""
def read():
    global screen
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        piece = b""
    screen += piece
    return piece != b""
for line in sys.stdin:
    wanted, typed = json.loads(line)
    while wanted.encode() not in screen and read():
        pass
    os.write(terminal, typed.encode())
while read():
    pass
_, status = os.waitpid(child, 0)
print(screen.decode())
sys.exit(os.WEXITSTATUS(status))
`;

const gateway = useDevGateway();

/** What is on the screen in the end, and the exit code. */
async function atTerminal(
  line: readonly string[],
  steps: readonly (readonly [wanted: string, typed: string])[],
): Promise<{ readonly screen: string; readonly code: unknown }> {
  const { PYTHON_PROGRAM = 'python3' } = process.env;
  const child = spawn(PYTHON_PROGRAM, ['-c', TERMINAL, process.execPath, BUILT, ...line], {
    env: { ...process.env, PROFFER_URL: gateway.url, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  child.stdin.end(steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const [code] = await once(child, 'close');
  return { screen, code };
}

const NOW = '';
const IGNORED = 'Read it, then answer.';

describe('a question on a real terminal', () => {
  it.each([
    ['y\r', 'n\r'],
    ['y', '\r'],
    ['yes\ry\ry\r', '\r'],
  ])('drops %j, which was typed before it, and takes %j as no', async (before, after) => {
    const id = `no-${before.length}-${after.length}`;
    await gateway.run('propose', 'echo', '--arg', 'text=hello', '--id', id, '--no-wait');
    const { screen, code } = await atTerminal(
      ['approve', id],
      [
        [NOW, before],
        [IGNORED, after],
      ],
    );
    expect(screen).toContain('Nothing was approved.');
    expect(code).toBe(1);
    expect((await gateway.run('show', id)).stdout).toMatch(/pending/);
  });

  it('takes a yes that was typed after half a second, and shows the question once', async () => {
    await gateway.run('propose', 'echo', '--arg', 'text=hello', '--id', 'yes', '--no-wait');
    const { screen } = await atTerminal(
      ['approve', 'yes'],
      [
        [NOW, 'n\r'],
        [IGNORED, 'y\r'],
      ],
    );
    expect((await gateway.run('show', 'yes')).stdout).toMatch(/settled|ran/);
    expect(screen.slice(screen.indexOf(IGNORED)).split('Approve and run this call?')).toHaveLength(2);
  });

  it('ends with Ctrl-C', async () => {
    await gateway.run('propose', 'echo', '--arg', 'text=hello', '--id', 'stop', '--no-wait');
    const { screen } = await atTerminal(['approve', 'stop'], [['Approve and run this call?', '\u{3}']]);
    expect(screen).toContain('Nothing was approved.');
    expect((await gateway.run('show', 'stop')).stdout).toMatch(/pending/);
  });
});
