import type { Addresses } from '../connection/addresses.js';
import { isGone } from './macp-error.js';
import type { Attempt, MacpTransport } from './transport.js';

/**
 * One transport for several addresses. Each attempt goes to the current one; an attempt without an answer makes the
 * next address current. A connection to an address is opened when it is first needed.
 */
export function createFailoverTransport(
  addresses: Addresses,
  open: (address: string) => MacpTransport | Promise<MacpTransport>,
): MacpTransport {
  const opened = new Map<string, Promise<MacpTransport>>();
  let isClosed = false;

  async function openOnce(address: string): Promise<MacpTransport> {
    const transport = await open(address);
    // A late call fails as it does on one that was open.
    if (isClosed) await transport.close();
    return transport;
  }

  function transportAt(address: string): Promise<MacpTransport> {
    const transport = opened.get(address) ?? openOnce(address);
    opened.set(address, transport);
    return transport;
  }

  async function ask<Value>(
    { signal }: Attempt,
    call: (transport: MacpTransport) => Promise<Value>,
  ): Promise<Value> {
    const address = addresses.current;
    // Before a caller with a timeout can retry.
    const leave = (): void => {
      if (isGone(signal.reason)) addresses.leave(address);
    };
    signal.addEventListener('abort', leave);
    try {
      return await call(await transportAt(address));
    } catch (error) {
      if (!signal.aborted && isGone(error)) addresses.leave(address);
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  async function* follow<Value>(
    { signal }: Attempt,
    call: (transport: MacpTransport) => AsyncIterable<Value>,
  ): AsyncGenerator<Value, undefined> {
    const address = addresses.current;
    try {
      yield* call(await transportAt(address));
    } catch (error) {
      if (!signal.aborted && isGone(error)) addresses.leave(address);
      throw error;
    }
  }

  return {
    addresses: addresses.all.length,
    initialize: (attempt) => ask(attempt, (to) => to.initialize(attempt)),
    send: (envelope, attempt) => ask(attempt, (to) => to.send(envelope, attempt)),
    getSession: (id, attempt) => ask(attempt, (to) => to.getSession(id, attempt)),
    controlSession: (action, about, attempt) =>
      ask(attempt, (to) => to.controlSession(action, about, attempt)),
    listSessions: (attempt) => ask(attempt, (to) => to.listSessions(attempt)),
    sessionHistory: (query, attempt) => ask(attempt, (to) => to.sessionHistory(query, attempt)),
    getManifest: (agentId, attempt) => ask(attempt, (to) => to.getManifest(agentId, attempt)),
    listModes: (attempt) => ask(attempt, (to) => to.listModes(attempt)),
    listExtModes: (attempt) => ask(attempt, (to) => to.listExtModes(attempt)),
    registerExtMode: (descriptor, attempt) => ask(attempt, (to) => to.registerExtMode(descriptor, attempt)),
    unregisterExtMode: (mode, attempt) => ask(attempt, (to) => to.unregisterExtMode(mode, attempt)),
    promoteMode: (mode, name, attempt) => ask(attempt, (to) => to.promoteMode(mode, name, attempt)),
    registerPolicy: (descriptor, attempt) => ask(attempt, (to) => to.registerPolicy(descriptor, attempt)),
    unregisterPolicy: (id, attempt) => ask(attempt, (to) => to.unregisterPolicy(id, attempt)),
    getPolicy: (id, attempt) => ask(attempt, (to) => to.getPolicy(id, attempt)),
    listPolicies: (mode, attempt) => ask(attempt, (to) => to.listPolicies(mode, attempt)),
    subscribe: (id, after, attempt) => follow(attempt, (to) => to.subscribe(id, after, attempt)),
    watchSessions: (attempt) => follow(attempt, (to) => to.watchSessions(attempt)),
    watchPolicies: (attempt) => follow(attempt, (to) => to.watchPolicies(attempt)),
    watchSignals: (attempt) => follow(attempt, (to) => to.watchSignals(attempt)),
    watchModeRegistry: (attempt) => follow(attempt, (to) => to.watchModeRegistry(attempt)),
    watchRoots: (attempt) => follow(attempt, (to) => to.watchRoots(attempt)),
    async close() {
      isClosed = true;
      await Promise.all([...opened.values()].map(async (transport) => await (await transport).close()));
    },
  };
}
