import type { Participant } from '@proffer/client';
import { defined, objectOf, textOf } from '@proffer/core/json';
import {
  createProposalArchive,
  DecisionRecords,
  type GatewayAccess,
  type ProposalArchive,
  SYSTEM_CLOCK,
} from '@proffer/mcp';
import { type LiveRules, publishRules } from '@proffer/steward';
import type { AgentId } from '../agents/index.js';
import { type AskPeople, createAskPeople } from './ask-people.js';
import { UnreportedCalls } from './unreported-calls.js';

/** A connection to a space. */
export interface HookPlace {
  readonly participant: Participant;
  /** The same space over HTTP. */
  readonly access: GatewayAccess;
  /** Leaves it. The participant is closed first. */
  close(): Promise<void>;
}

export interface AgentConnectionsOptions {
  /** Joins a space in the name of an agent. */
  readonly enter: (agent: AgentId) => Promise<HookPlace>;
  readonly user?: string;
  readonly log: (line: string) => void;
  /** The rules in use; published to every space that an agent joins. */
  readonly rules: Pick<LiveRules, 'current'>;
}

/**
 * An agent's connection, once it is established: what asks in its name, and what records the rules'
 * decisions.
 */
interface AgentConnection {
  readonly place: HookPlace;
  readonly people: AskPeople;
  readonly records: DecisionRecords;
  /** Settles when the calls are known that an earlier process left unreported. */
  readonly found: Promise<void>;
}

/** The connections of all agents: each is opened for its first call, and again after a failure. */
export interface AgentConnections {
  open(agent: AgentId): Promise<AgentConnection>;
  /** Publishes the changed rules everywhere. */
  showRules(): void;
  close(): Promise<void>;
}

export function createAgentConnections({
  enter,
  user,
  log,
  rules,
}: AgentConnectionsOptions): AgentConnections {
  const connections = new Map<AgentId, Promise<AgentConnection>>();
  /** With its own token, a machine has one connection for all agents. */
  const known = new Set<Participant>();
  const show = (participant: Participant): void =>
    void publishRules(participant, rules.current, { owner: 'hook', onProblem: log });
  const enterAs = async (agent: AgentId): Promise<AgentConnection> => {
    const place = await enter(agent);
    const { participant } = place;
    if (!known.has(participant)) {
      known.add(participant);
      participant.on('error', (error) => log(error instanceof Error ? error.message : String(error)));
      await withdrawAbandoned(participant);
      show(participant);
    }
    // One that ended for good, for example because its token was revoked, is reopened for the next
    // call.
    void participant.closed.then(() => known.delete(participant) && connections.delete(agent));
    const unreported = new UnreportedCalls();
    const archive = createProposalArchive(place.access);
    // No question waits for this.
    const found = findUnreported(unreported, { agent, proposer: participant.name, archive }).catch(
      (error: unknown) => log(`${agent}: ${error instanceof Error ? error.message : String(error)}`),
    );
    const people = createAskPeople({ participant, unreported, ...defined({ user }) });
    const records = new DecisionRecords({
      participant,
      server: agent,
      annotations: () => undefined,
      clock: SYSTEM_CLOCK,
      recorded: 'all',
      log,
    });
    return { place, people, records, found };
  };
  return {
    open(agent) {
      const opened = connections.get(agent) ?? enterAs(agent);
      connections.set(agent, opened);
      opened.catch((error: unknown) => {
        connections.delete(agent);
        log(`${agent}: ${error instanceof Error ? error.message : String(error)}`);
      });
      return opened;
    },
    showRules() {
      for (const participant of known) show(participant);
    },
    async close() {
      // The first one opened may run the gateway that the others use.
      for (const connection of [...connections.values()].toReversed()) {
        const opened = await connection.catch(() => undefined);
        if (opened === undefined) continue;
        const { place, records } = opened;
        await records.close();
        await place.participant.close();
        await place.close();
      }
    },
  };
}

/** Questions of an earlier run, which can no longer be answered, must not stay in an inbox. */
async function withdrawAbandoned(participant: Participant): Promise<void> {
  const left = participant.pending.filter(({ proposer }) => proposer === participant.name);
  for (const { id } of left) await participant.withdraw(id, 'The agent is no longer waiting for this.');
}

interface FindUnreportedOptions {
  readonly agent: AgentId;
  /** The name under which the agent asks. */
  readonly proposer: string;
  readonly archive: ProposalArchive;
}

/**
 * Finds the calls of an agent that an earlier resident process allowed, and that were not reported: their reports
 * arrive here now (O-46).
 */
async function findUnreported(
  unreported: UnreportedCalls,
  { agent, proposer, archive }: FindUnreportedOptions,
): Promise<void> {
  for await (const { id, phase, params, origin, fulfilment } of archive.open({ proposer })) {
    const { name, arguments: asked } = objectOf(params);
    const prefix = `${agent}/`;
    if (phase !== 'allowed' || !textOf(name).startsWith(prefix)) continue;
    const proposal = textOf(id);
    if (unreported.has(proposal)) continue;
    const { request, by } = objectOf(fulfilment);
    const { session, folder } = objectOf(origin);
    const { messages = [] } = (await archive.find(proposal)) ?? {};
    const approval = messages.find((message) => message['id'] === request);
    const { arguments: approved } = objectOf(objectOf(approval?.['payload'])['params']);
    const call = {
      agent,
      folder: textOf(folder),
      tool: textOf(name).slice(prefix.length),
      arguments: objectOf(asked),
      ...(typeof session === 'string' ? { session } : {}),
    };
    unreported.put(call, objectOf(approved), { proposal, request: textOf(request), by: textOf(by) });
  }
}
