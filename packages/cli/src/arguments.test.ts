import { describe, expect, it } from 'vitest';
import { applyAssignments, collectArguments } from './arguments.js';

describe('command-line arguments', () => {
  it('are JSON if they parse as JSON, and text otherwise', () => {
    const words = ['count=3', 'ok=true', 'zip=01234', 'text=a=b', 'quoted="3"', 'list=[1,2]', 'empty='];
    expect(collectArguments(words)).toEqual({
      count: 3,
      ok: true,
      zip: '01234',
      text: 'a=b',
      quoted: '3',
      list: [1, 2],
      empty: '',
    });
  });

  it('may appear only once each', () => {
    expect(() => collectArguments(['a=1', 'a=2'])).toThrow('--arg a is given twice.');
  });

  it('O-13: are set inside the proposed params without other changes', () => {
    const params = { name: 'write', arguments: { path: '/a', lines: ['x', 'y'], deep: { kept: 1 } } };
    const changed = applyAssignments('tools/call', params, [
      'path=/b',
      'deep.new=2',
      'lines.1=z',
      '/_meta/by=me',
    ]);
    expect(changed).toEqual({
      name: 'write',
      arguments: { path: '/b', lines: ['x', 'z'], deep: { kept: 1, new: 2 } },
      _meta: { by: 'me' },
    });
    expect(params.arguments.path).toBe('/a');
  });

  it('keep numeric-looking text as text in place of text', () => {
    const params = { name: 'refund', arguments: { order: '4711', amount: 5, note: 'a' } };
    const words = ['order=4712', 'amount=6', 'note="true"', 'more=7'];
    expect(applyAssignments('tools/call', params, words)?.['arguments']).toEqual({
      order: '4712',
      amount: 6,
      note: 'true',
      more: 7,
    });
  });

  it.each(['__proto__.polluted=1', '/__proto__/polluted=1', 'path.inside=1', 'lines.7=1', 'lines.x=1'])(
    'rejects the path %s',
    (assignment) => {
      const params = { name: 'write', arguments: { path: '/a', lines: ['x'] } };
      expect(() => applyAssignments('tools/call', params, [assignment])).toThrow(/--set/);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    },
  );
});
