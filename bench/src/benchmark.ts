/** What a figure was measured with, such as `{ pending: 1000 }`. */
export type Parameters = Readonly<Record<string, string | number>>;

/** The middle 80 % of the samples. */
export type Spread = { readonly p10: number; readonly p90: number; readonly samples: number };

/** How a figure stands to another one of the same run, compared round by round. */
export type Ratio = Spread & { readonly value: number; readonly to: Parameters };

/** One figure. Every benchmark gives these, so that they print and compare alike. */
export type Measurement = {
  readonly name: string;
  /** The median of the samples. */
  readonly value: number;
  /** `ns/…` is a cost, `…/s` a speed, `B/…` a size. */
  readonly unit: string;
  readonly parameters: Parameters;
  readonly spread: Spread;
  /** Absent on the figure that others are compared with. */
  readonly ratio?: Ratio;
};

/** How thorough a run is to be. */
export interface Effort {
  /** Smaller sizes and fewer rounds: enough to see that everything works, and the orders of magnitude. */
  readonly quick: boolean;
  /** As little as can be, to see that everything works; `quick` is then true as well. The figures mean nothing. */
  readonly smoke: boolean;
}

/** What a benchmark is told, and can say besides its figures. */
export interface Occasion extends Effort {
  /** Says in the report what a reader must know, such as that a peer was not there. */
  readonly note: (text: string) => void;
}

/** Something that can be chosen by name and measured by itself. */
export interface Benchmark {
  /** `GROUP/NAME`. */
  readonly name: string;
  /** One line: what is measured. */
  readonly about: string;
  measure(occasion: Occasion): readonly Measurement[] | Promise<readonly Measurement[]>;
}
