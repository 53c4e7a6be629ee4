import { create, createFileRegistry, type DescFile } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { servedModes } from '@proffer/core/negotiation';
import { expect, it } from 'vitest';
import { file_macp_v1_envelope } from '../gen/macp/v1/envelope_pb.js';
import { MODE_FILES } from '../gen/modes.js';
import { collectModes, MODES } from './registry.js';

it('N-12: every supported mode has all its messages on the wire', () => {
  const common = new Set(['SessionStart', 'Commitment']);
  for (const { mode, message_types } of servedModes()) {
    const own = message_types.filter((type) => !common.has(type));
    expect([...(MODES.get(mode)?.payloads.keys() ?? [])]).toEqual(own);
  }
});

it('N-12: a mode is named by the package of its files, and has payloads of its own under the names of others', () => {
  const modes = collectModes([
    ...MODE_FILES,
    protoFile('macp/modes/vote/v1/vote.proto', ['AcceptPayload', 'Ballot']),
    protoFile('macp/modes/vote/v1/more.proto', ['AbstainPayload']),
  ]);
  const votes = modes.get('macp.mode.vote.v1');
  expect([...(votes?.payloads.keys() ?? [])]).toEqual(['Accept', 'Abstain']);
  expect(votes?.payloads.get('Accept')?.typeName).toBe('macp.modes.vote.v1.AcceptPayload');
  expect(modes.get('macp.mode.proposal.v1')).toEqual(MODES.get('macp.mode.proposal.v1'));
  expect(() => collectModes([file_macp_v1_envelope])).toThrow('expected macp.modes.NAME.vN');
});

function protoFile(name: string, messages: readonly string[]): DescFile {
  const messageType = messages.map((message) => ({ name: message }));
  const file = create(FileDescriptorProtoSchema, {
    name,
    package: 'macp.modes.vote.v1',
    syntax: 'proto3',
    messageType,
  });
  const described = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getFile(name);
  if (described === undefined) throw new Error(`${name} is not described.`);
  return described;
}
