import { z } from 'zod'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { inOrganization, inProject, type Need } from '../permissions.ts'
import { ProjectRef, Slug } from '../values.ts'

const project = '/v1/projects/:ref'
const project2 = '/v2/projects/:ref'
const organization = '/v1/organizations/:slug'
const organization2 = '/v2/organizations/:slug'
const jit = `${project}/database/jit`
const account = `${project2}/private-link/associations/aws-account/:account_id`

const hooks = (of: string) => [
  `GET ${of}/webhooks/endpoints`,
  `POST ${of}/webhooks/endpoints`,
  `GET ${of}/webhooks/endpoints/:id`,
  `PATCH ${of}/webhooks/endpoints/:id`,
  `DELETE ${of}/webhooks/endpoints`,
  `DELETE ${of}/webhooks/endpoints/:id`,
  `GET ${of}/webhooks/endpoints/:id/deliveries`,
  `POST ${of}/webhooks/endpoints/:id/test`,
  `GET ${of}/webhooks/deliveries/:id`,
  `POST ${of}/webhooks/deliveries/:id/retry`,
]

/**
 * Addresses of the hosted service that clients may call, by what an installation does not have. The answer says so, rather than that
 * the address is wrong.
 */
export const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'just-in-time access to databases; connect with the database password or a temporary login role':
    [
      `GET ${jit}`,
      `POST ${jit}`,
      `PUT ${jit}`,
      `GET ${jit}/list`,
      `DELETE ${jit}/:user_id`,
      `POST ${jit}/invite`,
      `POST ${jit}/invite/accept`,
      `DELETE ${jit}/invite/:invite_id`,
      `GET ${project}/jit-access`,
      `PUT ${project}/jit-access`,
    ],
  'project claims; transfer the project to another organization instead': [
    `GET ${project}/claim-token`,
    `POST ${project}/claim-token`,
    `DELETE ${project}/claim-token`,
    `GET ${organization}/project-claim/:token`,
    `POST ${organization}/project-claim/:token`,
    'GET /v1/oauth/authorize/project-claim',
  ],
  'workflow runs': [
    `GET ${project}/actions`,
    `GET ${project}/actions/:run_id`,
    `GET ${project}/actions/:run_id/logs`,
    `PATCH ${project}/actions/:run_id/status`,
  ],
  'restore points; restore a backup in the dashboard': [
    `GET ${project}/database/backups/restore-point`,
    `POST ${project}/database/backups/restore-point`,
    `POST ${project}/database/backups/undo`,
    `POST ${project}/database/backups/restore`,
    `GET ${project}/database/backups/schedule`,
    `PATCH ${project}/database/backups/schedule`,
    `POST ${project2}/backups/download`,
  ],
  'disk settings at this address; the dashboard shows the disk of a project': [
    `GET ${project}/config/disk`,
    `POST ${project}/config/disk`,
    `GET ${project}/config/disk/util`,
    `GET ${project}/config/disk/autoscale`,
  ],
  'metrics at this address; the address of the project has them at /customer/v1/privileged/metrics':
    [`GET ${project}/analytics/endpoints/metrics`],
  'migration history to change at this address; migrations are applied and recorded': [
    `GET ${project}/database/migrations/:version`,
    `PATCH ${project}/database/migrations/:version`,
    `DELETE ${project}/database/migrations`,
  ],
  'description of the data API at this address; the root of the data API returns it': [
    `GET ${project}/database/openapi`,
  ],
  'switch for database webhooks; every project has them': [
    `POST ${project}/database/webhooks/enable`,
  ],
  'review of network restrictions; they apply at once': [
    `POST ${project}/network-restrictions/review`,
  ],
  'shutdown of realtime at this address; suspend it in the realtime settings': [
    `POST ${project}/config/realtime/shutdown`,
  ],
  'such address for branches; restore a deleted branch from the trash, and create one with POST /v1/projects/REF/branches':
    [`POST /v1/branches/:branch_id/restore`, `POST ${project2}/branches`],
  'entitlements other than those of the plan': [`GET ${organization}/entitlements`],
  'version 2 of this address; use those under /v1': [
    `GET ${organization2}/members`,
    `DELETE ${organization2}/members/:user_id`,
    `PATCH ${organization2}/members/:user_id/roles`,
    `POST ${organization2}/members/invitations`,
    `DELETE ${organization2}/members/invitations`,
    `GET ${organization2}/projects`,
    `GET ${organization2}/roles`,
    `POST ${project2}/transfers`,
    `POST ${project2}/transfers/previews`,
    `POST ${project2}/advisors/run`,
  ],
  'GitHub connections': [`GET ${organization2}/integrations/github/connections`],
  'maintenance windows': [`GET ${organization2}/maintenance/windows`],
  'platform webhooks': [...hooks(organization2), ...hooks(project2)],
  'compute instances other than the database': [
    `GET ${project2}/compute`,
    `GET ${project2}/compute/:name`,
    `DELETE ${project2}/compute/:name`,
    `POST ${project2}/compute/:name/uploads`,
    `POST ${project2}/compute/:name/deploy`,
  ],
  notebooks: [
    `GET ${project2}/notebooks`,
    `POST ${project2}/notebooks`,
    `GET ${project2}/notebooks/:id`,
    `PATCH ${project2}/notebooks/:id`,
    `DELETE ${project2}/notebooks/:id`,
  ],
  'private links to a cloud': [
    `GET ${project2}/private-link/associations`,
    `POST ${project2}/private-link/associations`,
    `DELETE ${account}`,
    `DELETE ${account}/database/:database_id`,
  ],
}

/** `v1Elsewhere.getProjectsDatabaseJit` */
function nameOf(request: string): string {
  const [method = '', path = ''] = request.split(' ')
  const words = path.split(/[/.-]/).filter((word) => word !== '' && word !== 'v1')
  const name = words.map((word) => {
    const plain = word.startsWith(':') ? `by-${word.slice(1)}` : word
    return plain.replaceAll(/(?:^|[-_])(.)/g, (_, letter: string) => letter.toUpperCase())
  })
  return `v1Elsewhere.${method.toLowerCase()}${name.join('')}`
}

function needsOf(request: string): Need {
  const reads = request.startsWith('GET ')
  if (request.includes('/:ref')) return inProject(reads ? 'read:Read' : 'write:Update', 'projects')
  if (request.includes('/:slug'))
    return inOrganization(reads ? 'read:Read' : 'write:Update', 'organizations')
  return 'signed-in'
}

/** What stands in the path; all else is taken as it comes, since it is refused anyway. */
function inputOf(path: string): z.ZodObject {
  const known: Record<string, z.ZodType> = { ref: ProjectRef, slug: Slug }
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const fields = names.map((name) => [name, known[name] ?? z.string().min(1).max(200)] as const)
  return z.object(Object.fromEntries(fields)).loose()
}

function absentAt(request: string): Endpoint {
  const [method, path] = request.split(' ') as [Endpoint['method'], Endpoint['path']]
  return endpoint(nameOf(request), `${method} ${path}`, {
    needs: needsOf(request),
    input: inputOf(path),
    returns: z.object({}),
  })
}

/** Each refused with the code `not_on_this_installation`. */
export const v1Elsewhere: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.values(elsewhere)
    .flat()
    .map((request) => [request, absentAt(request)] as const),
)
