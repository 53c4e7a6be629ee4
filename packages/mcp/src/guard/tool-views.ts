import { type ChangedTool, pinDigest } from './tool-pins.js';

/** Somebody who was shown a list of tools. */
export interface Viewing {
  /** Who; nothing for clients that cannot be told apart. */
  readonly by?: object;
  /** Whether it is a further page of a list. */
  readonly isContinued?: boolean;
}

/** Changes of one tool that one viewer is kept to have seen. */
const MOST = 100;

/** Stands for all clients that cannot be told apart: what one of them was shown, another cannot unsee. */
const ANYBODY = {};

/**
 * Who was shown which tools otherwise than they were pinned. A server that shows its tools to different
 * viewers in different ways gains nothing by it: a tool is changed as long as one of them goes by a change.
 */
export class ToolViews {
  readonly #changes = new Map<string, Map<object, readonly ChangedTool[]>>();

  /** Whether somebody goes by a change of the tool. */
  has(tool: string): boolean {
    return this.#changes.has(tool);
  }

  /** The change of a tool into this definition, if somebody goes by it. */
  find(tool: string, digest: string): ChangedTool | undefined {
    const views = [...(this.#changes.get(tool)?.values() ?? [])];
    return views.flat().find(({ is }) => pinDigest(is) === digest);
  }

  /** Takes in how a tool was shown: changed, or, without changes, as it was pinned. */
  note(tool: string, changes: readonly ChangedTool[], { by, isContinued = false }: Viewing): void {
    const viewer = by ?? ANYBODY;
    const before = this.#changes.get(tool)?.get(viewer) ?? [];
    const kept = isContinued || by === undefined ? before : [];
    const known = new Set(kept.map(({ is }) => pinDigest(is)));
    const more = changes.filter(({ is }) => !known.has(pinDigest(is)));
    this.#set(tool, viewer, [...kept, ...more].slice(0, MOST));
  }

  /** Somebody accepted a definition: nobody who goes by it goes by a change any more. */
  accept(tool: string, digest: string): void {
    for (const [viewer, changes] of this.#changes.get(tool) ?? []) {
      const left = changes.filter(({ is }) => pinDigest(is) !== digest);
      this.#set(tool, viewer, left);
    }
  }

  /** A viewer is gone for good. */
  forget(viewer: object): void {
    for (const tool of this.#changes.keys()) this.#set(tool, viewer, []);
  }

  #set(tool: string, viewer: object, changes: readonly ChangedTool[]): void {
    const views = this.#changes.get(tool) ?? new Map<object, readonly ChangedTool[]>();
    if (changes.length === 0) views.delete(viewer);
    else views.set(viewer, changes);
    if (views.size === 0) this.#changes.delete(tool);
    else this.#changes.set(tool, views);
  }
}
