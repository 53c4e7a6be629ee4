import { canonicalJson, type JsonObject } from '@proffer/core/json';
import { effectOf, type HookCall } from '../agents/index.js';
import { keyOf } from './settled-calls.js';

/** What identifies a call when it is reported. */
export type ReportedCall = Pick<HookCall, 'agent' | 'session' | 'id' | 'folder' | 'tool' | 'arguments'>;

/** The approval that a report answers. */
export interface Unreported {
  readonly proposal: string;
  /** The request by which it was approved, and who made it. */
  readonly request: string;
  readonly by: string;
}

/** How many are remembered. */
const MOST = 1_000;

interface Entry {
  /** The agent's id of the call, if known. */
  readonly id: string | undefined;
  /** Recognise the call without its id: as it was asked about, and as it was approved. */
  readonly keys: readonly string[];
  /** The call's shell line, as it was asked about and as it was approved. */
  readonly lines: ReadonlySet<string | undefined>;
  readonly unreported: Unreported;
}

/** Calls that an agent was allowed to run and has not reported (O-46). */
export class UnreportedCalls {
  /** By proposal, the oldest first. */
  readonly #entries = new Map<string, Entry>();

  /** @param approved - the arguments that the agent runs it with */
  put(call: ReportedCall, approved: JsonObject, unreported: Unreported): void {
    const calls = [call, { ...call, arguments: approved }];
    const [keys, lines] = [calls.map(keyOf), new Set(calls.map(lineOf))];
    this.#entries.set(unreported.proposal, { id: idOf(call), keys, lines, unreported });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST && oldest !== undefined) this.#entries.delete(oldest);
  }

  has(proposal: string): boolean {
    return this.#entries.has(proposal);
  }

  delete(proposal: string): void {
    this.#entries.delete(proposal);
  }

  /**
   * Returns the approval of a reported call, and forgets it. An agent's id decides if both have one, since an agent
   * may report other arguments than it runs. Of several equal calls, the oldest is meant. With another shell line, it is
   * another command that ran.
   */
  take(call: ReportedCall): (Unreported & { readonly isOtherLine: boolean }) | undefined {
    const [id, key] = [idOf(call), keyOf(call)];
    const isSame = ({ keys }: Entry): boolean => keys.includes(key);
    const candidates = [...this.#entries.values()].filter((entry) =>
      id === undefined || entry.id === undefined ? isSame(entry) : entry.id === id,
    );
    const found = candidates.find(isSame) ?? candidates[0];
    if (found === undefined) return undefined;
    this.#entries.delete(found.unreported.proposal);
    return { ...found.unreported, isOtherLine: !found.lines.has(lineOf(call)) };
  }
}

function lineOf(call: ReportedCall): string | undefined {
  const effect = effectOf(call);
  return effect.type === 'shell' ? effect.line : undefined;
}

function idOf({ agent, session = '', id }: ReportedCall): string | undefined {
  return id === undefined ? undefined : canonicalJson([agent, session, id]);
}
