import {
  type AnyProjection,
  type Eligibility,
  explainEligibility,
  type MacpEnvelope,
  projectionFor,
  type Session,
  type SessionRecord,
  sessionDecider,
} from '@proffer/core/negotiation';
import type { SessionBasis } from './session-records.js';

/** A session after one of its messages. */
export interface Moment {
  readonly sequence: number;
  readonly envelope: MacpEnvelope;
  /** When it was accepted, in milliseconds since 1970. */
  readonly time: number;
  readonly session: Session;
}

/** A session built up message by message. */
export interface Story {
  readonly session: Session | undefined;
  readonly projection: AnyProjection;
  /** The next message of the session. Throws for one that is not possible now. */
  add(record: SessionRecord): Moment;
  /**
   * Whether it could be committed at a moment, and why or why not (N-9, N-10).
   *
   * @param options.known - facts from the journal, if the messages alone do not show them
   * @param options.committer - who would commit. Default: the initiator
   */
  readonly explain: (
    now: number,
    options?: {
      readonly committer?: string | undefined;
      readonly known?: Pick<Session, 'status' | 'deadline'>;
    },
  ) => Eligibility | undefined;
}

export function createStory({ mode, ...basis }: SessionBasis & { readonly mode: string }): Story {
  const projection = projectionFor(mode, basis);
  let session: Session | undefined;
  return {
    projection,
    get session() {
      return session;
    },
    add(record) {
      const next = sessionDecider.evolve(session, record);
      const applied = projection.apply(record.envelope);
      if (next === undefined || !applied.ok) {
        throw new Error(applied.ok ? 'There is no session.' : applied.refusal.message);
      }
      session = next;
      return { sequence: next.version, envelope: record.envelope, time: record.time, session: next };
    },
    explain(now, { committer, known } = {}) {
      if (session === undefined) return undefined;
      const { suspension: _unknown, ...rest } = session;
      return explainEligibility(known === undefined ? session : { ...rest, ...known }, now, committer);
    },
  };
}
