import type { Capability, CapabilitySource } from './capability.js';

/**
 * A participant's capabilities, indexed so that a message is tested only against those that start
 * like its kind. Created by {@link compileCapabilities}.
 */
export interface CompiledCapabilities {
  /** As written, in order; shown to the participant as its own (O-9, O-27). */
  readonly sources: readonly CapabilitySource[];
  /** Patterns without a star, by text. */
  readonly literal: ReadonlyMap<string, readonly Capability[]>;
  /** Patterns with a star, by the text before the first one. */
  readonly byPrefix: ReadonlyMap<string, readonly Capability[]>;
  /** The lengths of these texts, each once, ascending. */
  readonly prefixLengths: readonly number[];
}

/** Indexes capabilities for {@link candidates}. Once per participant, not per message. */
export function compileCapabilities(capabilities: readonly Capability[]): CompiledCapabilities {
  const literal = new Map<string, Capability[]>();
  const byPrefix = new Map<string, Capability[]>();
  for (const capability of capabilities.flatMap(spelledOut)) {
    const { text } = capability.kind;
    const star = text.indexOf('*');
    if (star === -1) add(literal, text, capability);
    else add(byPrefix, text.slice(0, star), capability);
  }
  const lengths = new Set(Array.from(byPrefix.keys(), (prefix) => prefix.length));
  return {
    sources: capabilities.map(({ source }) => source),
    literal,
    byPrefix,
    prefixLengths: [...lengths].sort((left, right) => left - right),
  };
}

/**
 * The capabilities that may grant a kind, in stable lists: all that do are among them. Costs one
 * lookup per prefix length, however many capabilities there are.
 */
export function candidates(compiled: CompiledCapabilities, kind: string): readonly (readonly Capability[])[] {
  const found: (readonly Capability[])[] = [];
  const { literal, byPrefix, prefixLengths } = compiled;
  const exact = literal.get(kind);
  if (exact !== undefined) found.push(exact);
  const colon = kind.indexOf(':');
  // A pattern that ends before the context grants every context.
  const whole = colon === -1 ? undefined : literal.get(kind.slice(0, colon));
  if (whole !== undefined) found.push(whole);
  for (const length of prefixLengths) {
    if (length > kind.length) break;
    const some = byPrefix.get(kind.slice(0, length));
    if (some !== undefined) found.push(some);
  }
  return found;
}

/** A capability once per pattern that it grants. */
function spelledOut(capability: Capability): readonly Capability[] {
  const { also = [] } = capability.kind;
  return [capability, ...also.map((kind) => Object.assign({}, capability, { kind }))];
}

function add(map: Map<string, Capability[]>, key: string, capability: Capability): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [capability]);
  else list.push(capability);
}
