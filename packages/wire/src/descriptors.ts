import { type DescFile, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { file_grpc_health_v1_health } from './gen/grpc/health/v1/health_pb.js';
import { file_grpc_reflection_v1_reflection } from './gen/grpc/reflection/v1/reflection_pb.js';
import { file_grpc_reflection_v1alpha_reflection } from './gen/grpc/reflection/v1alpha/reflection_pb.js';
import { file_macp_modes_proposal_v1_proposal } from './gen/macp/modes/proposal/v1/proposal_pb.js';
import { file_macp_v1_runtime } from './gen/macp/v1/runtime_pb.js';

/** One .proto file, for those who ask a server what it speaks. */
export interface ProtoFile {
  /** Such as `macp/v1/envelope.proto`. */
  readonly name: string;
  /** A `FileDescriptorProto`. */
  readonly bytes: Uint8Array;
  /** The full names of what is declared in it: messages, enums, services and their methods. */
  readonly symbols: readonly string[];
  /** The names of the files that it imports. */
  readonly imports: readonly string[];
}

/** Every .proto file of this package; a file stands after those that it imports. */
export const PROTO_FILES: readonly ProtoFile[] = collect([
  file_macp_v1_runtime,
  file_macp_modes_proposal_v1_proposal,
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
  const services = file.services.flatMap(({ typeName, methods }) => [
    typeName,
    ...methods.map(({ name }) => `${typeName}.${name}`),
  ]);
  const types = [...file.messages, ...file.enums].map(({ typeName }) => typeName);
  const nested = file.messages.flatMap(({ nestedEnums, nestedMessages }) =>
    [...nestedEnums, ...nestedMessages].map(({ typeName }) => typeName),
  );
  return {
    name: file.proto.name,
    bytes: toBinary(FileDescriptorProtoSchema, file.proto),
    symbols: [...services, ...types, ...nested],
    imports: file.proto.dependency,
  };
}
