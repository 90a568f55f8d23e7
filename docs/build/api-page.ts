import { z } from 'zod'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import type { Need } from '#contract/permissions'
import { v1Absent } from '#contract/v1/v1-absent'
import { v1Elsewhere } from '#contract/v1/v1-elsewhere'
import { schemaText } from './schema-text.ts'

/** What the addresses of an area begin with, after the project; in the order of the page. */
const areas: Readonly<Record<string, readonly string[]>> = {
  Account: ['profile', 'openapi.json'],
  Organizations: ['organizations'],
  Projects: ['', 'health', 'pause', 'restart', 'restore', 'upgrade'],
  Branches: ['branches'],
  'Deleted projects': ['trash'],
  Domains: ['custom-hostname', 'vanity-subdomain'],
  'Read replicas': ['read-replicas'],
  'API keys': ['api-keys'],
  'Add-ons': ['billing'],
  Database: ['database', 'readonly', 'types', 'cli'],
  'Database settings': ['config/database', 'pgsodium', 'ssl-enforcement', 'network-restrictions'],
  'Data API': ['postgrest'],
  Auth: ['config/auth'],
  'Edge functions': ['functions', 'secrets'],
  Realtime: ['config/realtime'],
  Storage: ['config/storage', 'storage'],
  Advisors: ['advisors'],
  Logs: ['analytics'],
  Snippets: ['snippets'],
}
const absent: ReadonlySet<Endpoint> = new Set<Endpoint>([
  ...Object.values(v1Absent),
  ...Object.values(v1Elsewhere),
])

/** Every endpoint of the management API, in the order of the contract. */
export const managementEndpoints: readonly Endpoint[] = Object.values(api)
  .flatMap((feature): Endpoint[] => Object.values(feature))
  .filter(({ path, needs }) => path.startsWith('/v1/') && needs !== 'internal')

/** 'GET /v1/projects/{ref}', as OpenAPI writes addresses. */
export const requestOf = ({ method, path }: Endpoint) =>
  `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

/** The reference of the management API, as Markdown. */
export function apiPage(): string {
  const of = (title: string) => managementEndpoints.filter((one) => areaOf(one) === title)
  return [
    '<!-- Written by `npm run docs:write` from contract/. Change that. -->',
    '# Management API',
    intro,
    ...Object.keys(areas).flatMap((title) => [`## ${title}`, ...of(title).map(endpointText)]),
    `## ${notHere}`,
    'Programs for hosted platforms call these too. Lists are empty here, and calls that would change something are refused with 400 and the code `not_on_this_installation`.',
    of(notHere)
      .map((endpoint) => `- \`${requestOf(endpoint)}\``)
      .join('\n'),
    '',
  ].join('\n\n')
}

const notHere = 'Not part of an installation'

const intro = `Command line tools, scripts and agents call this API below the address of the dashboard (\`PLINTH_URL\`). Every installation also serves it as an OpenAPI 3.1
document, at \`/v1/openapi.json\`. The calls of the dashboard itself are in \`/platform/openapi.json\`; they change between versions without notice.

Send an access token, which you create on the account pages, or the token of an [OAuth app](operating.md#oauth):

\`\`\`sh run
curl -H "Authorization: Bearer $PLINTH_ACCESS_TOKEN" http://localhost:8000/v1/projects
\`\`\`

Bodies and answers are JSON. A refusal is \`{"message", "code", "requestId"}\` with a 4xx status: match on the code, because the words can change. Names in
braces are part of the path; the fields under "Query" and "Body" go there, and \`?\` marks optional ones. A call needs a permission of the
person behind the token, in the organization or project that the path names; an app needs the scope as well.`

/** @throws Error for an address of an area that is not listed above */
function areaOf(endpoint: Endpoint): string {
  if (absent.has(endpoint)) return notHere
  const [, , first = '', , area = '', part = ''] = endpoint.path.split('/')
  const inProject = area === 'config' ? `config/${part}` : area
  const key = first === 'projects' ? inProject : first
  const found = Object.entries(areas).find(([, keys]) => keys.includes(key))
  if (!found) throw new Error(`${requestOf(endpoint)} belongs to no area of docs/build/api-page.ts`)
  return found[0]
}

const endpointText = (endpoint: Endpoint): string =>
  [
    `### \`${requestOf(endpoint)}\``,
    access(endpoint),
    ...input(endpoint),
    ...answer(endpoint),
  ].join('\n\n')

function access({ needs, appScope, form }: Endpoint): string {
  const scope = appScope === undefined ? '' : ` Scope for apps: \`${appScope}\`.`
  const forms = form ? ' Takes `multipart/form-data` too.' : ''
  return `${needText(needs)}${scope}${forms}`
}

function needText(needs: Need): string {
  if (needs === 'anyone') return 'Open to everybody.'
  if (needs === 'signed-in') return 'For everybody with a token.'
  if (needs === 'internal') return 'For the platform itself.'
  if (needs === 'operator') return 'For operators of the installation, signed in.'
  return `Permission: \`${needs.action}\` on \`${needs.resource}\`.`
}

function input(endpoint: Endpoint): string[] {
  const schema = z.toJSONSchema(endpoint.input, { unrepresentable: 'any', io: 'input' })
  const rest = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !endpoint.path.includes(`:${name}`),
  )
  if (rest.length === 0) return []
  const where = endpoint.method === 'GET' || endpoint.method === 'HEAD' ? 'Query' : 'Body'
  return typeBlock(where, { ...schema, properties: Object.fromEntries(rest) })
}

const answer = ({ returns, status, raw }: Endpoint): string[] =>
  raw
    ? [`Answer ${status}: the bytes themselves.`]
    : typeBlock(
        `Answer ${status}`,
        z.toJSONSchema(returns, { unrepresentable: 'any', io: 'output' }),
      )

function typeBlock(title: string, schema: z.core.JSONSchema.BaseSchema): string[] {
  const text = schemaText(schema)
  if (!text.includes('\n')) return [`${title}: \`${text}\``]
  return [`${title}:`, `\`\`\`txt\n${text}\n\`\`\``]
}
