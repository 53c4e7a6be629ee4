/** A new message id: 128 random bits. Not `randomUUID`, which browsers have only on secure pages. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
