import type { Endpoint } from '#contract/endpoint'
import { actions } from '#contract/permissions'

/** Endpoints that share a name, or a method and path. */
export function duplicates(endpoints: Endpoint[]): string[] {
  const seen = new Set<string>()
  return endpoints
    .flatMap((e) => [e.name, `${e.method} ${e.path.replace(/:\w+/g, ':')}`])
    .filter((key) => seen.has(key) || !seen.add(key))
}

/** Endpoints that are not implemented exactly once by the routes of the app. */
export function notImplementedOnce(endpoints: Endpoint[], implemented: Endpoint[]): string[] {
  const missing = endpoints
    .filter((endpoint) => !implemented.includes(endpoint))
    .map(({ name }) => `${name} is not implemented`)
  const twice = implemented
    .filter((endpoint, index) => implemented.indexOf(endpoint) !== index)
    .map(({ name }) => `${name} is implemented twice`)
  const unknown = implemented
    .filter((endpoint) => !endpoints.includes(endpoint))
    .map(({ name }) => `${name} is not in the contract`)
  return [...missing, ...twice, ...unknown]
}

/** The few calls that nobody has to sign in for. A new one is a decision, so it is made here too. */
const open = [
  // Signed by the payment provider.
  'billing.webhook',
  // Signed with a secret of the project.
  'git.hook',
  // Whoever has the address with its token, which somebody with the permission was given.
  'backups.file',
  // A proxy asks before it gets a certificate; the answer is what any request with that name shows.
  'domains.is-known',
  // A certificate of an authority is what everybody is to have.
  'databaseSsl.certificate',
  'platform.utcTime',
  'platform.status',
  'platform.openapi',
  'v1.openapi',
  'v1.openapiAlias',
  'mailbox.list',
  'invitations.open',
  'banners.current',
  'consent.categories',
  'telemetry.event',
  'telemetry.page',
  'telemetry.pageLeave',
  'telemetry.reset',
  'telemetry.errorReport',
]

/** Endpoints whose `needs` says nothing, names no known action, or cannot be checked with their own input. */
export function withoutPermission(endpoints: Endpoint[]): string[] {
  return endpoints.flatMap(({ name, needs, input, sessionOnly }) => {
    if (needs === 'anyone') return open.includes(name) ? [] : [`${name} is open to anyone`]
    if (needs === 'signed-in' || needs === 'internal') return []
    if (needs === 'operator')
      return sessionOnly ? [] : [`${name} is an operator's, and an access token could call it`]
    if (!needs || typeof needs !== 'object') return [`${name} needs nothing`]
    if (!actions.includes(needs.action))
      return [`${name} needs the unknown ${String(needs.action)}`]
    const fields = Object.keys(input.shape)
    const subject = needs.in === 'project' ? ['ref'] : ['slug', 'organization_slug']
    return subject.some((field) => fields.includes(field))
      ? []
      : [`${name} does not say which ${needs.in} it is about`]
  })
}
