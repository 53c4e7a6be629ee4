import type { MacpTransport } from '../transport.js';

export interface GrpcTransportOptions {
  /** Host and port, such as `127.0.0.1:50051`. */
  readonly target: string;
  /** Whether to use TLS. Default yes, except to this machine. */
  readonly secure?: boolean;
  /** The certificates to trust, in PEM. Default those that Node trusts. */
  readonly ca?: string | Uint8Array;
}

/**
 * The way to any MACP runtime over gRPC, from Node. What speaks gRPC is loaded with the first call: whoever has
 * no need of it does not wait for it either.
 */
export function grpcTransport(options: GrpcTransportOptions): MacpTransport {
  let opened: Promise<MacpTransport> | undefined;
  let isClosed = false;
  const load = async (): Promise<MacpTransport> => {
    const { openGrpcTransport } = await import('./grpc-transport.js');
    const transport = openGrpcTransport(options);
    // A call that comes too late fails as it does on one that was open.
    if (isClosed) await transport.close();
    return transport;
  };
  const open = (): Promise<MacpTransport> => {
    opened ??= load();
    return opened;
  };
  return {
    initialize: async (...call) => await (await open()).initialize(...call),
    send: async (...call) => await (await open()).send(...call),
    getSession: async (...call) => await (await open()).getSession(...call),
    controlSession: async (...call) => await (await open()).controlSession(...call),
    listSessions: async (...call) => await (await open()).listSessions(...call),
    sessionHistory: async (...call) => await (await open()).sessionHistory(...call),
    getManifest: async (...call) => await (await open()).getManifest(...call),
    listModes: async (...call) => await (await open()).listModes(...call),
    listExtModes: async (...call) => await (await open()).listExtModes(...call),
    registerExtMode: async (...call) => await (await open()).registerExtMode(...call),
    unregisterExtMode: async (...call) => await (await open()).unregisterExtMode(...call),
    promoteMode: async (...call) => await (await open()).promoteMode(...call),
    registerPolicy: async (...call) => await (await open()).registerPolicy(...call),
    unregisterPolicy: async (...call) => await (await open()).unregisterPolicy(...call),
    getPolicy: async (...call) => await (await open()).getPolicy(...call),
    listPolicies: async (...call) => await (await open()).listPolicies(...call),
    async *subscribe(...call) {
      yield* (await open()).subscribe(...call);
    },
    async *watchSessions(...call) {
      yield* (await open()).watchSessions(...call);
    },
    async *watchPolicies(...call) {
      yield* (await open()).watchPolicies(...call);
    },
    async *watchSignals(...call) {
      yield* (await open()).watchSignals(...call);
    },
    async *watchModeRegistry(...call) {
      yield* (await open()).watchModeRegistry(...call);
    },
    async *watchRoots(...call) {
      yield* (await open()).watchRoots(...call);
    },
    async close() {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}
