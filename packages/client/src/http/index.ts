/// <reference types="node" preserve="true" />
export { listAddresses } from '../connection/addresses.js';
export type { BatchOutcome } from '../connection/message.js';
export { RefusedError } from '../errors.js';
export { isFromProxy, isGone, NoAnswerError, type NoAnswerKind, type Patience } from './ask.js';
export {
  createHttpClient,
  type EvidenceQuery,
  type HttpClient,
  type HttpClientOptions,
  type ListedKeys,
  type ProposalQuery,
} from './http-client.js';
export { type HttpRequest, NotAnsweredError, parseBody, readText, request } from './request.js';
export type {
  Identity,
  LoggedMessage,
  ProposalStep,
  ProposalView,
  ProposalWithHistory,
  Sent,
} from './views.js';
