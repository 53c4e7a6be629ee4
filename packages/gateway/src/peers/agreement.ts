import { isJsonObject, type JsonObject } from '@proffer/core/json';
import type { Logger } from 'pino';
import { differingKeys } from '../config/index.js';
import { VERSION } from '../version.js';

/** A gateway on the same journal with a different configuration. */
export type Difference = {
  /** Its machine and listen address. */
  readonly gateway: string;
  /** The keys of the configuration, such as `spaces.main.review`. */
  readonly keys: readonly string[];
};

/** Compares the configurations of the gateways on a journal. */
export interface Agreement {
  /** Tells the others this gateway's configuration. */
  announce(): void;
  /** Another gateway's configuration: a difference is logged once, and once more when it is gone. */
  hear(from: string, message: JsonObject): void;
  /** Forgets all gateways but these. */
  keep(gateways: readonly string[]): void;
  differences(): readonly Difference[];
}

export interface AgreementOptions {
  /** How people recognise this gateway. */
  readonly name: string;
  /** Its current configuration: the hash of each part that should be the same everywhere. */
  readonly parts: () => JsonObject;
  readonly tell: (type: 'config', fields: JsonObject) => void;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Compares configurations. During a rolling change they differ for a while, so a difference is only ever a
 * warning.
 */
export function createAgreement({ name, parts, tell, log }: AgreementOptions): Agreement {
  const announced = new Map<string, { readonly name: string; readonly parts: JsonObject }>();
  /** What was logged, by gateway. */
  const logged = new Map<string, string>();

  /** Versions may parse the same file differently, so they are not compared. */
  function differenceTo(id: string): Difference | undefined {
    const other = announced.get(id);
    const keys = other === undefined ? [] : differingKeys(parts(), other.parts);
    return other === undefined || keys.length === 0 ? undefined : { gateway: other.name, keys };
  }

  function logChange(id: string): void {
    const difference = differenceTo(id);
    const keys = difference?.keys.join(', ') ?? '';
    if (keys === (logged.get(id) ?? '')) return;
    logged.set(id, keys);
    if (difference === undefined)
      log.warn({ gateway: announced.get(id)?.name }, 'the gateway has the same configuration again');
    else log.warn(difference, 'another gateway on this journal has a different configuration');
  }

  return {
    announce() {
      tell('config', { version: VERSION, name, parts: parts() });
      for (const id of announced.keys()) logChange(id);
    },
    hear(from, { version, name: other, parts: theirs }) {
      if (version !== VERSION || typeof other !== 'string' || !isJsonObject(theirs)) return;
      announced.set(from, { name: other, parts: theirs });
      logChange(from);
    },
    keep(gateways) {
      for (const id of announced.keys()) {
        if (gateways.includes(id)) continue;
        announced.delete(id);
        logged.delete(id);
      }
    },
    differences: () => [...announced.keys()].flatMap((id) => differenceTo(id) ?? []),
  };
}
