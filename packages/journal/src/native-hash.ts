import { hash } from 'node:crypto';

/** The host's SHA-256, of text or of its bytes; the same results as core's own, several times as fast. */
export const nativeSha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex');
