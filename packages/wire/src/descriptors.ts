import { type DescFile, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { file_grpc_health_v1_health } from './gen/grpc/health/v1/health_pb.js';
import { file_grpc_reflection_v1_reflection } from './gen/grpc/reflection/v1/reflection_pb.js';
import { file_grpc_reflection_v1alpha_reflection } from './gen/grpc/reflection/v1alpha/reflection_pb.js';
import { file_macp_v1_runtime } from './gen/macp/v1/runtime_pb.js';
import { MODE_FILES } from './gen/modes.js';

/** One .proto file, for server reflection. */
export interface ProtoFile {
  /** Such as `macp/v1/envelope.proto`. */
  readonly name: string;
  /** A `FileDescriptorProto`. */
  readonly bytes: Uint8Array;
  /** The full names of everything it declares, including methods, fields, oneofs and enum values. */
  readonly symbols: readonly string[];
  /** The names of the files it imports. */
  readonly imports: readonly string[];
}

/** Every .proto file of this package, each after the files it imports. */
export const PROTO_FILES: readonly ProtoFile[] = collect([
  file_macp_v1_runtime,
  ...MODE_FILES,
  file_grpc_health_v1_health,
  file_grpc_reflection_v1_reflection,
  file_grpc_reflection_v1alpha_reflection,
]);

function collect(roots: readonly DescFile[]): readonly ProtoFile[] {
  const found = new Map<string, ProtoFile>();
  const add = (file: DescFile): void => {
    for (const dependency of file.dependencies) add(dependency);
    found.set(file.name, describe(file));
  };
  for (const root of roots) add(root);
  return [...found.values()];
}

function describe(file: DescFile): ProtoFile {
  const { name, dependency, messageType, enumType, service } = file.proto;
  const scope = file.proto.package;
  return {
    name,
    bytes: toBinary(FileDescriptorProtoSchema, file.proto),
    symbols: [
      ...messageType.flatMap((message) => symbolsOf(message, scope)),
      ...enumType.flatMap((one) => enumSymbols(one, scope)),
      ...named(service, scope),
      ...service.flatMap(({ name: own, method }) => named(method, `${scope}.${own}`)),
    ],
    imports: dependency,
  };
}

function symbolsOf(message: DescriptorProto, scope: string): readonly string[] {
  const own = `${scope}.${message.name}`;
  return [
    own,
    ...named(message.field, own),
    ...named(message.oneofDecl, own),
    ...message.nestedType.flatMap((nested) => symbolsOf(nested, own)),
    ...message.enumType.flatMap((one) => enumSymbols(one, own)),
  ];
}

// Enum values are in the enum's scope, not in the enum itself.
function enumSymbols({ name, value }: EnumDescriptorProto, scope: string): readonly string[] {
  return [`${scope}.${name}`, ...named(value, scope)];
}

function named(members: readonly { readonly name: string }[], scope: string): readonly string[] {
  return members.map(({ name }) => `${scope}.${name}`);
}
