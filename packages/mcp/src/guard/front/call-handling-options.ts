import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { ServerRequests } from '../../channel/server-requests.js';
import type { RpcAnswer, RpcId, RpcRequest } from '../../json-rpc.js';
import type { FollowedTasks } from '../tasks/index.js';
import type { GuardedConnectionOptions } from './guarded-connection.js';

/** What handling the calls of one connection needs, and how it reaches both sides. */
export interface CallHandlingOptions extends GuardedConnectionOptions {
  readonly requests: ServerRequests;
  /** The server's own tasks for calls of this connection. */
  readonly followed: FollowedTasks;
  /** On whose behalf a call with these params is made, as far as known. */
  readonly origin: (params: JsonObject) => Origin | undefined;
  /** To the client; false if it is gone. */
  readonly send: (message: JsonObject) => boolean;
  /** Answers the client; resolves with whether the answer arrived, as far as can be known here. */
  readonly tell: (id: RpcId, answer: RpcAnswer) => boolean | Promise<boolean>;
  /** To the server; `onResult` gets its answer, if that is a result. */
  readonly forward: (request: RpcRequest, onResult?: (result: JsonObject) => void) => void;
}
