/** Properties that may be `undefined`, as properties that may be absent. */
export type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The properties that have a value. An optional property is absent or has a value, and is never `undefined`, so an object
 * takes over what somebody may have left out with `{ id, ...defined({ reason, expiresAt }) }`. This costs about 0.1 µs more
 * than a condition for each property: what happens for every message has the conditions.
 */
export function defined<T extends object>(properties: T): Defined<T> {
  const found: Defined<T> = {};
  for (const name in properties) {
    const value = properties[name];
    if (value !== undefined) found[name] = value as Exclude<T[typeof name], undefined>;
  }
  return found;
}
