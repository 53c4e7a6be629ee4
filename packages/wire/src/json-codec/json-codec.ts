import type { Message } from '@bufbuild/protobuf';
import type {
  Ack,
  MacpErrorBody,
  ModeDescriptor,
  PolicyDescriptor,
  SessionMetadata,
} from '@proffer/core/negotiation';
import type { SessionState } from '../gen/macp/v1/envelope_pb.js';
import type { SessionLifecycleEvent_EventType as EventType } from '../gen/macp/v1/sessions_pb.js';

/** An envelope whose payload is still bytes. */
export interface WireEnvelope {
  readonly macp_version: string;
  readonly mode: string;
  readonly message_type: string;
  readonly message_id: string;
  readonly session_id: string;
  readonly sender: string;
  readonly timestamp_unix_ms: number;
  readonly payload: Uint8Array;
}

/** The messages whose twins have named types. */
interface Named {
  readonly 'macp.v1.Envelope': WireEnvelope;
  readonly 'macp.v1.MACPError': MacpErrorBody;
  readonly 'macp.v1.Ack': Ack;
  readonly 'macp.v1.SessionMetadata': SessionMetadata;
  readonly 'macp.v1.PolicyDescriptor': PolicyDescriptor;
  readonly 'macp.v1.ModeDescriptor': ModeDescriptor;
}

type StateName = SessionMetadata['state'] | 'UNSPECIFIED';
type EventName = 'UNSPECIFIED' | 'CREATED' | 'RESOLVED' | 'EXPIRED' | 'SUSPENDED' | 'RESUMED' | 'CANCELLED';

type Snake<Name extends string, Done extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? Snake<Rest, First extends Lowercase<First> ? `${Done}${First}` : `${Done}_${Lowercase<First>}`>
  : Done;

/** The members of a oneof are optional fields like the others. */
type Members<Oneof> = Oneof extends { readonly case: infer Case extends string; readonly value: infer Value }
  ? { readonly [Name in Case as Snake<Name>]?: Value }
  : never;
type Merged<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type Fields<Type> = {
  readonly [Name in keyof Type as Name extends `$${string}`
    ? never
    : Type[Name] extends { readonly case: unknown }
      ? never
      : Snake<Name & string>]: Value<Type[Name]>;
} & {
  readonly [Name in keyof OneofFields<Type>]: Value<OneofFields<Type>[Name]>;
};

type Oneofs<Type> = {
  [Name in keyof Type]: Type[Name] extends { readonly case: unknown } ? Type[Name] : never;
}[keyof Type];
type OneofFields<Type> = [Oneofs<Type>] extends [never] ? unknown : Merged<Members<Oneofs<Type>>>;

type Value<Type> =
  Type extends Message<infer Name>
    ? Name extends keyof Named
      ? Named[Name]
      : Fields<Type>
    : Type extends bigint
      ? number
      : Type extends Uint8Array
        ? string
        : Type extends readonly (infer Element)[]
          ? readonly Value<Element>[]
          : Type extends string | boolean | undefined
            ? Type
            : Type extends number
              ? Word<Type>
              : Type extends object
                ? { readonly [Key in keyof Type]: Value<Type[Key]> }
                : never;

/**
 * An enum has only certain numbers, but the compiler accepts any number for it, so strings are
 * compared.
 */
type Word<Type extends number> = `${number}` extends `${Type}`
  ? number
  : Type extends SessionState
    ? StateName
    : Type extends EventType
      ? EventName
      : string;

/**
 * The JSON twin of a generated message: names as in the .proto file, 64-bit numbers as numbers, bytes
 * in base64, enums by name without their prefix, the members of a oneof as optional fields.
 */
export type JsonForm<Type> = Value<Type>;
