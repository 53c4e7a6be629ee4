import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import { defined, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { ParticipantRights } from '@proffer/core/operations';

/** A participant connected to a gateway, as that one reports it to the others. */
export interface RemoteMember {
  readonly space: string;
  readonly name: string;
  readonly rights: ParticipantRights;
  /** Absent if it serves nothing; else the serving process, empty if unknown. */
  readonly serves?: string | undefined;
  /** The streams that it has open there. */
  readonly streams?: readonly SharedStream[];
}

/** A mew stream, as reported between gateways. */
export interface SharedStream {
  /** The message that opened it. */
  readonly opened: JsonObject;
  /** Why it has just ended; absent while it is open. */
  readonly closed?: JsonValue;
  /** The message about what has just changed; absent if nothing has. */
  readonly changed?: JsonObject;
  /** How many frames its gateway has forwarded, if known. */
  readonly sent?: number;
}

export function encodeMember({ space, name, rights, serves, streams = [] }: RemoteMember): JsonObject {
  const { capabilities, isObserver, runsOwnCalls, reviewOnly, roles, subject } = rights;
  const { isConfigured, worksFor } = rights;
  return {
    space,
    name,
    capabilities: [...capabilities.sources],
    ...defined({ isObserver, runsOwnCalls, reviewOnly }),
    ...(roles === undefined ? {} : { roles: [...roles] }),
    ...defined({ subject, isConfigured, worksFor, serves }),
    ...(streams.length === 0 ? {} : { streams: streams.map(encodeStream) }),
  };
}

function encodeStream({ opened, closed, changed, sent }: SharedStream): JsonObject {
  return { opened, ...defined({ closed, changed, sent }) };
}

function decodeStream(value: JsonValue): readonly SharedStream[] {
  if (!isJsonObject(value)) return [];
  const { opened, closed, changed, sent } = value;
  if (!isJsonObject(opened) || !isJsonObject(opened['payload'])) return [];
  const news = { ...defined({ closed }), ...(isJsonObject(changed) ? { changed } : {}) };
  return [{ opened, ...news, ...(typeof sent === 'number' ? { sent } : {}) }];
}

/** Parses another gateway's message; `undefined` if it is not understood, as from a later version. */
export function decodeMember(value: JsonValue | undefined): RemoteMember | undefined {
  if (!isJsonObject(value)) return undefined;
  const { space, name, capabilities, roles, subject, worksFor, serves, streams } = value;
  if (typeof space !== 'string' || typeof name !== 'string') return undefined;
  const parsed = (Array.isArray(capabilities) ? capabilities : []).map((source) => parseCapability(source));
  const granted = parsed.flatMap((one) => (one.ok ? [one.value] : []));
  return {
    space,
    name,
    rights: {
      capabilities: compileCapabilities(granted),
      isObserver: value['isObserver'] === true,
      runsOwnCalls: value['runsOwnCalls'] === true,
      reviewOnly: value['reviewOnly'] === true,
      roles: Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [],
      ...(typeof subject === 'string' ? { subject } : {}),
      ...(value['isConfigured'] === true ? { isConfigured: true } : {}),
      ...(typeof worksFor === 'string' ? { worksFor } : {}),
    },
    ...(typeof serves === 'string' ? { serves } : {}),
    ...(Array.isArray(streams) ? { streams: streams.flatMap(decodeStream) } : {}),
  };
}
