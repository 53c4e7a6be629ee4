import type { Measurement, Parameters, Spread } from './benchmark.js';
import type { Report } from './report.js';

const HEADINGS = ['', 'with', 'median', 'p10 – p90', 'ratio', 'p10 – p90'];

/**
 * Formats a report, one table per benchmark. Ratios are relative to the row of the same name that has none.
 */
export function formatReport({ machine, measurements, notes }: Report): string {
  const { cpu, cores, load, memoryGiB, platform, node, date } = machine;
  const where = `${cpu}, ${cores} cores (load ${load}), ${memoryGiB} GiB, ${platform}, Node ${node}, ${date}`;
  const benchmarks = [...new Set([...measurements, ...notes].map(({ benchmark }) => benchmark))];
  const tables = benchmarks.map((name) => {
    const rows = measurements.filter(({ benchmark }) => benchmark === name).map(formatRow);
    const remarks = notes.filter(({ benchmark }) => benchmark === name).map(({ text }) => `\n  ${text}`);
    const table = rows.length === 0 ? '' : `\n${formatTable([HEADINGS, ...rows])}`;
    return `${name}${table}${remarks.join('')}`;
  });
  return [where, ...tables].join('\n\n');
}

function formatRow({ name, value, unit, parameters, spread, ratio }: Measurement): readonly string[] {
  const amount = (value: number): string => formatAmount(value, unit);
  return [
    name,
    formatParameters(parameters),
    `${amount(value)} ${scaledUnit(value, unit)}`,
    formatRange(spread, (bound) => formatAmount(bound, unit, value)),
    ratio === undefined ? '' : `× ${ratio.value.toFixed(2)}`,
    ratio === undefined ? '' : formatRange(ratio, (bound) => bound.toFixed(2)),
  ];
}

function formatRange({ p10, p90 }: Spread, format: (bound: number) => string): string {
  return `${format(p10)} – ${format(p90)}`;
}

function formatParameters(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([key, value]) => (typeof value === 'number' ? formatCount(value, key) : value))
    .join(', ');
}

/** For example `4 gateways`, or `1 gateway`. */
function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun.replace(/s$/, '') : noun}`;
}

/** Three significant digits; nanoseconds become microseconds if `scale` is at least one. */
function formatAmount(value: number, unit: string, scale = value): string {
  const scaled = unit.startsWith('ns/') ? value / scaleOf(scale, unit) : value;
  if (Math.abs(scaled) >= 1000) return Math.round(scaled).toLocaleString('en');
  return scaled.toPrecision(3);
}

function scaledUnit(value: number, unit: string): string {
  return scaleOf(value, unit) === 1 ? unit : unit.replace('ns/', 'µs/');
}

function scaleOf(value: number, unit: string): number {
  return unit.startsWith('ns/') && value >= 1000 ? 1000 : 1;
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
