import type { RemoteMember } from './member.js';

/** Where members of other gateways take part. */
export interface Lodging {
  /** Lets somebody count as connected who is, elsewhere. */
  admit(member: RemoteMember): Lodger;
}

/** Someone who is connected elsewhere. */
export interface Lodger {
  /** It serves now, or by another process. */
  update(member: RemoteMember): void;
  leave(): void;
}

interface Neighbour {
  readonly members: Map<string, Lodger>;
  /** How many changes it has told of. */
  version: number;
  /** The members that it has named since it began to name them all; absent while it does not. */
  named?: Set<string>;
  heardAt: number;
}

/**
 * Who is connected to which other gateway. A gateway that is not heard of for a while is gone, and all who were
 * connected to it with it.
 */
export class Roster {
  readonly #neighbours = new Map<string, Neighbour>();
  readonly #lodging: (space: string) => Lodging | undefined;
  readonly #now: () => number;

  /** @param now - milliseconds on a clock that nobody sets */
  constructor(lodging: (space: string) => Lodging | undefined, now: () => number) {
    this.#lodging = lodging;
    this.#now = now;
  }

  /** Which gateways there are besides this one. */
  get gateways(): readonly string[] {
    return [...this.#neighbours.keys()];
  }

  /** Something was heard of a gateway. False if some of what it told was missed: it must name all its members again. */
  heard(gateway: string, version: number): boolean {
    const neighbour = this.#neighbourOf(gateway);
    neighbour.heardAt = this.#now();
    return neighbour.version === version || neighbour.named !== undefined;
  }

  /** It begins to name all its members. */
  begin(gateway: string): void {
    const neighbour = this.#neighbourOf(gateway);
    neighbour.heardAt = this.#now();
    neighbour.named = new Set();
  }

  /** It has named them all, as they are after so many changes. */
  end(gateway: string, version: number): void {
    const neighbour = this.#neighbourOf(gateway);
    neighbour.heardAt = this.#now();
    neighbour.version = version;
    for (const key of neighbour.members.keys()) if (neighbour.named?.has(key) === false) drop(neighbour, key);
    delete neighbour.named;
  }

  /** Somebody is connected to it. */
  joined(gateway: string, member: RemoteMember): void {
    const { members, named } = this.#neighbourOf(gateway);
    const key = keyOf(member.space, member.name);
    named?.add(key);
    const known = members.get(key);
    if (known !== undefined) return known.update(member);
    const lodger = this.#lodging(member.space)?.admit(member);
    if (lodger !== undefined) members.set(key, lodger);
  }

  /** Somebody is no longer connected to it. */
  left(gateway: string, space: string, name: string): void {
    drop(this.#neighbourOf(gateway), keyOf(space, name));
  }

  /** It told of a change: one more. False if one before it was missed. */
  changed(gateway: string, version: number): boolean {
    const neighbour = this.#neighbourOf(gateway);
    neighbour.heardAt = this.#now();
    const isNext = neighbour.version === version - 1;
    if (isNext) neighbour.version = version;
    return isNext || neighbour.named !== undefined;
  }

  /** It has closed, or is not heard of. */
  forget(gateway: string): void {
    const neighbour = this.#neighbours.get(gateway);
    if (neighbour === undefined) return;
    this.#neighbours.delete(gateway);
    for (const key of neighbour.members.keys()) drop(neighbour, key);
  }

  /** Forgets those that were not heard of for so many milliseconds. */
  expire(silence: number): void {
    const now = this.#now();
    for (const [gateway, { heardAt }] of this.#neighbours) if (now - heardAt > silence) this.forget(gateway);
  }

  /** Everybody counts as just heard of: for a while nobody could be. */
  excuse(): void {
    for (const neighbour of this.#neighbours.values()) neighbour.heardAt = this.#now();
  }

  #neighbourOf(gateway: string): Neighbour {
    const known = this.#neighbours.get(gateway);
    if (known !== undefined) return known;
    const neighbour: Neighbour = { members: new Map(), version: -1, heardAt: this.#now() };
    this.#neighbours.set(gateway, neighbour);
    return neighbour;
  }
}

function drop({ members }: Neighbour, key: string): void {
  const lodger = members.get(key);
  members.delete(key);
  lodger?.leave();
}

/** No space has a slash in its name. */
function keyOf(space: string, name: string): string {
  return `${space}/${name}`;
}
