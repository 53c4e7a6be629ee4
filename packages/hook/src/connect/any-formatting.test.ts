import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSettings } from '../settings/index.js';
import { connect, disconnect, survey } from '../testing/connecting.js';
import { createHome } from '../testing/ten-programs.js';

const SEED = 20261118;
const RUNS = 60;

/** What may be between two tokens of JSON with comments. */
const space = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\n    ',
  ' // note, "x": {\n',
  '/* , } ] */',
  '\n\n  ',
);
const word = fc.constantFrom('"-y"', '"--"', '"guard"', '"a b"', '"\\u0041\\n"', '"ä"', '"proffer"');

/** Members or items in brackets, with anything between them, and perhaps a comma after the last. */
const inBrackets = (
  open: string,
  close: string,
  items: fc.Arbitrary<readonly string[]>,
): fc.Arbitrary<string> =>
  fc
    .tuple(items, fc.array(space, { minLength: 12, maxLength: 12 }), fc.boolean())
    .map(([parts, spaces, hasComma]) => {
      const at = (index: number): string => spaces[index % spaces.length] ?? '';
      const inner = parts.map((part, index) => `${at(2 * index)}${part}${at(2 * index + 1)}`).join(',');
      return `${open}${inner}${hasComma && parts.length > 0 ? ',' : ''}${at(7)}${close}`;
    });

const other = fc.constantFrom('1e3', 'null', '"text // no comment"', '{ "command": [] }', '[ 1,2 ]', '-0.10');
const member = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(space, space, value).map(([one, two, text]) => `"${key}"${one}:${two}${text}`);

const server = fc
  .tuple(
    member('command', fc.constantFrom('"npx"', '"/opt/a b/run"', '"\\u006epx"')),
    fc.option(member('args', inBrackets('[', ']', fc.array(word, { maxLength: 4 }))), { nil: undefined }),
    fc.option(member('env', fc.constant('{"TOKEN": "x"}')), { nil: undefined }),
    fc.boolean(),
  )
  .map(([command, args, env, isReversed]) => {
    const parts = [command, args, env].filter((part) => part !== undefined);
    return isReversed ? parts.toReversed() : parts;
  });

const settings = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c-d', 'x y', '__proto__', 'constructor'), {
      minLength: 1,
      maxLength: 3,
    }),
    fc.array(inBrackets('{', '}', server), { minLength: 3, maxLength: 3 }),
    fc.option(
      inBrackets(
        '{',
        '}',
        fc.constantFrom(
          [],
          ['"BeforeTool": []'],
          ['"Stop": [ {"hooks": []} ]'],
          ['"AfterTool": [{"hooks":[{"command":"mine"}]}]'],
        ),
      ),
      { nil: undefined },
    ),
    other,
    space,
  )
  .chain(([names, servers, hooks, value, end]) =>
    inBrackets(
      '{',
      '}',
      fc
        .tuple(
          member('unknown', fc.constant(value)),
          member(
            'mcpServers',
            inBrackets('{', '}', fc.constant(names.map((name, at) => `"${name}": ${servers[at]}`))),
          ),
          member('hooks', fc.constant(hooks ?? '{}')),
        )
        .map(([unknown, found, hooked]) =>
          hooks === undefined ? [unknown, found] : [hooked, unknown, found],
        ),
    ).map((text) => `${end}${text}${end}`),
  );

it('JSON in any formatting is the same after connecting and disconnecting; what was changed in between stays', () => {
  fc.assert(
    fc.property(settings, fc.boolean(), (text, isChanged) => {
      using home = createHome({ '.gemini/settings.json': text });
      connect(home);
      const states = survey(home).map(({ coverage }) => coverage.type);
      expect(new Set(states)).toEqual(new Set(['covered']));
      const mark = isChanged ? '/* mine */' : '';
      const connected = home.read('.gemini/settings.json');
      if (isChanged) home.write('.gemini/settings.json', `${mark}${connected}`);
      disconnect(home);
      const now = home.read('.gemini/settings.json');
      if (!isChanged) {
        expect(now).toBe(text);
        return;
      }
      expect(now.startsWith(mark)).toBe(true);
      expect(readSettings(now, 'json')).toEqual(readSettings(text, 'json'));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

const gap = fc.constantFrom('', ' ', '\t', '  ');
const comment = fc.constantFrom('', ' # note = "x"', '#[mcp_servers.no]');
const quoted = fc.constantFrom('"npx"', "'npx'", '"/opt/\\u0061 b"', '"""npx"""', "'''npx'''");
const list = fc.constantFrom(
  undefined,
  '[]',
  '[ ]',
  '[\'-y\', "x"]',
  '[\n  "-y", # first\n  "--",\n]',
  '["a",]',
);

const table = fc
  .tuple(
    fc.constantFrom('a', '"x y"', "'q'", '1'),
    quoted,
    list,
    gap,
    comment,
    fc.constantFrom('table', 'inline', 'dotted'),
  )
  .map(([name, command, args, space, note, form]) => {
    const oneLine = args?.includes('\n') === true ? '["-y"]' : args;
    if (form === 'inline')
      return `mcp_servers${space}.${space}${name} = {${space}command = ${command}${oneLine === undefined ? '' : `, args = ${oneLine}`}, enabled = true }${note}`;
    if (form === 'dotted')
      return [
        `mcp_servers.${name}.command${space}=${space}${command}${note}`,
        ...(args === undefined ? [] : [`mcp_servers.${name}.args = ${args}`]),
      ].join('\n');
    return [
      `${space}[${space}mcp_servers.${name}${space}]${note}`,
      `${space}command${space}=${space}${command}${note}`,
      ...(args === undefined ? [] : [`args=${args}`]),
      'tool_timeout_sec = 1_000.5',
      `  [mcp_servers.${name}.env]`,
      'KEY = "value"',
    ].join('\n');
  });

it('TOML in any formatting is the same after connecting and disconnecting; what was changed in between stays', () => {
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), (server, eol, isChanged) => {
      const text = `# top\nmodel = "x"\n${server}\n\n[tui]\nat = 2026-11-18T05:00:00Z\n`.replaceAll(
        '\n',
        eol,
      );
      using home = createHome({ '.codex/config.toml': text });
      connect(home);
      expect(new Set(survey(home).map(({ coverage }) => coverage.type))).toEqual(new Set(['covered']));
      const mark = isChanged ? `# mine${eol}` : '';
      home.write('.codex/config.toml', `${mark}${home.read('.codex/config.toml')}`);
      disconnect(home);
      const now = home.read('.codex/config.toml');
      if (!isChanged) {
        expect(now).toBe(text);
        return;
      }
      expect([now.startsWith(mark), now.includes('proffer')]).toEqual([true, false]);
      // But for the quotes around the command.
      const plain = (one: string): string =>
        one.replaceAll(/"""npx"""|'''npx'''|'npx'/g, '"npx"').replace('\\u0061', 'a');
      expect(plain(now)).toBe(plain(`${mark}${text}`));
    }),
    { seed: SEED, numRuns: RUNS },
  );
});
