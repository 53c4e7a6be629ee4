import { HEALTH_SERVICE, SERVICE_NAMES } from '@proffer/wire';
import { frame, type GrpcCall, type GrpcRoute, PREFIX, readOne } from '../call/index.js';
import { ENDED } from '../status.js';

/** Tells load balancers and probes whether the gateway accepts calls. */
interface Health {
  readonly routes: readonly GrpcRoute[];
  /** The health has changed. */
  changed(): void;
  /** Ends health watches: the gateway stops. */
  end(): void;
}

const { check: CHECK, watch: WATCH } = HEALTH_SERVICE;

const known = (service: string): boolean => service === '' || SERVICE_NAMES.includes(service);

/** `grpc.health.v1.Health`; needs no token. */
export function createHealth(isReady: () => boolean): Health {
  const watching = new Map<GrpcCall, string>();
  const statusOf = (service: string): string =>
    known(service) ? (isReady() ? 'SERVING' : 'NOT_SERVING') : 'SERVICE_UNKNOWN';
  const answer = (service: string): Buffer =>
    frame(CHECK.response.write({ status: statusOf(service) }, PREFIX));

  const check = readOne(CHECK, async (request, { call }) => {
    if (!request.ok) return call.refuse(request.refusal);
    const { service } = request.value;
    if (known(service)) call.reply(answer(service));
    else call.finish('NOT_FOUND', `Service ${JSON.stringify(service)} not found.`);
  });
  const watch = readOne(WATCH, async (request, { call }) => {
    if (!request.ok) return call.refuse(request.refusal);
    watching.set(call, request.value.service);
    call.onOver(() => watching.delete(call));
    call.write(answer(request.value.service));
  });

  return {
    routes: [
      { ...check, always: true, access: 'everybody' },
      { ...watch, always: true, access: 'everybody' },
    ],
    changed() {
      for (const [call, service] of watching) call.write(answer(service));
    },
    end() {
      const { status, message } = ENDED.going_away;
      for (const call of watching.keys()) call.dismiss(status, message);
    },
  };
}
