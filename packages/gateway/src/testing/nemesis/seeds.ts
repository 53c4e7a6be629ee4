/** A run that failed once. The long run repeats its faults. */
export interface KeptSeed {
  readonly seed: number;
  readonly seconds: number;
  readonly gateways: number;
  /** Whether the servers synced each write. */
  readonly sync: boolean;
  readonly failed: string;
  /** What was wrong, and the fix. */
  readonly fixed: string;
}

/** Failing runs are added here with their fix, and are never removed. */
export const KEPT_SEEDS: readonly KeptSeed[] = [
  {
    seed: 2_102_582_122,
    seconds: 240,
    gateways: 5,
    sync: true,
    failed:
      'Two records of one version in 11 streams. In a later run a follower of a session, back at another gateway, saw two messages a second time.',
    fixed:
      'Inferred, not proven: a server that became the leader let two batches in that expected the same end. A record counts only if it follows the last one that counts; the second of two is void and deleted. The follower: a server that had lost the others still answered as their leader, and an append on its way hid what others had written in its place. A majority must confirm now that there is no more (decision 0010).',
  },
  {
    seed: 236_724_637,
    seconds: 300,
    gateways: 5,
    sync: true,
    failed:
      'Two sessions were never agreed, so the run did not come to rest; in another run with this seed a follower saw one message twice.',
    fixed:
      'A gateway that was cut off and did not know it yet refused messages because of what it had missed, and let a follower begin before what it had seen elsewhere. Both ask the servers now. Looking for the cause also showed that what was written behind a void record was taken for valid by whoever opened the journal, and never deleted.',
  },
  {
    seed: 685_212_259,
    seconds: 300,
    gateways: 5,
    sync: true,
    failed:
      'The executor ran fulfilments of proposals that were withdrawn. In one of two later runs, on a machine under heavy load, one message was never answered, so that the run did not come to rest.',
    fixed:
      'A message that waited for NATS was decided again without the proposal, which had left memory meanwhile, and was taken for an ordinary request. What a message needs is brought back before it is decided again. The later one: not found, and not seen again.',
  },
  {
    seed: 2_102_582_122,
    seconds: 420,
    gateways: 5,
    sync: true,
    failed: 'Clients that came back saw hundreds of messages again.',
    fixed:
      'A gateway that was behind sent to whoever came back from another one all that it received itself from then on. It skips what they have seen.',
  },
  {
    seed: 501,
    seconds: 300,
    gateways: 5,
    sync: true,
    failed: 'Reviewers were told that proposals had expired, and others fulfilled them.',
    fixed:
      'A gateway answered by its clock before any record said that time was up, and another gateway was first or had a clock that was behind. The end is recorded before anybody is told.',
  },
  {
    seed: 502,
    seconds: 300,
    gateways: 5,
    sync: true,
    failed:
      'In two of three runs the load did not come to rest: all clients were at one gateway that answered pings, and nothing became of their messages until they went elsewhere.',
    fixed:
      'Inferred, not proven: a client that came back sent hundreds of messages again, more than the rate allows. The refusal of one that was not even read names no message, and the clients of the nemesis waited for one that does; the one of the SDK sends again all that it has. They do so, too, and send again only what can still change something. It also showed that a clock that was set forward and back stopped the allowance of a participant for that time.',
  },
  {
    seed: 1_036_806_697,
    seconds: 60,
    gateways: 3,
    sync: true,
    failed: 'Listeners were told that a stream of mew was done when its last frame had not come.',
    fixed:
      'Frames that go from one gateway to another get lost when NATS fails, and nobody noticed. They are numbered now, and a stream that misses one is interrupted (decision 0010).',
  },
  {
    seed: 267_907_881,
    seconds: 60,
    gateways: 3,
    sync: true,
    failed: 'A proposal expired twice: its end is in the journal two times, one behind the other.',
    fixed:
      'NATS was away for more than five seconds. A proposal whose end was still on its way was let go from memory, read again from the journal as pending, and decided a second time; one that was withdrawn could be fulfilled that way. It stays in memory until its end has landed, and what was decided on an earlier state is never appended behind what waits.',
  },
];
