import type { Subject } from '../../envelope/kind.js';
import { namesServing, serversOf, type ToolServer } from './servers.js';
import type { SpaceState } from './space.js';

/** Whether a participant announced what it serves in a list, even if that is nothing. */
export function hasAnnounced(space: SpaceState, participant: string, list: Subject['list']): boolean {
  return space.participants.get(participant)?.serves[list] !== undefined;
}

/** The participants who announced this tool, prompt or resource, present or not, earliest first. */
export function servedBy(space: SpaceState, subject: Subject): readonly string[] {
  return namesServing(space.servers, subject);
}

/**
 * The participants that listed it when asked, earliest first. Participants that announced their tools are not
 * among them: they serve nothing beyond their announcement.
 */
export function listedBy(space: SpaceState, subject: Subject): readonly string[] {
  const listed = namesServing(space.listers, subject);
  return listed.filter((server) => !hasAnnounced(space, server, subject.list));
}

/**
 * The participant that served something before, if another one would run it now for the first time (O-26).
 * `undefined` for the first that ever served it, for those whom a person let run it since, and if nobody
 * ever served it. Of two that were first at the same time, neither came before the other.
 */
export function predecessorOf(
  { servers, listers }: SpaceState,
  subject: Subject,
  executor: string,
): string | undefined {
  const [announced, listed] = [serversOf(servers, subject), serversOf(listers, subject)];
  const [first, other] = [announced[0], listed[0]];
  const earliest = first === undefined || (other !== undefined && other.since < first.since) ? other : first;
  if (earliest === undefined) return undefined;
  const isKnown = ({ name, since, isConfirmed }: ToolServer): boolean =>
    name === executor && (since === earliest.since || isConfirmed === true);
  return announced.some(isKnown) || listed.some(isKnown) ? undefined : earliest.name;
}
