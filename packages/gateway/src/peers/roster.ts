import type { RemoteMember } from './member.js';

/** Where members of other gateways are added. */
export interface RemoteAdmission {
  /** Makes a participant that is connected elsewhere count as connected. */
  admit(member: RemoteMember): RemoteParticipant;
}

/** A participant connected elsewhere. */
export interface RemoteParticipant {
  /** The member serves now, or by another process. */
  update(member: RemoteMember): void;
  leave(): void;
}

interface PeerGateway {
  readonly members: Map<string, RemoteParticipant>;
  /** How many changes it has reported. */
  version: number;
  /** The members listed since it started to list them all; absent while it does not. */
  named?: Set<string>;
  heardAt: number;
}

/**
 * Who is connected to which other gateway. A gateway that is silent for a while is gone, and so is everyone connected
 * to it.
 */
export class Roster {
  readonly #neighbours = new Map<string, PeerGateway>();
  /** The latest change number of each gateway, including those that are gone. */
  readonly #latest = new Map<string, number>();
  readonly #lodging: (space: string) => RemoteAdmission | undefined;
  readonly #now: () => number;

  /** @param now - milliseconds on a monotonic clock */
  constructor(lodging: (space: string) => RemoteAdmission | undefined, now: () => number) {
    this.#lodging = lodging;
    this.#now = now;
  }

  /** The other gateways. */
  get gateways(): readonly string[] {
    return [...this.#neighbours.keys()];
  }

  /**
   * Whether a later message of a gateway arrived before this one, which then is obsolete: messages take
   * another path after a NATS server fails, and those it still has arrive late.
   *
   * @param version - how many changes it had reported, including this one
   */
  isOvertaken(gateway: string, version: number): boolean {
    return version < (this.#latest.get(gateway) ?? 0);
  }

  /** A gateway's heartbeat. False if a message was missed: it must list all its members again. */
  heard(gateway: string, version: number): boolean {
    return this.#betweenListings(gateway).version === version;
  }

  /**
   * A gateway starts to list all its members.
   *
   * @param version - as of this number of changes; NaN if it does not say, as in the first format
   */
  begin(gateway: string, version: number): void {
    const neighbour = this.#neighbourOf(gateway);
    neighbour.heardAt = this.#now();
    neighbour.named = new Set();
    if (version > (this.#latest.get(gateway) ?? 0)) this.#latest.set(gateway, version);
  }

  /** A gateway has listed all its members, as of this number of changes. False if the list is incomplete and something was missed. */
  end(gateway: string, version: number): boolean {
    const { named } = this.#neighbourOf(gateway);
    const neighbour = this.#betweenListings(gateway);
    if (named === undefined) return neighbour.version === version;
    neighbour.version = version;
    this.#latest.set(gateway, version);
    for (const key of neighbour.members.keys()) if (!named.has(key)) drop(neighbour, key);
    return true;
  }

  /** A participant is connected to it. */
  joined(gateway: string, member: RemoteMember): void {
    const { members, named } = this.#neighbourOf(gateway);
    const key = keyOf(member.space, member.name);
    named?.add(key);
    const known = members.get(key);
    if (known !== undefined) return known.update(member);
    const lodger = this.#lodging(member.space)?.admit(member);
    if (lodger !== undefined) members.set(key, lodger);
  }

  /** A participant is no longer connected to it. */
  left(gateway: string, space: string, name: string): void {
    drop(this.#neighbourOf(gateway), keyOf(space, name));
  }

  /** A gateway reported one more change. False if an earlier one was missed. */
  changed(gateway: string, version: number): boolean {
    const neighbour = this.#betweenListings(gateway);
    this.#latest.set(gateway, version);
    const isNext = neighbour.version === version - 1;
    if (isNext) neighbour.version = version;
    return isNext;
  }

  /** A gateway has closed, or is silent. */
  forget(gateway: string): void {
    const neighbour = this.#neighbours.get(gateway);
    if (neighbour === undefined) return;
    this.#neighbours.delete(gateway);
    for (const key of neighbour.members.keys()) drop(neighbour, key);
  }

  /** Forgets those that were silent for this many milliseconds. */
  expire(silence: number): void {
    const now = this.#now();
    for (const [gateway, { heardAt }] of this.#neighbours) if (now - heardAt > silence) this.forget(gateway);
  }

  /** All count as just heard from: for a while none could be. */
  excuse(): void {
    for (const neighbour of this.#neighbours.values()) neighbour.heardAt = this.#now();
  }

  /**
   * A gateway that sent something else is not listing its members: it lists them all at once. If the end of a list
   * has not arrived by then, it was lost or is late, and the list does not count.
   */
  #betweenListings(gateway: string): PeerGateway {
    const neighbour = this.#neighbourOf(gateway);
    neighbour.heardAt = this.#now();
    delete neighbour.named;
    return neighbour;
  }

  #neighbourOf(gateway: string): PeerGateway {
    const known = this.#neighbours.get(gateway);
    if (known !== undefined) return known;
    const neighbour: PeerGateway = { members: new Map(), version: -1, heardAt: this.#now() };
    this.#neighbours.set(gateway, neighbour);
    return neighbour;
  }
}

function drop({ members }: PeerGateway, key: string): void {
  const lodger = members.get(key);
  members.delete(key);
  lodger?.leave();
}

/** Space names have no slash. */
function keyOf(space: string, name: string): string {
  return `${space}/${name}`;
}
