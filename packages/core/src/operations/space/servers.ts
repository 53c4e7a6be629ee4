import type { VersionedMap } from '../../collections/versioned-map.js';
import type { ServedList, Subject } from '../../envelope/kind.js';
import { type ParticipantState, servedNames } from '../participant.js';
import type { ParticipantRecord } from '../records.js';

/** A participant that serves a tool, prompt or resource, and since when without interruption. */
export type Server = { readonly name: string; readonly since: number };

/** Maps a tool, prompt or resource to those who serve it, earliest first. */
export type Servers = VersionedMap<readonly Server[]>;

interface Indexes {
  readonly servers: Servers;
  readonly listers: Servers;
}

/** The indexes after a record of a participant that may have announced what it serves. */
export function evolveServers(
  { servers, listers }: Indexes,
  record: ParticipantRecord,
  before: ParticipantState | undefined,
  after: ParticipantState,
): Indexes {
  if (record.type === 'announced') {
    const { list } = record.facts;
    const from = servedNames(list, before?.serves[list] ?? []);
    const to = servedNames(list, after.serves[list] ?? []);
    const server = { name: after.name, since: record.time };
    return { servers: replaceServed(servers, { list, server }, { from, to }), listers };
  }
  const list = record.type === 'said' ? record.facts.lists : undefined;
  if (list === undefined) return { servers, listers };
  const names = { from: before?.lists[list] ?? [], to: after.lists[list] ?? [] };
  const server = { name: after.name, since: record.time };
  return { servers, listers: replaceServed(listers, { list, server }, names) };
}

/** The names of those who serve something, earliest first. */
export function namesServing(servers: Servers, { list, name }: Subject): readonly string[] {
  return (servers.get(serverKey(list, name)) ?? NOBODY).map((server) => server.name);
}

const NOBODY: readonly Server[] = [];

function replaceServed(
  servers: Servers,
  { list, server }: { readonly list: ServedList; readonly server: Server },
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): Servers {
  let next = servers;
  const served = new Set(to);
  for (const name of from) {
    // A repeated announcement keeps its place before later ones.
    if (served.delete(name)) continue;
    const key = serverKey(list, name);
    const others = (next.get(key) ?? NOBODY).filter((other) => other.name !== server.name);
    next = others.length === 0 ? next.delete(key) : next.set(key, others);
  }
  for (const name of served) {
    const key = serverKey(list, name);
    next = next.set(key, [...(next.get(key) ?? NOBODY), server].sort(byTime));
  }
  return next;
}

/**
 * By the time in the record, not by arrival order: a gateway knows its own decisions before what
 * another one wrote a moment earlier, and both must agree on who was first (I-3).
 */
function byTime(one: Server, other: Server): number {
  return one.since - other.since || (one.name < other.name ? -1 : 1);
}

function serverKey(list: ServedList, name: string): string {
  return `${list} ${name}`;
}
