import { isJsonObject, type JsonObject } from '@proffer/core/json';
import type { Logger } from 'pino';
import { differingKeys } from '../config/index.js';
import { VERSION } from '../version.js';

/** A gateway on the same journal with a different configuration. */
export type Difference = {
  /** The gateway's machine and listen address. */
  readonly gateway: string;
  /** The keys of the configuration, such as `spaces.main.review`. */
  readonly keys: readonly string[];
};

/** Compares the configurations of the gateways on a journal. */
export interface ConfigComparison {
  /** Tells the others this gateway's configuration. */
  announce(): void;
  /**
   * Another gateway's configuration: a difference is logged once, and once more when it is over. A gateway
   * that was silent for a moment, or was restarted, is the same one if its name is.
   */
  hear(from: string, message: JsonObject): void;
  /**
   * Forgets all gateways but these. Called with every heartbeat; now and then it announces this gateway's
   * configuration again, because messages may be lost.
   */
  keep(gateways: readonly string[]): void;
  differences(): readonly Difference[];
}

export interface ConfigComparisonOptions {
  /** How people recognise this gateway. */
  readonly name: string;
  /** The gateway's current configuration: the hash of each part that should be the same everywhere. */
  readonly parts: () => JsonObject;
  readonly tell: (type: 'config', fields: JsonObject) => void;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds on a monotonic clock. Default: the process's. */
  readonly now?: () => number;
}

/** How often a configuration is announced, in milliseconds. */
const REPEAT = 30_000;

/** How long a gateway that differs may be away before that is logged, in milliseconds: a restart takes less. */
const ABSENCE = 60_000;

interface Announced {
  readonly name: string;
  readonly parts: JsonObject;
}

interface Logged {
  readonly keys: string;
  /** When a gateway of that name was last here. */
  seenAt: number;
}

/**
 * Compares configurations. During a rolling change they differ for a while, so a difference is only ever a
 * warning.
 */
export function compareConfigs(options: ConfigComparisonOptions): ConfigComparison {
  const { name, parts, tell, log, now = () => performance.now() } = options;
  const announced = new Map<string, Announced>();
  /** The differences that were logged, by the gateway's name: it has another id after a restart. */
  const logged = new Map<string, Logged>();
  let announcedAt = now();

  function differenceTo(other: Announced): Difference | undefined {
    const keys = differingKeys(parts(), other.parts);
    return keys.length === 0 ? undefined : { gateway: other.name, keys };
  }

  const differences = (): Difference[] => [...announced.values()].flatMap((one) => differenceTo(one) ?? []);

  /** @param gateway - the name of one that is here */
  function logChange(gateway: string): void {
    // A name may be that of several: two machines may be called the same.
    const all = differences().flatMap((one) => (one.gateway === gateway ? one.keys : []));
    const keys = [...new Set(all)];
    const text = keys.join(', ');
    if (text === (logged.get(gateway)?.keys ?? '')) return;
    if (keys.length === 0) {
      logged.delete(gateway);
      log.warn({ gateway }, 'the gateway has the same configuration again');
    } else {
      logged.set(gateway, { keys: text, seenAt: now() });
      log.warn({ gateway, keys }, 'another gateway on this journal has a different configuration');
    }
  }

  const namesHere = (): Set<string> => new Set(Array.from(announced.values(), (one) => one.name));

  function logAbsent(): void {
    const here = namesHere();
    for (const [gateway, one] of logged) {
      if (here.has(gateway)) one.seenAt = now();
      else if (now() - one.seenAt >= ABSENCE) {
        logged.delete(gateway);
        log.warn({ gateway }, 'the gateway with a different configuration has left');
      }
    }
  }

  function announce(): void {
    announcedAt = now();
    tell('config', { version: VERSION, name, parts: parts() });
    for (const gateway of namesHere()) logChange(gateway);
  }

  return {
    announce,
    hear(from, { version, name: other, parts: theirs }) {
      // Versions may parse the same file differently, so they are not compared.
      if (version !== VERSION || typeof other !== 'string' || !isJsonObject(theirs)) return;
      announced.set(from, { name: other, parts: theirs });
      logChange(other);
    },
    keep(gateways) {
      for (const [id, { name: gone }] of announced) {
        if (gateways.includes(id)) continue;
        announced.delete(id);
        // Killed and started again, it was here twice for a moment.
        if (namesHere().has(gone)) logChange(gone);
      }
      logAbsent();
      if (now() - announcedAt >= REPEAT) announce();
    },
    differences,
  };
}
