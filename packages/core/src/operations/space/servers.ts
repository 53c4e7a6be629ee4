import type { VersionedMap } from '../../collections/versioned-map.js';
import type { ServedList, Subject } from '../../envelope/kind.js';
import { type ParticipantState, servedNames } from '../participant.js';
import type { ParticipantRecord } from '../records.js';
import type { SpaceState } from './space.js';

/** A participant that serves a tool, prompt or resource, or once did. */
export type ToolServer = {
  readonly name: string;
  /** When it first announced it. */
  readonly since: number;
  /** Whether the participant does not serve the tool at present. */
  readonly isGone?: true;
  /** A person approved that it runs calls although another one served this before. */
  readonly isConfirmed?: true;
};

/** Maps a tool, prompt or resource to those who serve it, earliest first. */
export type Servers = VersionedMap<readonly ToolServer[]>;

interface Indexes {
  readonly servers: Servers;
  readonly listers: Servers;
}

/** The indexes after a record of a participant that may have changed what it serves. */
export function evolveServers(
  { servers, listers }: Indexes,
  record: ParticipantRecord,
  before: ParticipantState | undefined,
  after: ParticipantState,
): Indexes {
  if (record.type === 'executor_confirmed') {
    const { list, name } = record.facts;
    return { servers: confirm(servers, serverKey(list, name), after.name, record.time), listers };
  }
  if (record.type === 'announced') {
    const { list } = record.facts;
    const server = { name: after.name, since: record.time };
    return { servers: replaceServed(servers, { list, server }, change(list, before, after)), listers };
  }
  const list = record.type === 'said' ? record.facts.lists : undefined;
  if (list === undefined) return { servers, listers };
  const names = { from: before?.lists[list] ?? [], to: after.lists[list] ?? [], kept: [] };
  const server = { name: after.name, since: record.time };
  return { servers, listers: replaceServed(listers, { list, server }, names) };
}

interface Change {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Names that are no longer served, and remembered. */
  readonly kept: readonly string[];
}

function change(list: ServedList, before: ParticipantState | undefined, after: ParticipantState): Change {
  return {
    from: [...servedNames(list, before?.serves[list] ?? []), ...(before?.served?.[list] ?? [])],
    to: servedNames(list, after.serves[list] ?? []),
    kept: after.served?.[list] ?? [],
  };
}

/** The names of those who serve something, earliest first. */
function namesServing(servers: Servers, subject: Subject): readonly string[] {
  const all = serversOf(servers, subject);
  return all.flatMap(({ name, isGone }) => (isGone ? [] : [name]));
}

/** The participants who serve something, or once did, earliest first. */
function serversOf(servers: Servers, { list, name }: Subject): readonly ToolServer[] {
  return servers.get(serverKey(list, name)) ?? NOBODY;
}

const NOBODY: readonly ToolServer[] = [];

function replaceServed(
  servers: Servers,
  { list, server }: { readonly list: ServedList; readonly server: ToolServer },
  { from, to, kept }: Change,
): Servers {
  let next = servers;
  const served = new Set(to);
  const remembered = new Set(kept);
  for (const name of new Set([...from, ...to])) {
    const key = serverKey(list, name);
    const all = next.get(key) ?? NOBODY;
    const known = all.find((other) => other.name === server.name);
    if (served.has(name)) {
      // A server keeps its place before later ones, also after a while without an announcement.
      if (known?.isGone !== undefined || known === undefined)
        next = next.set(key, withServer(all, returned(known ?? server)));
    } else if (known !== undefined && remembered.has(name)) {
      if (known.isGone === undefined) next = next.set(key, withServer(all, { ...known, isGone: true }));
    } else {
      const others = all.filter((other) => other.name !== server.name);
      next = others.length === 0 ? next.delete(key) : next.set(key, others);
    }
  }
  return next;
}

function confirm(servers: Servers, key: string, name: string, time: number): Servers {
  const all = servers.get(key) ?? NOBODY;
  const known = all.find((other) => other.name === name) ?? ({ name, since: time, isGone: true } as const);
  return servers.set(key, withServer(all, { ...known, isConfirmed: true }));
}

function returned({ name, since, isConfirmed }: ToolServer): ToolServer {
  return isConfirmed === undefined ? { name, since } : { name, since, isConfirmed };
}

function withServer(all: readonly ToolServer[], server: ToolServer): readonly ToolServer[] {
  return [...all.filter((other) => other.name !== server.name), server].sort(byTime);
}

/**
 * By the time in the record, not by arrival order: a gateway knows its own decisions before what
 * another one wrote a moment earlier, and both must agree on who was first (I-3).
 */
function byTime(one: ToolServer, other: ToolServer): number {
  return one.since - other.since || (one.name < other.name ? -1 : 1);
}

function serverKey(list: ServedList, name: string): string {
  return `${list} ${name}`;
}

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
