import { GATEWAY, PROTOCOL } from '@proffer/core';
import { expect, it } from 'vitest';
import { createStyle } from '../../terminal/shell.js';
import { describeMessage } from './message-line.js';

it.each([
  ['join', 'joins'],
  ['leave', 'leaves'],
  ['invited', 'is invited'],
])('O-26, O-51: the presence event %s is told as "%s"', (event, what) => {
  const payload = { event, participant: { id: 'helper', capabilities: [] } };
  const ts = '2026-01-01T00:00:00Z';
  const message = {
    protocol: PROTOCOL,
    id: 'm1',
    ts,
    from: GATEWAY,
    kind: 'system.presence',
    payload,
  } as const;
  expect(describeMessage(message, createStyle(false))).toEqual({ who: 'helper', what, detail: '' });
});
