import type { DescMessage, DescMethod, DescService, MessageShape } from '@bufbuild/protobuf';
import { type Codec, codecOf } from './codec.js';
import { Health as HealthDesc } from './gen/grpc/health/v1/health_pb.js';
import { ServerReflection as ReflectionDesc } from './gen/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as ReflectionAlphaDesc } from './gen/grpc/reflection/v1alpha/reflection_pb.js';
import { MACPRuntimeService as RuntimeDesc } from './gen/macp/v1/runtime_pb.js';
import type { JsonForm } from './json-codec/json-codec.js';

/** Which sides send more than one message. */
export type MethodKind = 'unary' | 'server_streaming' | 'client_streaming' | 'bidi_streaming';

/** One RPC. */
export interface Method<Request = unknown, Response = unknown, Kind extends MethodKind = MethodKind> {
  /** Such as `Send`. */
  readonly name: string;
  /** Such as `/macp.v1.MACPRuntimeService/Send`. */
  readonly path: string;
  readonly kind: Kind;
  readonly request: Codec<Request>;
  readonly response: Codec<Response>;
}

type Shapes<Service extends DescService> = Service['method'];

/** A service's RPCs by name in lower camel case: `send`, `streamSession`. */
export type Methods<Service extends DescService> = {
  readonly [Name in keyof Shapes<Service>]: Shapes<Service>[Name] extends {
    readonly methodKind: infer Kind extends MethodKind;
    readonly input: infer Input extends DescMessage;
    readonly output: infer Output extends DescMessage;
  }
    ? Method<JsonForm<MessageShape<Input>>, JsonForm<MessageShape<Output>>, Kind>
    : never;
};

/** `macp.v1.MACPRuntimeService`. */
export const RUNTIME_SERVICE = methodsOf(RuntimeDesc);

/** `grpc.health.v1.Health`, the standard health check. */
export const HEALTH_SERVICE = methodsOf(HealthDesc);

/** `grpc.reflection.v1.ServerReflection`, which tells tools what a server offers. */
export const REFLECTION_SERVICE = methodsOf(ReflectionDesc);

/** The reflection service under the name that older tools use. */
export const REFLECTION_ALPHA_SERVICE = methodsOf(ReflectionAlphaDesc);

/** The full names of the services above. */
export const SERVICE_NAMES: readonly string[] = [
  RuntimeDesc,
  HealthDesc,
  ReflectionDesc,
  ReflectionAlphaDesc,
].map(({ typeName }) => typeName);

function methodsOf<Service extends DescService>(service: Service): Methods<Service> {
  const methods = Object.fromEntries(service.methods.map((method) => [method.localName, prepare(method)]));
  // One per method of the descriptor, which the type is derived from too.
  return methods as Methods<Service>;
}

function prepare({ name, parent, methodKind, input, output }: DescMethod): Method {
  return {
    name,
    path: `/${parent.typeName}/${name}`,
    kind: methodKind,
    request: codecOf(input),
    response: codecOf(output),
  };
}
