import { hash } from 'node:crypto';
import type { HashText } from '@proffer/core';

/** The host's SHA-256; the same results as core's own, several times as fast. */
export const nativeSha256: HashText = (text) => hash('sha256', text, 'hex');
