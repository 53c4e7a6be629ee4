import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from '../../testing/cli.js';
import { machine } from '../../testing/guard-machine.js';
import { connectMcp } from '../../testing/mcp-client.js';

const ASKED = 'default: ask\n';
const DENIED = `
rules:
  - { name: nothing is written, action: deny, match: { tool: write_file } }
`;
const SECRETS = `
default: allow
rules:
  - { name: no secrets, action: deny, match: { path: "**/secrets/**" } }
`;
const ALLOWED = `
rules:
  - { name: small files, action: allow, match: { participant: filesystem, arguments: { content: { length: { lte: 20 } } } } }
`;

describe('rules for guards', () => {
  it("are reloaded by the guard, kept while the file is invalid, and applied by the guard's own steward", async () => {
    await using here = await machine();
    const file = join(here.home, 'rules.yaml');
    await writeFile(file, ASKED);
    const guard = here.guard('--rules', file);
    await guard.until(/is guarded, as filesystem\./);
    const client = await connectMcp(guard);
    await writeFile(file, DENIED);
    await guard.until(/rules\.yaml changed\. Version \w+ is now in force\./);
    expect(JSON.stringify(await here.write(client, 'a.txt'))).toContain('nothing is written');
    await writeFile(file, DENIED.replace('tool:', 'tol:'));
    await guard.until(
      /rules\.yaml IS INVALID and was not loaded. Version \w+ stays in force:\n.*Did you mean tool\?/,
    );
    expect(JSON.stringify(await here.write(client, 'b.txt'))).toContain('nothing is written');
    // What the guard says reaches the space a little later than its own output.
    const log = async () => (await here.run('log')).stdout;
    await expect.poll(log).toMatch(/filesystem .*rules\.yaml IS INVALID/);
    // The console shows the rules in force.
    await expect
      .poll(log)
      .toMatch(/decides by +0 rules of \S*rules\.yaml[^]*decides by +1 rule of \S*rules\.yaml/);

    await mkdir(join(here.files, 'secrets'));
    await symlink('secrets', join(here.files, 'notes'));
    await writeFile(file, SECRETS);
    await guard.until(/IS INVALID[\s\S]*rules\.yaml changed/);
    expect(JSON.stringify(await here.write(client, 'notes/a.txt'))).toContain('no secrets');
    expect(JSON.stringify(await here.write(client, 'd.txt'))).toContain('Successfully wrote');

    await writeFile(file, ASKED);
    await guard.until(/IS INVALID[\s\S]*rules\.yaml changed[\s\S]*rules\.yaml changed/);
    const own = join(here.home, 'steward.yaml');
    await writeFile(own, ALLOWED);
    const env = { PROFFER_HOME: here.home };
    const steward = start(['steward', '--rules', own, '--guard'], { env });
    await steward.until(/steward decides in main by 1 rule/);
    expect(JSON.stringify(await here.write(client, 'c.txt'))).toContain('Successfully wrote');
    await steward.until(/fulfilled +filesystem\/write_file for filesystem/);
    await expect.poll(log).toMatch(/steward +(?:runs|fulfils|approves|requests)/);
    await expect.poll(log).toMatch(/steward +decides by +1 rule of \S*steward\.yaml/);
    steward.child.kill();
    await steward.ended;
    await here.stop(guard);
  });
});
