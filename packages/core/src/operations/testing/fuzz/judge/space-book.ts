import type { JsonObject } from '../../../../json/json.js';
import type { ParticipantRecord } from '../../../records.js';
import type { Call } from '../call.js';
import { isReviewOnly, mayCall, type Rights } from '../cast.js';
import type { DelegationSpan } from './case.js';

/** A grant, with its start and end in the journal. */
interface GrantSpan {
  readonly id: string;
  readonly granter: string;
  readonly to: string;
  readonly pattern: string;
  readonly until: number;
  readonly uses: number;
  /**
   * How often a use was counted, and for which messages. One may be wasted, and counted again on a
   * repeat.
   */
  counted: number;
  readonly used: Set<string>;
  /** The messages based on it. */
  readonly rested: Set<string>;
  readonly begins: number;
  ends: number;
}

const NEVER = Number.POSITIVE_INFINITY;
const HOUR = 3_600_000;
/** The maximum difference between the clocks of two gateways. */
const SKEW = 300;

/**
 * The state of the whole space: grants, delegations of all reviews, pauses, and what agents did
 * alone. A gateway may not have read yet what another wrote about it, so a record is right if it was
 * true at some position between what its gateway had read and the record itself.
 */
export class SpaceBook {
  readonly #rights: Rights;
  readonly #lent = new Map<string, GrantSpan>();
  readonly #handed: DelegationSpan[] = [];
  /** Each pause or resume, and whether it is later than those before it by the gateways' clocks. */
  readonly #pauses: { readonly at: number; readonly isPaused: boolean; readonly isLater: boolean }[] = [];
  #lastWord: { readonly time: number; readonly by: string } | undefined;
  readonly #alone: {
    readonly by: string;
    readonly entry: string;
    readonly about: string;
    readonly time: number;
  }[] = [];

  readonly #announced: { readonly by: string; readonly time: number; readonly at: number }[] = [];
  /** `EXECUTOR TOOL` of those that a person let run what another one served. */
  readonly #confirmed = new Set<string>();

  constructor(rights: Rights) {
    this.#rights = rights;
  }

  /** Adds a message that is about no proposal, and reports what is wrong with it. */
  read(record: ParticipantRecord, place: number): string | undefined {
    const { principal, envelope, time } = record;
    const { payload } = envelope;
    switch (record.type) {
      case 'delegated':
        hand(this.#handed, { by: principal, payload, place });
        return undefined;
      case 'approvals_paused':
      case 'approvals_resumed': {
        const last = this.#lastWord;
        const isLater =
          last === undefined || time > last.time || (time === last.time && principal >= last.by);
        if (isLater) this.#lastWord = { time, by: principal };
        this.#pauses.push({ at: place, isPaused: record.type === 'approvals_paused', isLater });
        return undefined;
      }
      case 'acted_alone': {
        const { participant: by, entry, about } = record.facts;
        this.#alone.push({ by, entry, about, time });
        return undefined;
      }
      case 'announced':
        this.#announced.push({ by: principal, time, at: place });
        return undefined;
      case 'executor_confirmed':
        this.#confirmed.add(`${record.facts.participant} ${record.facts.name}`);
        return undefined;
      case 'granted':
        return this.#lend(record, place);
      case 'grant_used': {
        const { grant, message } = record.facts;
        const lent = this.#lent.get(grant);
        if (lent === undefined || lent.ends < place || time >= lent.until)
          return `${grant} was used when it was over`;
        lent.used.add(message);
        lent.counted++;
        return lent.counted > lent.uses ? `${grant} was used more often than granted` : undefined;
      }
      case 'grant_revoked':
        return this.#revoke(record.facts.grants, principal, place);
      case 'grant_ended':
        return this.#end(record.facts.grant, place);
      default:
        return undefined;
    }
  }

  #lend({ principal: granter, envelope, time }: ParticipantRecord, place: number): string | undefined {
    const { to, capabilities, uses, ttl } = envelope.payload as {
      to: string;
      capabilities: [string];
      uses?: number;
      ttl?: number;
    };
    const [pattern] = capabilities;
    if (pattern === 'mcpx.approve.proposal') return `${granter} granted the right to approve`;
    if (isReviewOnly(granter)) return `${granter} may only review, and granted ${pattern}`;
    const wanted = ['write_file', 'pay'].filter((tool) => isAbout(pattern, tool));
    if (wanted.some((tool) => !mayCall(this.#rights, granter, tool)))
      return `${granter} granted what it may not do: ${pattern}`;
    const until = ttl === undefined ? NEVER : time + ttl;
    const bounds = { until, uses: uses ?? NEVER, counted: 0 };
    const uncounted = { used: new Set<string>(), rested: new Set<string>() };
    this.#lent.set(envelope.id, {
      id: envelope.id,
      granter,
      to,
      pattern,
      ...bounds,
      ...uncounted,
      begins: place,
      ends: NEVER,
    });
    return undefined;
  }

  #revoke(grants: readonly string[], by: string, place: number): string | undefined {
    for (const id of grants) {
      const lent = this.#lent.get(id);
      const mayRevoke = by === lent?.granter || this.#rights === 'open';
      if (!mayRevoke) return `${by} revoked ${id} of ${lent?.granter}`;
      this.#end(id, place);
    }
    return undefined;
  }

  #end(id: string, place: number): undefined {
    const lent = this.#lent.get(id);
    if (lent !== undefined) lent.ends = Math.min(lent.ends, place);
  }

  /** Whether a participant may make a call: in its own right, or by the grant that the record names. */
  mayRun(by: string, call: Call, rests: Rests): string | undefined {
    if (rests.grant === undefined)
      return mayCall(this.#rights, by, call.tool) ? undefined : `${by} may not call ${call.tool}`;
    const lent = this.#lent.get(rests.grant);
    if (lent === undefined) return `${rests.grant} is no grant`;
    if (lent.to !== by) return `${by} used the grant of ${lent.to}`;
    if (!isAbout(lent.pattern, call.tool)) return `${lent.pattern} does not cover ${call.tool}`;
    if (rests.time >= lent.until) return `${rests.grant} was over by then`;
    lent.rested.add(rests.message);
    if (lent.rested.size > lent.uses) return `more rested on ${rests.grant} than its uses`;
    if (lent.uses < NEVER)
      return lent.used.has(rests.message) ? undefined : `no use of ${rests.grant} was counted before`;
    return lent.ends < rests.known ? `${rests.grant} had ended` : undefined;
  }

  /** Whether somebody else was the first to serve a tool, and nobody let this participant run it since. */
  isNew(executor: string | undefined, tool: string, { known, place }: When): boolean {
    if (executor === undefined || this.#confirmed.has(`${executor} ${tool}`)) return false;
    return [known, place].every((until) => {
      const before = this.#announced.filter(({ at }) => at < until);
      const first = Math.min(...before.map(({ time }) => time));
      return before.length > 0 && !before.some(({ by, time }) => by === executor && time === first);
    });
  }

  /** Who gave a grant. */
  granterOf(grant: string): string | undefined {
    return this.#lent.get(grant)?.granter;
  }

  /** Whether a participant has another's part, by a delegation of all reviews. */
  hasPart(part: string, to: string, when: When): boolean {
    return isDelegated(this.#handed, part, to, when);
  }

  /** Whether approvals were paused all the time from what a gateway had read up to what it wrote. */
  isPaused({ known, place }: When): boolean {
    let before = false;
    for (const { at, isPaused, isLater } of this.#pauses) {
      if (at >= place) break;
      if (at >= known && !isPaused) return false;
      if (at < known && isLater) before = isPaused;
    }
    return before;
  }

  /** Whether an agent's approval alone was counted before, and is within its hourly limit. */
  checkAlone(by: string, limit: { entry: string; perHour: number; about: string; time: number }) {
    const { entry, perHour, about, time } = limit;
    const lately = this.#alone.filter(
      (use) => use.by === by && use.entry === entry && time - use.time < HOUR - SKEW,
    );
    const isCounted = this.#alone.some((use) => use.by === by && use.entry === entry && use.about === about);
    if (!isCounted) return `${by} approved ${about} alone, uncounted`;
    const calls = new Set(lately.map((use) => use.about));
    return calls.size > perHour ? `${by} approved ${calls.size} alone in an hour` : undefined;
  }
}

/** When something was decided: what its gateway had read, its position, and its time. */
export interface When {
  readonly known: number;
  readonly place: number;
  readonly time: number;
}

interface Rests extends When {
  readonly grant: string | undefined;
  readonly message: string;
}

/** Whether a grantable pattern covers a tool. */
function isAbout(pattern: string, tool: string): boolean {
  if (pattern === 'mcp.request.*') return true;
  const [, name = ''] = pattern.split('tools/call:');
  return name === tool || (name === 'write_*' && tool.startsWith('write_'));
}

/** Records that a participant delegated its part, or took it back. */
export function hand(
  all: DelegationSpan[],
  { by, payload, place }: { readonly by: string; readonly payload: JsonObject; readonly place: number },
): void {
  for (const each of all) if (each.by === by) each.ends = Math.min(each.ends, place);
  if (payload['revoke'] === true) return;
  all.push({ by, to: payload['to'] as string, until: Number(payload['until']), begins: place, ends: NEVER });
}

export function isDelegated(all: readonly DelegationSpan[], part: string, to: string, when: When): boolean {
  const { known, place, time } = when;
  return all.some(
    (each) =>
      each.by === part && each.to === to && time < each.until && each.begins < place && each.ends >= known,
  );
}
