/** @typedef {{ name: string, in: string, required?: boolean, description?: string, schema?: { enum?: string[] } }} Parameter */
/**
 * @typedef {object} Route
 * @property {string} [summary]
 * @property {string} [description]
 * @property {Parameter[]} [parameters]
 * @property {{ content: Record<string, { schema?: unknown }> }} [requestBody]
 * @property {Record<string, { description?: string }>} [responses]
 */
/**
 * @typedef {object} Description
 * @property {{ description: string }} info
 * @property {Record<string, Record<string, Route>>} paths
 * @property {{ schemas?: Record<string, unknown> }} components
 */

/**
 * The gateway's OpenAPI description as a page: each route with its parameters, body and answers.
 *
 * @param {Description} description
 */
export function httpPage({ info, paths, components }) {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(?:get|put|post|patch|delete)$/.test(method))
      .map(([method, route]) => section(`${method.toUpperCase()} ${path}`, route)),
  );
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) => `### ${name}\n\n${code(schema)}`,
  );
  return [
    '# HTTP routes',
    `${info.description} The same for programs: <a href="/openapi.json" target="_self">openapi.json</a>, also at \`/openapi.json\` of every gateway.`,
    '## Routes',
    ...routes,
    '## Schemas',
    ...schemas,
    '',
  ].join('\n\n');
}

/**
 * @param {string} title
 * @param {Route} route
 */
function section(title, { summary = '', description = '', parameters = [], requestBody, responses = {} }) {
  const rows = parameters.map(
    ({ name, in: place, required, description: about = '', schema = {} }) =>
      `| \`${name}\` | ${place}${required === true ? ', required' : ''} | ${cell(about || (schema.enum ?? []).join(', '))} |`,
  );
  const body = requestBody?.content['application/json']?.schema;
  const answers = Object.entries(responses).map(
    ([status, { description: about = '' }]) => `| ${status} | ${cell(about)} |`,
  );
  return [
    `### \`${title}\``,
    text(summary),
    text(description),
    rows.length === 0 ? '' : ['| parameter | in | |', '|---|---|---|', ...rows].join('\n'),
    body === undefined ? '' : `Body:\n\n${code(body)}`,
    ['| status | |', '|---|---|', ...answers].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const code = (/** @type {unknown} */ value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const text = (/** @type {string} */ written) => written.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{');
const cell = (/** @type {string} */ written) => text(written).replaceAll('|', '\\|').replaceAll('\n', ' ');
