import { openDisk } from '@proffer/steward/disk';
import { createRuleUsage } from '@proffer/steward/guard';
import { describe, expect, it } from 'vitest';
import type { HookCall, ToolEffect } from '../agents/index.js';
import { groundsOf, shellCall } from '../testing/calls.js';
import { decideCall } from './index.js';

const ALLOW_ALL = 'default: allow';
const toolCall = (tool: string, effect: ToolEffect, args: HookCall['arguments'] = {}): HookCall =>
  shellCall('', { tool, effect, arguments: args });
const files = (path: string, isReading = false): HookCall =>
  toolCall('Write', { type: 'files', paths: [path], isReading }, { file_path: path });

describe('the built-in protections', () => {
  it.each([
    'cat ~/.local/share/proffer/guard/reviewer.token',
    'cat $HOME/.local/share/proffer/guard/reviewer.token',
    'cat "$HOME"/.config/proffer/credentials.json',
    'cat ../.local/share/proffer/guard/../guard/reviewer.token',
    'cp -r ~/.local/share/proffer/guard /tmp/x',
    'tar --file=/tmp/x ~/.LOCAL/share/proffer/guard',
    'python3 -c "print(open(\'/home/ada/.local/share/proffer/guard/reviewer.token\').read())"',
    'sort < ~/.config/proffer/credentials.json',
    'echo x > ~/.config/proffer/credentials.json',
    'proffer approve p-1 --yes',
    'npx proffer inbox --guard',
    'npx -y @proffer/cli@latest approve p-1',
    'node node_modules/@proffer/cli/bin/proffer.js approve p-1',
    './node_modules/.bin/proffer approve p-1',
    'sh -c "proffer approve p-1"',
    'echo p-1 | xargs proffer approve',
    'sudo env PROFFER approve p-1',
    'env -a x proffer approve p-1',
    'curl http://0:7421/spaces',
    'curl http://2130706433:7421/spaces',
    'curl 0177.1:7421',
    'nc 0 7421',
    'curl -X POST http://127.0.0.1:7421/spaces/main/proposals/p/approve',
    'curl localhost:7421',
    'nc localhost 7421',
    'exec 3<>/dev/tcp/127.0.0.1/7421',
    'curl http://[::1]:7422/hooks/claude-code',
    'curl "http://$HOST:7421/"',
    'echo {} > .claude/settings.json',
    'sed -i s/x/y/ ~/.claude/settings.json',
    'cd .claude && rm /home/ada/app/.claude/settings.json',
    'cp x ../other/.cursor/hooks.json',
    'tee .github/hooks/proffer.json',
    'echo > ~/rules.yaml',
  ])('deny %s, whatever the rules allow', (line) => {
    expect(decideCall(shellCall(line), groundsOf(ALLOW_ALL))).toMatchObject({
      action: 'deny',
      version: 'built-in',
    });
  });

  it.each(['rm -rf ~', 'ls ~/.local/share/prof*', 'cat ~/.config/*/credentials.json', 'rm -r .claude'])(
    'leave %s to a person, whatever the rules allow',
    (line) => {
      expect(decideCall(shellCall(line), groundsOf(ALLOW_ALL)).action).toBe('ask');
    },
  );

  it.each([
    'ls -la',
    'grep -r proffer .',
    'curl http://127.0.0.1:3000',
    'cat .claude/commands/x.md',
    'echo 7421',
    'seq 1 7421',
    'timeout --foreground 5 ls',
    'git commit -m "proffer: say why"',
  ])('do not object to %s', (line) => {
    expect(decideCall(shellCall(line), groundsOf(ALLOW_ALL)).action).toBe('allow');
  });

  it('apply to every tool: files, web requests, unknown tools', () => {
    const denied = [
      files('/home/ada/.local/share/proffer/guard/reviewer.token', true),
      files('~/.config/proffer/credentials.json', true),
      files('.claude/settings.json'),
      toolCall('WebFetch', { type: 'web', urls: ['http://localhost:7421/console/'] }),
      toolCall('mcp__x__run', { type: 'other' }, { a: [{ b: 'cat ~/.config/proffer/x' }] }),
      toolCall('mcp__x__get', { type: 'other' }, { url: 'http://127.0.0.1:7421' }),
    ];
    for (const call of denied) expect(decideCall(call, groundsOf(ALLOW_ALL)).action).toBe('deny');
    const written = toolCall(
      'Write',
      { type: 'files', paths: ['docs/a.md'], isReading: false },
      { content: 'Your token is in ~/.config/proffer/credentials.json' },
    );
    expect(decideCall(written, groundsOf(ALLOW_ALL)).action).toBe('allow');
  });

  it('know the folder that a command runs in', () => {
    const folder = '~/.config/proffer';
    const there = shellCall('cat credentials.json', {
      effect: { type: 'shell', line: 'cat credentials.json', folder },
    });
    expect(decideCall(there, groundsOf(ALLOW_ALL)).action).toBe('deny');
    const elsewhere = shellCall('ls', { effect: { type: 'shell', line: 'ls x', folder: 'sub' } });
    expect(
      decideCall(elsewhere, groundsOf('rules: [{ action: allow, match: { path: ./sub/* } }]')).action,
    ).toBe('allow');
  });

  const WRITES = '{ rules: [{ action: allow, match: { tool: Write, path: "./src/**" } }] }';
  const SHELL =
    '{ rules: [{ action: allow, match: { command: [cp **, "> ./src/**", echo **] } }, { action: allow, match: { path: "~/**" } }] }';

  it.each([
    'src/.git/config',
    'src/x/.git/config',
    'src/x/y/.git/hooks/pre-commit',
    'src/x/.git',
    'src/x/.GIT/config',
    'src/x/.git /config',
    'src/x/GIT~1/config',
    'src/.husky/pre-commit',
    'src/x/.vscode/tasks.json',
    'src/x/.envrc',
  ])('hold for %s at any depth: no wildcard of a rule stands for it', (path) => {
    for (const rules of [WRITES, SHELL, ALLOW_ALL, '{ rules: [{ action: allow, match: { tool: Write } }] }'])
      expect(decideCall(files(path), groundsOf(rules)).action).toBe('ask');
    for (const line of [`cp x '${path}'`, `echo x > './${path}'`, `cp '${path}' y`])
      for (const rules of [SHELL, ALLOW_ALL])
        expect([line, decideCall(shellCall(line), groundsOf(rules)).action]).toEqual([line, 'ask']);
    expect(decideCall(files(path, true), groundsOf(SHELL)).action).toBe('allow');
  });

  it('let a rule that names such a file allow it, and know what is no such file', () => {
    const allowed = (rules: string, call: HookCall) => decideCall(call, groundsOf(rules)).action;
    const named = '{ rules: [{ action: allow, match: { path: "./**/.git/config" } }] }';
    expect(allowed(named, files('src/x/.git/config'))).toBe('allow');
    expect(allowed(named, files('src/x/.git/hooks/pre-commit'))).toBe('ask');
    const exact = '{ rules: [{ action: allow, match: { command: chmod +x .husky/pre-commit } }] }';
    expect(allowed(exact, shellCall('chmod +x .husky/pre-commit'))).toBe('allow');
    for (const path of ['src/.gitignore', 'src/.github/x.yml', 'src/git/config', 'src/x.git/config'])
      expect([path, allowed(WRITES, files(path))]).toEqual([path, 'allow']);
    const record = '{ rules: [{ action: allow, match: { command: git add ** } }] }';
    expect(allowed(record, shellCall('git add .husky/pre-commit'))).toBe('allow');
    const worktree = { folder: '/home/ada/app/.claude/worktrees/x' };
    expect(allowed(WRITES, { ...files('src/a.ts'), ...worktree })).toBe('allow');
    expect(allowed(ALLOW_ALL, { ...files('pre-commit'), folder: '/home/ada/app/.git/hooks' })).toBe('ask');
  });

  it.each([
    ['[cat .git/config, cp **]', 'cp evil .git/hooks/pre-commit'],
    ['[cp ** .git/config, cp evil **]', 'cp evil .git/hooks/pre-commit'],
    ['cp .git/config **', 'cp .git/config .git/hooks/pre-commit'],
    ['cp .git/config **', 'cp .git/config sub/.git/config'],
    ['cp .husky/a **', 'cp .husky/a .git/hooks/pre-commit'],
    ['cp x .git/info/*', 'cp x .git/info/../hooks/pre-commit'],
    ['git diff **', 'git diff --output=.git/hooks/pre-commit'],
    ['git diff **', 'git diff --outp .git/hooks/pre-commit'],
    ['git log **', 'git log --grep -- --output=.git/hooks/pre-commit'],
    ['git archive **', 'git archive -o .git/hooks/pre-commit HEAD'],
    ['git archive **', 'git archive -o.git/hooks/pre-commit HEAD'],
    ['git config **', 'git config --file .git/config core.hooksPath /tmp/x'],
    ['git config **', 'git config -f .git/config core.hooksPath /tmp/x'],
    ['git **', 'git mv evil .husky/pre-commit'],
    ['git **', 'git checkout evil -- .husky/pre-commit'],
    ['git **', 'git restore --source=evil .husky/pre-commit'],
    ['git **', 'git worktree add .husky'],
    ['git **', 'git clone evil .husky'],
    ['git **', 'git rm .husky/pre-commit'],
    ['git **', 'git rm -- --cached .husky/pre-commit'],
    ['git **', 'git rm --cached --no-cached .husky/pre-commit'],
    ['git **', 'git -C x mv evil .husky/pre-commit'],
  ])('hold although a rule allows %s: %s', (command, line) => {
    const rules = JSON.stringify({
      rules: [{ action: 'allow', match: { command: command.replace(/^\[|\]$/g, '').split(', ') } }],
    });
    expect(decideCall(shellCall(line), groundsOf(rules)).action).toBe('ask');
  });

  it.each([
    ['git add **', 'git add --chmod=+x .husky/pre-commit'],
    ['git rm **', 'git rm -r --cached .husky'],
    ['git log **', 'git log --oneline -- .husky/pre-commit'],
    ['git diff **', 'git diff HEAD -- .husky/pre-commit'],
    ['git show **', 'git show HEAD:.husky/pre-commit'],
    ['git config --file .git/config **', 'git config --file .git/config user.name ada'],
    ['git config --file=.git/config **', 'git config --file=.git/config user.name ada'],
    ['chmod +x .husky/*', 'chmod +x .husky/pre-commit'],
    ['cp * ./.husky/pre-commit', 'cp x ./.husky/pre-commit'],
    ['cp x /home/ada/.bashrc', 'cp x ~/.bashrc'],
    ['cp * /home/ada/.bashrc', 'cp x ~/.bashrc'],
    ['chmod +x ../.husky/pre-commit', 'chmod +x ../.husky/pre-commit'],
    ['rm -r .husky/', 'rm -r .husky/'],
  ])('do not hold if a rule allows %s: %s', (command, line) => {
    const rules = JSON.stringify({ rules: [{ action: 'allow', match: { command: ['ls', command] } }] });
    expect(decideCall(shellCall(line), groundsOf(rules)).action).toBe('allow');
  });

  it('do not mistake one name for the prefix of another', () => {
    const guarded = { folders: ['/tmp/p'], files: [], endings: [], ports: [] };
    expect(decideCall(shellCall('echo /tmp/project'), groundsOf(ALLOW_ALL, { guarded })).action).toBe(
      'allow',
    );
    expect(
      decideCall(shellCall('node -e "read(\'/tmp/p/x\')"'), groundsOf(ALLOW_ALL, { guarded })).action,
    ).toBe('deny');
  });
});

it('a path with too many parts is left to a person, who is told so', () => {
  const long = 'a/'.repeat(60_000);
  const calls = [
    files(`${long}x`),
    files(`${long}../x`),
    shellCall(`rm ${'a/'.repeat(6_000)}x`),
    shellCall(`cd ${'a/'.repeat(6_000)} && git status`),
    shellCall('git status', { folder: `/${long}` }),
    shellCall('git status', { effect: { type: 'shell', line: 'git status', folder: `/${long}` } }),
  ];
  for (const call of calls)
    expect(decideCall(call, groundsOf(ALLOW_ALL, { disk: openDisk() }))).toMatchObject({
      action: 'ask',
      reason: expect.stringMatching(/^Part of it cannot be checked: .*too many parts/),
    });
});

describe("rules for agents' calls", () => {
  const RULES = `
default: ask
rules:
  - { name: no force, action: deny, reason: Never force., match: { command: git push ** --force } }
  - { name: no secrets, action: deny, match: { path: "**/.env" } }
  - { name: look, action: allow, match: { command: [git status **, ls **, "> /tmp/**", LC_ALL=* ls **, LC_ALL=*] } }
  - { name: edit here, action: allow, match: { tool: Write, path: ./src/** } }
  - { name: docs, action: allow, match: { host: docs.example.org } }
  - { name: move, action: allow, match: { command: cd *, path: ./** } }
  - { name: few, action: allow, rate: 1 per hour, match: { command: make } }
  - { name: only reads, action: allow, match: { annotations: { readOnlyHint: true } } }
`;
  const decide = (call: HookCall) => decideCall(call, groundsOf(RULES));

  it.each([
    ['git status', 'allow'],
    ['git status && ls -la | ls', 'allow'],
    ['git status; rm x', 'ask'],
    ['ls $(rm x)', 'ask'],
    ['git status > /tmp/x', 'allow'],
    ['git status > ~/.bashrc', 'ask'],
    ['PATH=/tmp git status', 'ask'],
    ['LC_ALL=C ls', 'allow'],
    ['LC_ALL=C; ls', 'allow'],
    ['LC_ALL=C PATH=. ls', 'ask'],
    ['PATH=.; ls', 'ask'],
    ['git status < /dev/null', 'allow'],
    ['git status > 7', 'ask'],
    ['ls $X', 'ask'],
    ['git push $X', 'deny'],
    ["x='a[$(id >f)]'; ((x)); ls", 'ask'],
    ['ls $((x))', 'ask'],
    ['ls ${x@P}', 'ask'],
    ['for x in 1; do ls; done', 'ask'],
    ['for x in 1; do git push --force; done', 'deny'],
    ['./git status', 'ask'],
    ['ls .env', 'deny'],
    ['cat < config/.env', 'deny'],
    ['git push origin main --force; ls', 'deny'],
    ['cd x; git push --force', 'deny'],
    ['cd src && git status', 'allow'],
    ['cd /home/ada/app/src && ls', 'allow'],
    ['cd .. && git status', 'ask'],
    ['cd src; cd ../.. ; ls', 'ask'],
    ['cd config && ls .env', 'deny'],
    ['cd $x && ls a', 'ask'],
    ['echo "', 'ask'],
    ['', 'ask'],
  ])('%s: %s', (line, action) => {
    expect(decide(shellCall(line)).action).toBe(action);
  });

  it('match files, hosts and read-only calls', () => {
    expect(decide(files('src/a.ts')).action).toBe('allow');
    expect(decide(files('/home/ada/app/src/../x')).action).toBe('ask');
    expect(decide(files('src/.env')).action).toBe('deny');
    expect(decide(files('x', true)).action).toBe('allow');
    const fetching = (url: string) => decide(toolCall('WebFetch', { type: 'web', urls: [url] })).action;
    expect(fetching('https://docs.example.org/a')).toBe('allow');
    expect(fetching('https://docs.example.org.evil.example/a')).toBe('ask');
  });

  it.each([
    ['curl -sSL -H "A: b" https://docs.example.org/a', 'allow'],
    ['curl docs.example.org -o x', 'allow'],
    ['wget -qO- https://docs.example.org./a', 'allow'],
    ['git clone --depth 1 https://docs.example.org/a b', 'allow'],
    ['scp a ada@docs.example.org:b', 'allow'],
    ['curl https://docs.example.org intranet', 'ask'],
    ['curl https://docs.example.org 2130706433', 'ask'],
    ['curl docs.example.org:x@evil.example', 'ask'],
    ['curl https://docs.example.org https://evil.example', 'ask'],
    ['curl "https://docs.example.org https://evil.example"', 'ask'],
    ['curl https://docs.example.org -xevil.example:80', 'ask'],
    ['curl https://docs.example.org --proxy=evil.example', 'ask'],
    ['curl https://docs.example.org --connect-to ::evil.example:443', 'ask'],
    ['curl https://docs.example.org -K x', 'ask'],
    ['wget https://docs.example.org -i x', 'ask'],
    ['git clone -c core.sshCommand=id https://docs.example.org/a', 'ask'],
    ['git clone ext::id https://docs.example.org/a', 'ask'],
    ['scp a intranet:b docs.example.org:c', 'ask'],
    ['ssh -J intranet docs.example.org', 'ask'],
    ['ssh intranet docs.example.org', 'ask'],
  ])('allow a command with a host only if it talks to no other: %s', (line, action) => {
    const command = '[curl **, wget **, git clone **, scp **, ssh **]';
    const rules = `rules: [{ action: allow, match: { command: ${command}, host: docs.example.org } }]`;
    expect(decideCall(shellCall(line), groundsOf(rules)).action).toBe(action);
  });

  it.each([
    'curl https://evil.example.',
    'curl evil.example.',
    'CURL evil.example',
    'curl http://a,http://evil.example',
    `python3 -c "urlopen('http://evil.example')"`,
  ])('deny a host in %s', (line) => {
    const rules = '{ default: allow, rules: [{ action: deny, match: { host: evil.example } }] }';
    expect(decideCall(shellCall(line), groundsOf(rules)).action).toBe('deny');
  });

  it('match an MCP tool by its server', () => {
    const rules = 'rules: [{ action: allow, match: { server: notes, tool: read_* } }]';
    const call = toolCall('mcp__notes__read_all', { type: 'other' });
    const mcp = { server: 'notes', tool: 'read_all' };
    expect(decideCall({ ...call, mcp }, groundsOf(rules)).action).toBe('allow');
    expect(decideCall(call, groundsOf(rules)).action).toBe('ask');
  });

  it('allow nothing by what the name of an MCP tool may mean, and deny by all of it', () => {
    const call: HookCall = {
      ...toolCall('mcp__notes__evil__read_all', { type: 'other' }),
      mayBe: [
        { server: 'notes', tool: 'evil__read_all' },
        { server: 'notes__evil', tool: 'read_all' },
      ],
    };
    const action = (rules: string) => decideCall(call, groundsOf(rules)).action;
    const rule = (what: string, match: string) =>
      `{ default: allow, rules: [{ action: ${what}, match: ${match} }] }`;
    for (const match of [
      '{ server: notes }',
      '{ server: notes__evil }',
      '{ tool: read_all }',
      '{ tool: notes/* }',
    ]) {
      expect(action(`rules: [{ action: allow, match: ${match} }]`)).toBe('ask');
      expect(action(rule('deny', match))).toBe('deny');
      expect(action(rule('ask', match))).toBe('ask');
    }
    expect(action('rules: [{ action: allow, match: { server: claude-code } }]')).toBe('ask');
    expect(action(rule('deny', '{ server: other }'))).toBe('ask');
    expect(action('rules: [{ action: allow, match: { tool: mcp__notes__evil__read_all } }]')).toBe('allow');
    const literal = '{ action: allow, match: { tool: mcp__notes__evil__read_all } }';
    expect(action(`{ default: deny, rules: [${literal}] }`)).toBe('allow');
    expect(action('default: allow')).toBe('allow');
  });

  it('see the whole line, too, even if it cannot be parsed', () => {
    const rules = 'rules: [{ action: deny, match: { arguments: { command: { matches: ".*secret.*" } } } }]';
    for (const line of ['ls secret', 'echo "secret', '$secret'])
      expect(decideCall(shellCall(line), groundsOf(rules)).action).toBe('deny');
  });

  it('take what is only known at run time for any text', () => {
    const rules = 'rules: [{ action: allow, match: { command: [ls **, git diff, cat *] } }]';
    const actions = ['ls $X "$Y" *.ts', 'git diff $X', 'cat "$X"', 'ls < x'].map(
      (line) => decideCall(shellCall(line), groundsOf(rules)).action,
    );
    expect(actions).toEqual(['allow', 'ask', 'ask', 'ask']);
  });

  it('allow a variable only where they name it', () => {
    for (const line of ['X=1 ls', 'X=1; ls', 'env X=1 ls']) {
      for (const rules of ['default: allow', 'rules: [{ action: allow, match: { tool: Bash } }]'])
        expect(decideCall(shellCall(line), groundsOf(rules))).toMatchObject({
          action: 'ask',
          isProtected: true,
          reason: 'Part of it cannot be checked: it sets the variable X, which no rule names.',
        });
    }
  });

  it('count what they allow, once for the whole line', () => {
    const grounds = groundsOf(RULES, { usage: createRuleUsage() });
    expect(decideCall(shellCall('make; rm x'), grounds).action).toBe('ask');
    expect(decideCall(shellCall('make'), grounds).action).toBe('allow');
    expect(decideCall(shellCall('make'), grounds).action).toBe('ask');
  });

  it('name the rule and the reason', () => {
    expect(decide(shellCall('ls; git push --force'))).toMatchObject({
      action: 'deny',
      reason: 'Never force.',
      rule: { name: 'no force' },
    });
  });
});
