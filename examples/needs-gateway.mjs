// The example programs import this first: without a running gateway, they exit with advice instead of a stack
// trace.
import { connect } from 'node:net';
import process from 'node:process';

const { PROFFER_URL = 'ws://127.0.0.1:7420', PROFFER_GRPC = '127.0.0.1:50051' } = process.env;
const isNegotiation = /negotiat[\w-]*\.mjs$/.test(process.argv[1] ?? '');
const place = isNegotiation ? `grpc://${PROFFER_GRPC}` : PROFFER_URL;
const { protocol, hostname, port } = new URL(place);
const usual = protocol === 'https:' || protocol === 'wss:' ? 443 : 80;

const problem = await new Promise((resolve) => {
  const socket = connect(port === '' ? usual : Number(port), hostname.replace(/^\[|\]$/g, ''));
  socket.once('error', resolve);
  socket.once('connect', () => {
    socket.destroy();
    resolve(undefined);
  });
});
if (problem !== undefined) {
  const variable = isNegotiation ? 'PROFFER_GRPC' : 'PROFFER_URL';
  console.error(`No gateway answers at ${place} (${problem.code}).`);
  console.error(`Run npm start in another terminal, or say in ${variable} where one runs.`);
  process.exit(3);
}
