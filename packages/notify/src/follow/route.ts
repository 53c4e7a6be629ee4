import { authorizeToSome, type Capability, compileCapabilities } from '@proffer/core/capability';
import { defined, type JsonObject } from '@proffer/core/json';
import type { GatewayConfig, NotifyRoute, QuietHours } from '@proffer/gateway/config';
import type { Channel } from '../channels/channel.js';
import { openChannel } from '../channels/registry.js';
import type { OutboxSettings, Summary } from '../outbox/outbox.js';

/**
 * Everyone to notify, and how to reach them.
 *
 * @param onFault - called for a route that cannot be used, because a secret is missing; the others are used
 */
export function routesOf(
  config: GatewayConfig,
  onFault: (channel: string, participant: string, error: unknown) => void,
): readonly ChannelRoute[] {
  const { notify } = config;
  if (notify === undefined) return [];
  return [...notify.participants].flatMap(([participant, written]) =>
    written.flatMap((route) => {
      const settings = notify.channels.get(route.channel);
      if (settings === undefined) return [];
      let channel: Channel;
      try {
        channel = openChannel(settings, route);
      } catch (error) {
        onFault(route.channel, participant, error);
        return [];
      }
      const { digest, remind, quiet, updates } = route;
      return spacesOf(config, participant, route).map(
        (space): ChannelRoute => ({
          space,
          participant,
          channelName: route.to === undefined ? route.channel : `${route.channel}:${route.to}`,
          channel,
          settings: {
            digest,
            ...defined({ remind }),
            quietUntil: quietUntil(quiet),
            updates: updates && channel.reportsOutcomes,
          },
          wants: wantsFor(readerIn(config, participant, space), route.when),
        }),
      );
    }),
  );
}

function spacesOf(config: GatewayConfig, participant: string, { spaces }: NotifyRoute): readonly string[] {
  return spaces ?? [...(config.participants.get(participant)?.spaces.keys() ?? [])];
}

function readerIn({ participants }: GatewayConfig, participant: string, space: string): Reader {
  const { roles = [], spaces } = participants.get(participant) ?? {};
  return { participant, roles, capabilities: spaces?.get(space) ?? [] };
}

/** A participant in a space, as far as notifications depend on it. */
interface Reader {
  readonly participant: string;
  readonly roles: readonly string[];
  readonly capabilities: Iterable<Capability>;
}

/** No one is notified about their own proposals, or about those that only others are asked to decide. */
export function wantsFor(
  { participant, roles, capabilities }: Reader,
  when: NotifyRoute['when'],
): (asked: AskedProposal) => boolean {
  if (when === 'all') return ({ summary }) => summary.proposer !== participant;
  const compiled = compileCapabilities([...capabilities]);
  const names = new Set([participant, ...roles.map((role) => `role:${role}`)]);
  return ({ summary, params, addressees }) => {
    const { proposer, method } = summary;
    if (proposer === participant) return false;
    if (addressees.some((name) => names.has(name))) return true;
    if (when === 'addressed' || addressees.length > 0) return false;
    const payload = { method, ...defined({ params }) };
    return (
      authorizeToSome(compiled, { from: participant, kind: `mcp.request.${method}`, payload }) === undefined
    );
  };
}

const MINUTE = 60_000;
const DAY = 24 * 60;

/** Returns a function that gives the end of the quiet hours that contain a moment, or `undefined`. */
export function quietUntil(quiet: QuietHours | undefined): (time: number) => number | undefined {
  if (quiet === undefined) return () => undefined;
  const { from, to, zone } = quiet;
  const clock = clockOf(zone);
  return (time) => {
    const minute = clock(time);
    const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!isQuiet) return undefined;
    const left = (to - minute + DAY) % DAY;
    const end = Math.floor(time / MINUTE) * MINUTE + left * MINUTE;
    // If the clocks change in between, the end is an hour off: check the local time there and correct
    // it.
    const drift = ((clock(end) - to + DAY + DAY / 2) % DAY) - DAY / 2;
    return end - drift * MINUTE;
  };
}

/** Minutes since midnight in a zone's local time. */
function clockOf(zone: string): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0);
  };
}

/** One person, one space, one channel. */
export interface ChannelRoute {
  readonly space: string;
  readonly participant: string;
  /** The channel's name in the configuration. */
  readonly channelName: string;
  readonly channel: Channel;
  readonly settings: OutboxSettings;
  /** Whether to notify this person of a proposal. */
  readonly wants: (asked: AskedProposal) => boolean;
}

/** A pending proposal, and who is asked. */
export interface AskedProposal {
  readonly summary: Summary;
  /** As proposed, to find out who may decide. Not stored anywhere. */
  readonly params?: JsonObject;
  /** Names and `role:…`; empty: everyone. */
  readonly addressees: readonly string[];
}
