import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { regionCodes } from '#contract/projects/regions'
import { newSecret, randomSuffix } from '#kit/ids'
import { RefusedError, type Ask } from './manage-client.ts'
import { checkExample, exampleLines, startExample } from './manage-example.ts'
import {
  Detail,
  Organization,
  Project,
  databaseUrl,
  keyLines,
  keysOf,
  listened,
  listener,
  portIn,
  titleOf,
} from './manage-project.ts'
import { UsageError, type Context, type Flags, type Result } from './manage-command.ts'

/** How long a new project may take to come up. */
const timeoutMs = 120_000

async function whenUp(ask: Ask, ref: string) {
  for (const deadline = Date.now() + timeoutMs; ; await delay(250)) {
    const detail = await ask(`GET /platform/projects/${ref}`, Detail)
    if (detail.status === 'ACTIVE_HEALTHY') return detail
    if (detail.status !== 'COMING_UP') {
      throw new RefusedError(detail.failure ?? `project ${ref} is ${detail.status}`)
    }
    if (Date.now() > deadline)
      throw new RefusedError(
        `project ${ref} is still coming up; check it with plinth projects list`,
      )
  }
}

/** What signed the tokens of a project that was elsewhere before: a shared secret, or a private key in a file. */
async function signingKey(flags: Flags): Promise<unknown> {
  const { 'jwt-secret': secret, 'signing-key': file } = flags
  if (secret !== undefined && file !== undefined) {
    throw new UsageError('give --jwt-secret or --signing-key, not both')
  }
  if (secret !== undefined) {
    return { kty: 'oct', alg: 'HS256', k: Buffer.from(secret).toString('base64url') }
  }
  if (file === undefined) return undefined
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new RefusedError(`${file} is not a JSON Web Key`, { cause: error })
  }
}

/** The organization that is meant where none is named: the only one there is. The local administrator's first is made. */
async function onlyOrganization({ ask, isLocal }: Context): Promise<string> {
  const [first, ...more] = await ask('GET /v1/organizations', z.array(Organization))
  if (first && more.length === 0) return first.slug
  if (!first && isLocal) {
    return (await ask('POST /v1/organizations', Organization, { name: 'Local' })).slug
  }
  const slugs = [first, ...more].flatMap((one) => (one ? [one.slug] : [])).join(', ')
  throw new UsageError(`choose the organization with --org SLUG${slugs && `: ${slugs}`}`)
}

export async function create(
  [name = `Project ${randomSuffix(4)}`]: string[],
  context: Context,
): Promise<Result> {
  const { ask, flags } = context
  const listen_port = flags.port === undefined ? undefined : portIn(flags.port)
  if (flags.example !== undefined) checkExample(flags.example)
  const { region = regionCodes[0], 'db-password': password = newSecret() } = flags
  const key = await signingKey(flags)
  const org = flags.org ?? (await onlyOrganization(context))
  const body = { name, organization_slug: org, region, db_pass: password, listen_port }
  const { ref } = await ask('POST /v1/projects', Project, {
    ...body,
    ...(key === undefined ? {} : { private_jwk: key }),
    new_tables: flags['new-tables'],
  })
  const detail = await whenUp(ask, ref)
  const keys = await keysOf(ask, ref, true)
  const database = databaseUrl(detail, encodeURIComponent(password))
  const url =
    listen_port === undefined ? detail.endpoint : (await listened(ask, `GET ${listener(ref)}`)).url
  // Of a new project there is one of each kind: anon, service_role, publishable, secret.
  const byKind = Object.fromEntries(
    keys.map((key) => [titleOf(key).replace(/ default$/, ''), key.api_key ?? null]),
  )
  const place = { ref, url: url ?? detail.endpoint, publishableKey: byKind['publishable'] ?? '' }
  const started = flags.example && (await startExample(ask, flags.example, place))
  return {
    data: {
      ref,
      name,
      organization: org,
      url,
      database_url: database,
      keys: byKind,
      ...(started ? { example: started } : {}),
    },
    lines: [
      `ref  ${ref}`,
      `url  ${url}`,
      `database  ${database}`,
      ...keyLines(keys),
      `organization  ${org}${context.isLocal ? ', of the local administrator: npx plinth claim EMAIL gives it to a person who has signed up' : ''}`,
      ...(started ? exampleLines(started) : []),
    ],
  }
}
