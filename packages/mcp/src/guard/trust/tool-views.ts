/** Someone who was shown a tool list. */
export interface Viewing {
  /** Who; `undefined` for clients that cannot be told apart. */
  readonly by?: object;
  /** The connection to the server on which it was shown; one for all clients that share a server. */
  readonly on: object;
  /** Whether it is a further page of a list. */
  readonly isContinued?: boolean;
}

interface View {
  /** `undefined` for those who are gone. */
  readonly on?: object;
  readonly digests: ReadonlySet<string>;
}

/** The maximum number of remembered changes of one tool per viewer. */
const MAX_COUNT = 10;

/** Stands for all clients that cannot be told apart: what one of them was shown, another cannot undo. */
const ANYBODY = {};

/**
 * Stands for viewers who are gone: what they were shown is what the server offers, until it offers something
 * else.
 */
const GONE = {};

const NOTHING: View = { digests: new Set() };

/**
 * Who was shown which tools differently from their pins, by digest. A server gains nothing by showing its
 * tools differently to different viewers: a tool counts as changed as long as one viewer has the changed
 * version, and after that until the server is seen to offer the pinned one.
 */
export class ToolViews {
  readonly #changes = new Map<string, Map<object, View>>();
  /** Connections on which something was shown, and those that have ended. */
  readonly #live = new Set<object>();
  readonly #over = new WeakSet<object>();
  /** Connections on which a tool was only shown as it was before an accepted change. */
  readonly #behind = new Map<string, Set<object>>();

  /** Whether someone has a definition other than the pinned one. */
  has(tool: string): boolean {
    return this.#changes.has(tool) || this.#behind.has(tool);
  }

  /** Whether someone has this change of a tool. */
  hasChange(tool: string, digest: string): boolean {
    for (const { digests } of this.#changes.get(tool)?.values() ?? []) if (digests.has(digest)) return true;
    return false;
  }

  /**
   * Records how a tool was shown.
   *
   * @param changed - the digests of definitions that differ from the pin
   */
  note(tool: string, changed: readonly string[], { by, on, isContinued = false }: Viewing): void {
    const isOver = this.#over.has(on);
    const viewer = isOver ? GONE : (by ?? ANYBODY);
    if (!isOver) {
      this.#live.add(on);
      this.#catchUp(tool, on);
      this.#set(tool, GONE, NOTHING);
    }
    const before = this.#changes.get(tool)?.get(viewer)?.digests ?? [];
    const kept = isContinued || by === undefined || isOver ? before : [];
    const digests = new Set([...kept, ...changed].slice(-MAX_COUNT));
    this.#set(tool, viewer, isOver ? { digests } : { on, digests });
  }

  /** A definition was accepted: viewers who have it no longer have a change; those with the old pin do. */
  accept(tool: string, digest: string): void {
    const upToDate = new Set<object | undefined>();
    for (const [viewer, { on, digests }] of this.#changes.get(tool) ?? []) {
      if (!digests.has(digest)) continue;
      upToDate.add(on);
      const others = new Set([...digests].filter((other) => other !== digest));
      this.#set(tool, viewer, on === undefined ? { digests: others } : { on, digests: others });
    }
    const behind = [...this.#live].filter((connection) => !upToDate.has(connection));
    if (behind.length > 0) this.#behind.set(tool, new Set(behind));
  }

  /** A connection has ended. What was last shown on it still counts as what the server offers. */
  forget(connection: object): void {
    this.#over.add(connection);
    this.#live.delete(connection);
    for (const tool of this.#behind.keys()) this.#catchUp(tool, connection);
    for (const [tool, views] of this.#changes) {
      const gone = [...views].filter(([, { on }]) => on === connection);
      if (gone.length === 0) continue;
      for (const [viewer] of gone) views.delete(viewer);
      const left = [...(views.get(GONE)?.digests ?? [])];
      for (const [, { digests }] of gone) left.push(...digests);
      this.#set(tool, GONE, { digests: new Set(left.slice(-MAX_COUNT)) });
    }
  }

  #catchUp(tool: string, connection: object): void {
    const behind = this.#behind.get(tool);
    behind?.delete(connection);
    if (behind?.size === 0) this.#behind.delete(tool);
  }

  #set(tool: string, viewer: object, view: View): void {
    const views = this.#changes.get(tool) ?? new Map<object, View>();
    if (view.digests.size === 0) views.delete(viewer);
    else views.set(viewer, view);
    if (views.size === 0) this.#changes.delete(tool);
    else this.#changes.set(tool, views);
  }
}
