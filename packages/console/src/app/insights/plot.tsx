import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line, or a part of each bar. */
export interface PlotSeries {
  readonly label: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  readonly values: readonly (number | undefined)[];
}

interface PlotProps {
  readonly title: string;
  /** The beginning of each day, in milliseconds since 1970. */
  readonly days: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly kind: 'lines' | 'stacked bars';
  readonly format: (value: number) => string;
  readonly children?: ComponentChildren;
}

const HEIGHT = 200;
const HALF_A_DAY = 43_200;
/** As many days as have their dates below the plot on a phone. */
const MAX_LABELS = 5;
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** A plot over days, and the same as a table: for those who cannot see it, or want the numbers. */
export function Plot({ title, days, series, kind, format, children }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isDrawable, setDrawable] = useState(true);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const gone = new AbortController();
    let plot: UPlot | undefined;
    const start = async (): Promise<void> => {
      const { default: library } = await import('uplot');
      if (gone.signal.aborted) return;
      const draw = (): void => {
        plot?.destroy();
        plot = drawPlot(library, element, { days, series, kind, format });
      };
      draw();
      dark.addEventListener('change', draw, { signal: gone.signal });
    };
    // The library refuses some settings of a browser. The table has the same numbers.
    start().catch(() => setDrawable(false));
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    return () => {
      gone.abort();
      sizes.disconnect();
      plot?.destroy();
    };
  }, [days, series, kind]);
  return (
    <section class="box plot">
      <h2>{title}</h2>
      {children}
      <ul class="plot-legend">
        {series.map(({ label, colour }) => (
          <li key={label}>
            <svg viewBox="0 0 10 10" aria-hidden="true" focusable="false">
              <rect width="10" height="10" rx="2" style={{ fill: `var(${colour})` }} />
            </svg>
            {label}
          </li>
        ))}
      </ul>
      {isDrawable && (
        <div
          ref={box}
          class="plot-box"
          role="img"
          aria-label={`${title}. The numbers are in the table below.`}
        />
      )}
      <details class="more" open={!isDrawable}>
        <summary>
          As a table<span class="sr">: {title}</span>
        </summary>
        <section class="plot-table" tabIndex={0} aria-label={`${title}, as a table`}>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                {series.map(({ label }) => (
                  <th key={label} scope="col" class="number">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, place) => (
                <tr key={day}>
                  <th scope="row">{new Date(day).toLocaleDateString()}</th>
                  {series.map(({ label, values }) => {
                    const value = values[place];
                    return (
                      <td key={label} class="number">
                        {value === undefined ? '–' : format(value)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  );
}

function drawPlot(
  library: typeof UPlot,
  element: HTMLElement,
  { days, series, kind, format }: Pick<PlotProps, 'days' | 'series' | 'kind' | 'format'>,
): UPlot {
  const isStacked = kind === 'stacked bars';
  const colourOf = colours(element);
  const seconds = days.map((day) => day / 1_000);
  // Of stacked parts, the highest is drawn first, and the others over it.
  const drawn = isStacked ? stack(series).toReversed() : series;
  const axis = {
    stroke: colourOf('--dim'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: '12px system-ui, sans-serif',
  };
  const bars = library.paths.bars?.({ size: [0.7, 48] });
  return new library(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: () => [(seconds[0] ?? 0) - HALF_A_DAY, (seconds.at(-1) ?? 0) + HALF_A_DAY] },
        y: { range: (_, __, most) => [0, Math.max(most, 1) * 1.05] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          splits: () => [...everyFew(seconds)],
          values: (_, ticks) => ticks.map((tick) => DAY.format(tick * 1_000)),
        },
        {
          ...axis,
          size: 62,
          values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? format(tick) : '')),
        },
      ],
      series: [
        {},
        ...drawn.map(({ label, colour }) => ({
          label,
          stroke: colourOf(colour),
          width: 2,
          spanGaps: true,
          points: { show: !isStacked, size: 6, fill: colourOf(colour) },
          ...(isStacked && bars !== undefined ? { paths: bars, fill: colourOf(colour), width: 0 } : {}),
        })),
      ],
    },
    [seconds, ...drawn.map(({ values }) => values.map((value) => value ?? null))],
    element,
  );
}

/** At most {@link MAX_LABELS} of the days, evenly spaced, the last among them. */
function everyFew(seconds: readonly number[]): readonly number[] {
  const step = Math.ceil(seconds.length / MAX_LABELS);
  return seconds.filter((_, place) => (seconds.length - 1 - place) % step === 0);
}

/** Each part on top of those before it. */
function stack(series: readonly PlotSeries[]): readonly PlotSeries[] {
  const sums: number[] = [];
  return series.map((each) => ({
    ...each,
    values: each.values.map((value, place) => {
      sums[place] = (sums[place] ?? 0) + (value ?? 0);
      return sums[place];
    }),
  }));
}

/** Colours of the style sheet as a canvas takes them: in the current theme. */
function colours(element: HTMLElement): (name: string) => string {
  const probe = element.appendChild(document.createElement('i'));
  const found = new Map<string, string>();
  const read = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  for (const name of ['--dim', '--line', ...PLOT_COLOURS]) found.set(name, read(name));
  probe.remove();
  return (name) => found.get(name) ?? '';
}

/** The colours that plots may use. */
export const PLOT_COLOURS = [
  '--accent',
  '--good',
  '--warn',
  '--bad',
  '--plot-quiet',
  '--plot-faint',
] as const;
