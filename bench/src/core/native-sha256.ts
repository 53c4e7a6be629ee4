import { hash } from 'node:crypto';
import type { HashText } from '@proffer/core';

/** The host's SHA-256, as a host hands it in. */
export const nativeSha256: HashText = (text) => hash('sha256', text, 'hex');
