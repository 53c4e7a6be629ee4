import { type Refusal, refuse } from '@proffer/core';
import type { Macs } from './key-ring.js';

/** What the headers of a message say about it. All of it is signed. */
export interface SignedHead {
  readonly version: number;
  readonly hash: string;
  /** 0 for a mark. */
  readonly envelopeEnd: number;
  readonly removed: number;
  /** For a mark only. */
  readonly lastSeq?: number | undefined;
  /** Empty if unknown. */
  readonly writtenBy: string;
}

/** A message as it was found, with its code; empty if it has none. */
export interface FoundHead extends SignedHead {
  readonly mac: string;
}

/** Which records without a code count, because they are from before there were codes: all, or up to a sequence. */
export type AcceptUnsigned = 'none' | 'all' | number;

/** Tells messages that a gateway wrote from all others. */
export interface Authenticity {
  /** The code of a message. */
  sign(subject: string, head: SignedHead): string;
  /**
   * The refusal of a message that no gateway wrote, or not for this place; `undefined` for all others. Its data is not
   * checked: the signed hash covers it.
   */
  check(message: Located, head: FoundHead | undefined): Refusal | undefined;
  /** Signs a text that gateways send each other. */
  signText(text: string): string;
  isTextValid(text: string, mac: string | undefined): boolean;
}

interface Located {
  readonly subject: string;
  readonly seq: number;
}

export interface AuthenticityOptions {
  readonly macs: Macs;
  /** The id of the journal, so that records of another one do not count here. Empty in a stream of an older release. */
  readonly journal: string;
  readonly acceptUnsigned: AcceptUnsigned;
  /** The subject of messages that mean nothing. */
  readonly gap: string;
}

export function createAuthenticity(options: AuthenticityOptions): Authenticity {
  const { macs, journal, acceptUnsigned, gap } = options;

  /** A place in a stream is its version: the sequence is assigned by the server, later. */
  function textOf(subject: string, head: SignedHead): string {
    const { version, hash, envelopeEnd, removed, lastSeq = '', writtenBy } = head;
    const fields = [journal, subject, version, hash, envelopeEnd, removed, lastSeq, writtenBy];
    return `proffer-record-1\n${fields.join('\n')}`;
  }

  const peerText = (text: string): string => `proffer-peer-1\n${journal}\n${text}`;

  function isAcceptedUnsigned(seq: number): boolean {
    if (typeof acceptUnsigned === 'number') return seq <= acceptUnsigned;
    return acceptUnsigned === 'all';
  }

  return {
    sign: (subject, head) => macs.sign(textOf(subject, head)),
    check(message, head) {
      const { subject, seq } = message;
      if (subject === gap) return undefined;
      if (head === undefined) return forged(message, 'is not a record');
      const { mac } = head;
      if (mac === '') {
        if (isAcceptedUnsigned(seq)) return undefined;
        const older = journal === '' ? ' If an older release of Proffer wrote it, accept it once' : '';
        return forged(message, 'has no MAC', older && `${older} (journal.nats.accept_unsigned).`);
      }
      const verdict = macs.check(textOf(subject, head), mac, seq);
      switch (verdict) {
        case 'valid':
          return undefined;
        case 'wrong':
          return forged(message, 'has a wrong MAC: it was forged, or it was written for another place');
        case 'replaced key':
          return forged(message, `has a MAC under the key ${keyIn(mac)}, which is no longer accepted`);
        case 'unknown key':
          return refuse(
            'unusable_keys',
            `Message ${seq} on ${subject} has a MAC under the key ${keyIn(mac)}, which is not among the keys here.`,
            { subject, seq, key: keyIn(mac) },
          );
      }
    },
    signText: (text) => macs.sign(peerText(text)),
    isTextValid: (text, mac) =>
      mac === undefined ? acceptUnsigned === 'all' : macs.check(peerText(text), mac) === 'valid',
  };
}

const keyIn = (mac: string): string => mac.slice(0, Math.max(0, mac.indexOf(':')));

function forged({ subject, seq }: Located, what: string, hint = ''): Refusal {
  const message = `Message ${seq} on ${subject} ${what}, so no gateway wrote it there.${hint}`;
  return refuse('forged_record', message, { subject, seq });
}
