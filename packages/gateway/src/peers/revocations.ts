import { setTimeout as delay } from 'node:timers/promises';
import {
  REVOCATION_SPACE,
  REVOCATION_STREAM,
  type RevokedTokens,
  revokedTokens,
  type TokenRecord,
  type TokensReplaced,
} from '@proffer/core/capability';
import type { Journal, StoredRecord } from '@proffer/journal';
import type { Logger } from 'pino';
import type { GatewayConfig } from '../config/index.js';
import { Entity } from '../host/index.js';
import { follow, type Replay } from '../journal/index.js';

/** The tokens revoked at any of the gateways on a journal. */
export interface Revocations {
  /** A configuration without them. */
  without(config: GatewayConfig): GatewayConfig;
  /** A reload replaced the configuration of this gateway: the others learn which tokens that revokes. */
  reloaded(before: GatewayConfig, after: GatewayConfig): void;
  close(): void;
}

export interface RevocationsOptions {
  readonly journal: Journal;
  readonly replay: Replay;
  readonly clock: () => number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Another gateway revoked or restored tokens of the last queried configuration. */
  readonly onChanged: () => void;
  /** Revocations of other gateways are no longer received, so this one must let nobody in (I-4). */
  readonly onBroken: (error: unknown) => void;
}

/** The retry interval after a failed report, in milliseconds. */
const RETRY = 1_000;

/** Replays revocations, and follows new ones. Nothing for a journal with one owner. */
export async function openRevocations(options: RevocationsOptions): Promise<Revocations> {
  const { journal, replay, clock, log, onChanged, onBroken } = options;
  if (journal.peers === undefined) return NONE;
  const closing = new AbortController();
  const { signal } = closing;
  /** The last queried configuration, and which of its tokens are left. */
  let asked: { readonly config: GatewayConfig; readonly left: string } | undefined;
  const leftOf = ({ tokens }: GatewayConfig): GatewayConfig['tokens'] =>
    tokens.filter(({ hash }) => !entity.state.has(hash));
  const onFault = (error: unknown): void =>
    log.error({ err: error }, 'revoked tokens could not be determined');
  const entity = new Entity<RevokedTokens, TokensReplaced, TokenRecord, { readonly now: number }>({
    journal,
    stream: REVOCATION_STREAM,
    decider: revokedTokens,
    onChange: () => {
      // A gateway that reloaded has already dropped what it revoked.
      if (asked !== undefined && namesOf(leftOf(asked.config)) !== asked.left) onChanged();
    },
    onFault,
  });
  const fold = (record: StoredRecord): void => entity.fold(record as StoredRecord<TokenRecord>);
  const after = await replay(REVOCATION_SPACE, fold);

  async function followOthers(): Promise<void> {
    for await (const records of follow(journal, REVOCATION_SPACE, { after, signal }))
      for (const record of records) fold(record);
  }
  followOthers().catch((error: unknown) => {
    if (!signal.aborted) onBroken(error);
  });

  async function tell(command: TokensReplaced): Promise<void> {
    while (!signal.aborted) {
      const why = await entity
        .submit(command, () => ({ now: clock() }))
        .then(
          (outcome) => (outcome.status === 'refused' ? outcome.refusal : undefined),
          (error: unknown) => error,
        );
      if (why === undefined) return;
      log.error({ why }, 'the other gateways could not be told which tokens were revoked; trying again');
      await delay(RETRY, undefined, { signal }).catch(() => {});
    }
  }

  let telling = Promise.resolve();
  return {
    without(config) {
      const tokens = leftOf(config);
      asked = { config, left: namesOf(tokens) };
      if (tokens.length === config.tokens.length) return config;
      for (const { hash, participant } of config.tokens)
        if (entity.state.has(hash))
          log.warn({ participant }, 'a token in the configuration was revoked at another gateway');
      return { ...config, tokens };
    },
    reloaded(before, next) {
      const command = { before: hashesOf(before), after: hashesOf(next) };
      telling = telling.then(() => tell(command));
    },
    close: () => closing.abort(),
  };
}

/** Distinguishes two token lists. */
function namesOf(tokens: GatewayConfig['tokens']): string {
  return tokens.map(({ hash }) => hash).join();
}

function hashesOf({ tokens }: GatewayConfig): readonly string[] {
  return tokens.map(({ hash }) => hash);
}

const NONE: Revocations = {
  without: (config) => config,
  reloaded: () => {},
  close: () => {},
};
