/** Parameters of a measurement, such as `{ pending: 1000 }`. */
export type Parameters = Readonly<Record<string, string | number>>;

/** The middle 80 % of the samples. */
export type Spread = { readonly p10: number; readonly p90: number; readonly samples: number };

/** A figure relative to another one of the same run, compared round by round. */
export type Ratio = Spread & { readonly value: number; readonly to: Parameters };

/** One figure. All benchmarks return these, so they print and compare the same way. */
export type Measurement = {
  readonly name: string;
  /** The median of the samples. */
  readonly value: number;
  /** `ns/…` is a cost, `…/s` a rate, `B/…` a size. */
  readonly unit: string;
  readonly parameters: Parameters;
  readonly spread: Spread;
  /** Absent on the baseline. */
  readonly ratio?: Ratio;
};

/** How thorough a run is. */
export interface Effort {
  /** Smaller sizes and fewer rounds: enough to see orders of magnitude. */
  readonly quick: boolean;
  /** The minimum that shows that everything works; implies `quick`. The figures mean nothing. */
  readonly smoke: boolean;
}

/** What a benchmark is given. */
export interface BenchmarkContext extends Effort {
  /** Adds a remark to the report, for example that a peer was not available. */
  readonly note: (text: string) => void;
}

/** A benchmark that can be selected by name. */
export interface Benchmark {
  /** `GROUP/NAME`. */
  readonly name: string;
  /** One line saying what is measured. */
  readonly about: string;
  measure(occasion: BenchmarkContext): readonly Measurement[] | Promise<readonly Measurement[]>;
}
