export { createHealth } from './health.js';
export { REFLECTION_ROUTES } from './reflection.js';
export { sendRoute } from './send.js';
export { streamSessionRoute } from './stream-session.js';
export { unaryRoutes } from './unary-routes.js';
export { watchRoutes } from './watch-routes.js';
