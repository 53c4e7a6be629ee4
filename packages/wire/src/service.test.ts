import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { PROTO_FILES } from './descriptors.js';
import { HEALTH_SERVICE, RUNTIME_SERVICE, SERVICE_NAMES } from './service.js';

describe('the service', () => {
  it('lists every RPC with its path, messages and streaming directions', () => {
    const rows = Object.values(RUNTIME_SERVICE).map(
      ({ path, kind, request, response }) => `${path} ${kind} ${request.typeName} ${response.typeName}`,
    );
    expect(rows).toHaveLength(27);
    const of = (name: string, kind: string) =>
      `/macp.v1.MACPRuntimeService/${name} ${kind} macp.v1.${name}Request macp.v1.${name}Response`;
    expect(rows).toContain(of('Send', 'unary'));
    expect(rows).toContain(of('StreamSession', 'bidi_streaming'));
    expect(rows).toContain(of('WatchPolicies', 'server_streaming'));
    expect(HEALTH_SERVICE.check.path).toBe('/grpc.health.v1.Health/Check');
  });

  it('has files that describe it, each after the files it imports', () => {
    const seen = new Set<string>();
    for (const { name, bytes, imports } of PROTO_FILES) {
      expect(fromBinary(FileDescriptorProtoSchema, bytes).name).toBe(name);
      for (const imported of imports) expect(seen).toContain(imported);
      seen.add(name);
    }
    const symbols = PROTO_FILES.flatMap((file) => file.symbols);
    for (const service of SERVICE_NAMES) expect(symbols).toContain(service);
    expect(symbols).toContain('macp.v1.SessionLifecycleEvent.EventType');
    expect(symbols).toContain('macp.v1.MACPRuntimeService.Send');
    expect(symbols).toContain('macp.v1.Envelope.payload');
    expect(symbols).toContain('macp.v1.StreamSessionResponse.response');
    expect(symbols).toContain('macp.v1.SessionStartPayload.ExtensionsEntry.value');
    expect(symbols).toContain('macp.v1.SESSION_STATE_OPEN');
    expect(symbols).toContain('macp.v1.SessionLifecycleEvent.EVENT_TYPE_CREATED');
    expect(new Set(symbols).size).toBe(symbols.length);
  });
});
