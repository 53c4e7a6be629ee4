import { expect, it } from 'vitest';
import { formatReport } from './table.js';

const machine = {
  cpu: 'A processor',
  cores: 4,
  load: 0.5,
  memoryGiB: 16,
  platform: 'linux x64',
  node: 'v20.0.0',
  date: '2026-01-01T00:00:00.000Z',
};

it('prints each figure with its spread, and its ratio if it has one', () => {
  const measurements = [
    {
      benchmark: 'core/example',
      name: 'work',
      value: 1500,
      unit: 'ns/message',
      parameters: { pending: 1000 },
      spread: { p10: 900, p90: 2000, samples: 9 },
      ratio: { value: 1.5, to: { pending: 1 }, p10: 1.25, p90: 2, samples: 9 },
    },
  ];
  const lines = formatReport({ machine, quick: false, measurements, notes: [] }).split('\n');
  expect(lines[0]).toContain('A processor, 4 cores (load 0.5), 16 GiB, linux x64, Node v20.0.0, 2026-01-01');
  expect(lines[2]).toBe('core/example');
  expect(lines.at(-1)?.trim().split(/ {2,}/)).toEqual([
    'work',
    '1,000 pending',
    '1.50 µs/message',
    '0.900 – 2.00',
    '× 1.50',
    '1.25 – 2.00',
  ]);
});

it('prints the notes of a benchmark below its figures', () => {
  const measurement = {
    benchmark: 'core/example',
    name: 'work',
    value: 1,
    unit: 'ms',
    parameters: {},
    spread: { p10: 1, p90: 1, samples: 1 },
  };
  const notes = [{ benchmark: 'core/example', text: 'The peer was not there.' }];
  const report = formatReport({ machine, quick: true, measurements: [measurement], notes });
  expect(report.split('\n').at(-1)).toBe('  The peer was not there.');
});
