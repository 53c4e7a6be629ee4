import { canonicalJson, type JsonObject, objectOf } from '@proffer/core/json';
import { type Proposal } from '@proffer/core/operations';

/** Who would run a proposal; no name if nobody could. */
interface WouldRun {
  readonly name: string | undefined;
  /** The participants who would run it for the first time, and who served it before them. */
  readonly newcomers: Readonly<Record<string, string>>;
}

interface Known {
  readonly answer: WouldRun | undefined;
  /** When it was asked, as a change counter. */
  readonly asOf: number;
  readonly isAsking: boolean;
}

export interface ExecutorsOptions {
  /** Fetches a proposal from the gateway, with `wouldRun`. */
  readonly askFor: (id: string) => Promise<unknown>;
  readonly onChange: () => void;
  /** How long to wait after a failure, in milliseconds. */
  readonly pause?: number;
}

/**
 * Who would run pending proposals, according to the gateway (O-26). It alone knows who announced a tool first, who is
 * only briefly absent, and who may run its own calls, so it is asked, and again when someone comes, goes or announces
 * something. Only visible proposals are asked about.
 */
export class Executors {
  readonly #options: ExecutorsOptions;
  readonly #known = new Map<string, Known>();
  #changes = 0;

  constructor(options: ExecutorsOptions) {
    this.#options = options;
  }

  /** Records a message after which the executor may change. */
  take({ kind, payload }: { readonly kind: string; readonly payload?: JsonObject }): void {
    const isConfirmed = payload?.['notice'] === 'executor_confirmed';
    if (kind === 'system.presence' || kind.startsWith('mcpx.announce.') || isConfirmed) this.#changes++;
  }

  /** Changes with everything after which an executor, or what it says about its tools, may be different. */
  get version(): number {
    return this.#changes;
  }

  /** A new connection: anything may have happened in the meantime. */
  begin(): void {
    this.#changes++;
  }

  /** The latest answer; `undefined` while there is none. During a refresh, the old one stays. */
  of({ id, proposer, subject, executor }: Proposal): WouldRun | undefined {
    // These decide the executor, so similar calls share an answer.
    const key = canonicalJson([proposer, subject?.list ?? '', subject?.name ?? '', executor ?? '']);
    const known = this.#known.get(key);
    if (known === undefined || (known.asOf < this.#changes && !known.isAsking))
      void this.#ask(key, id, known?.answer);
    return known?.answer;
  }

  async #ask(key: string, id: string, before: WouldRun | undefined): Promise<void> {
    const { askFor, onChange, pause = 2_000 } = this.#options;
    const asOf = this.#changes;
    this.#known.set(key, { answer: before, asOf, isAsking: true });
    try {
      this.#known.set(key, { answer: readWouldRun(await askFor(id)), asOf, isAsking: false });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
      this.#known.set(key, { answer: before, asOf: -1, isAsking: false });
    }
    onChange();
  }
}

function readWouldRun(view: unknown): WouldRun {
  const { name, insteadOf, newcomers } = objectOf(objectOf(view)['wouldRun']);
  const others = Object.entries(objectOf(newcomers));
  const own = typeof name === 'string' ? [[name, insteadOf] as const] : [];
  const texts = [...others, ...own].filter((each): each is [string, string] => typeof each[1] === 'string');
  return { name: typeof name === 'string' ? name : undefined, newcomers: Object.fromEntries(texts) };
}
