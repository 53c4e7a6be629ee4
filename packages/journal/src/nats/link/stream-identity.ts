import { setTimeout as delay } from 'node:timers/promises';
import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';

/** What a stream must still have. */
export interface KnownEnd {
  /** The highest sequence that arrived. */
  readonly seq: number;
  /** How many subjects have records or marks; none of them ever disappears. */
  readonly subjects: number;
}

/** The stream was deleted, and another one has its name now. Nothing that is known here is true of that one. */
export class StreamReplaced extends Error {
  override readonly name = 'StreamReplaced';

  constructor(stream: string) {
    super(
      `the stream ${stream} was deleted and created anew while this gateway was running. The gateway still has what the old one contained: restart the gateway`,
    );
  }
}

/**
 * Returns a function that rejects unless the stream is the one that was opened, and has everything that was read
 * from it: with {@link StreamReplaced} for another one; with any other error if records are missing, or if nobody
 * answers.
 *
 * @param created - when it was created, as the servers said
 * @param known - what is known now
 */
export function createIdentityCheck(
  manager: JetStreamManager,
  {
    stream,
    created,
    known,
  }: { readonly stream: string; readonly created: string; readonly known: () => KnownEnd },
): () => Promise<void> {
  async function look(): Promise<Error | undefined> {
    const { seq, subjects } = known();
    const { created: found, state } = await manager.streams.info(stream);
    if (found !== created) return new StreamReplaced(stream);
    if (state.last_seq < seq)
      return new Error(
        `the stream ends at sequence ${state.last_seq}, before records that this gateway has read (${seq})`,
      );
    const left = subjectsOf(state);
    if (left < subjects)
      return new Error(`records were removed from the stream: ${left} of ${subjects} subjects are left`);
    return undefined;
  }

  return async () => {
    let problem = await look();
    // A leader that was just elected may not have applied everything yet.
    for (
      let again = 0;
      problem !== undefined && !(problem instanceof StreamReplaced) && again < AGAIN;
      again++
    ) {
      await delay(PAUSE);
      problem = await look();
    }
    if (problem !== undefined) throw problem;
  };
}

/** How often a stream with something missing is looked at again, and the pause before that, in milliseconds. */
const AGAIN = 3;
const PAUSE = 200;

function subjectsOf({ num_subjects: count }: StreamInfo['state']): number {
  return count ?? 0;
}
