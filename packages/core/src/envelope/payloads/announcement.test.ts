import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../json/json.js';
import { accepted, message } from '../testing/reading.js';
import { itRefuses } from '../testing/refusals.js';

describe('an announcement', () => {
  const announce = (list: string, definitions: JsonValue) =>
    message(`mcpx.announce.${list}`, { [list]: definitions });
  const tools = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `tool-${index}` }));

  it('O-26: of tools, prompts and resources is accepted', () => {
    const definitions = [
      { name: 'a', uri: 'file:///a', inputSchema: { type: 'object' } },
      { name: 'b', uri: 'file:///b' },
    ];
    for (const list of ['tools', 'prompts', 'resources']) {
      expect(accepted(announce(list, definitions)).payload).toStrictEqual({ [list]: definitions });
      expect(accepted(announce(list, [])).payload).toStrictEqual({ [list]: [] });
    }
  });

  it('O-26: may list ten thousand tools', () => {
    expect(accepted(announce('tools', tools(10_000))).kind).toBe('mcpx.announce.tools');
  });

  itRefuses([
    [
      'O-26: under another name',
      message('mcpx.announce.tools', { prompts: [] }),
      'missing_field',
      'payload.tools',
    ],
    ['O-26: one that is no list', announce('tools', { a: 1 }), 'invalid_field', 'payload.tools'],
    ['O-26: ten thousand and one', announce('tools', tools(10_001)), 'invalid_field', 'payload.tools'],
    ['O-26: a name instead of a definition', announce('tools', ['a']), 'invalid_field', 'payload.tools[0]'],
    [
      'O-26: a tool without a name',
      announce('tools', [{ name: 'a' }, {}]),
      'missing_field',
      'payload.tools[1].name',
    ],
    [
      'O-26: a tool with a character in its name that nobody can see',
      announce('tools', [{ name: 'ec\u200bho' }]),
      'invalid_field',
      'payload.tools[0].name',
    ],
    [
      'O-26: a tool with a letter in its name that passes for another',
      announce('tools', [{ name: 'еcho' }]),
      'invalid_field',
      'payload.tools[0].name',
    ],
    [
      'O-26: a prompt with white space in its name',
      announce('prompts', [{ name: 'my prompt' }]),
      'invalid_field',
      'payload.prompts[0].name',
    ],
    [
      'O-26: a resource without a URI',
      announce('resources', [{ name: 'a' }]),
      'missing_field',
      'payload.resources[0].uri',
    ],
    [
      'O-26: one prompt twice',
      announce('prompts', [{ name: 'a' }, { name: 'a' }]),
      'invalid_field',
      'payload.prompts[1].name',
    ],
  ]);
});
