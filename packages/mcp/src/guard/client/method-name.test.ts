import { describe, expect, it } from 'vitest';
import { problemWithMethod } from './client-message.js';

describe('the name of a method', () => {
  it.each([
    'tools/call ',
    ' tools/call',
    'tools / call',
    'Tools/Call',
    'TOOLS/CALL',
    'tools/call\u200b',
    'to\u00adols/call',
    'tools/\ufeffcall',
    'tools/c\u2060all',
    '\uff54\uff4f\uff4f\uff4c\uff53\uff0f\uff43\uff41\uff4c\uff4c',
    'tools\u00a0/call',
    'tools/call\u3164',
    'tools/cal\ufe0fl',
    'tool\u017f/call',
    'logging/setlevel',
    'resources/Read',
    'Initialize',
    'notifications/Initialized',
  ])('%j is refused: it looks like another', (method) => {
    expect(problemWithMethod(method)).toContain('did you mean');
  });

  it.each(['tools/call\0', 'tools/call\n', '\ttools/call', 'vendor/\u0007x', 'x\u0085'])(
    '%j is refused for its control characters',
    (method) => {
      expect(problemWithMethod(method)).toContain('control characters');
    },
  );

  it.each([
    'tools/call',
    'logging/setLevel',
    'sampling/createMessage',
    'vendor/thing',
    'Vendor/Own Thing',
    '',
    'tools',
  ])('%j passes', (method) => {
    expect(problemWithMethod(method)).toBeUndefined();
  });
});
