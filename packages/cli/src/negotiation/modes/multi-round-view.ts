import type { MultiRoundProjection } from '@proffer/core/negotiation';
import type { Style } from '../../terminal/shell.js';
import { pad, visible, visibleLine } from '../../terminal/visible.js';
import { someNames } from '../view-parts.js';

/** The value that everybody is for now. */
export function showRounds({ values, round, terms }: MultiRoundProjection, style: Style): readonly string[] {
  if (values.size === 0) return [style.dim('  nobody has contributed a value')];
  const silent = [...(terms?.participants ?? [])].filter((name) => !values.has(name));
  const width = Math.max(...[...values.keys()].map((name) => visible(name).length));
  return [
    style.dim(`  ${round === 1 ? '1 value' : `${round} values`} contributed so far`),
    ...[...values].map(
      ([name, value]) => `  ${pad(visible(name), width)}  ${style.bold(visibleLine(value))}`,
    ),
    ...(silent.length === 0 ? [] : [style.dim(`  · no value from ${someNames(silent)}`)]),
  ];
}
