import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { regionCodes } from '#contract/regions'
import { newSecret, randomSuffix } from '#kit/ids'
import { importWords } from './import/word.ts'
import { RefusedError, type Ask } from './manage-client.ts'
import { orphanWords } from './manage-orphans.ts'
import { refIn, UsageError, type Context, type Flags, type Told, type Word } from './manage-word.ts'

const Project = z.looseObject({ ref: z.string(), name: z.string(), status: z.string() })
const Detail = z.object({
  status: z.string(),
  endpoint: z.string(),
  db_host: z.string(),
  db_port: z.number().nullable(),
  failure: z.string().nullable(),
})
const Keys = z.array(
  z.looseObject({ name: z.string(), type: z.string().nullish(), api_key: z.string().nullish() }),
)
type Key = z.output<typeof Keys>[number]
const Organization = z.looseObject({ slug: z.string(), name: z.string() })
const Brief = z.object({ ref: z.string(), name: z.string() })

/** How long a new project may take to come up. */
const patienceMs = 120_000

const databaseUrl = ({ db_host, db_port }: z.output<typeof Detail>, password: string) => {
  if (db_port === null) throw new RefusedError('its database is not up yet')
  return `postgresql://postgres:${password}@${db_host}:${db_port}/postgres`
}
/** The legacy service key passes every policy, like a secret key: the API tells it as a whole, a terminal only when it is asked to. */
async function keysOf(ask: Ask, ref: string, reveal: boolean): Promise<Key[]> {
  const keys = await ask(`GET /v1/projects/${ref}/api-keys?reveal=${reveal}`, Keys)
  if (reveal) return keys
  return keys.map((key) =>
    key.name === 'service_role' && key.api_key
      ? { ...key, api_key: `${key.api_key.slice(0, 6)}${'·'.repeat(10)}` }
      : key,
  )
}
/** A publishable and a secret key may have the same name; the first ones of a project do. */
const titleOf = ({ name, type }: Key) =>
  type === 'publishable' || type === 'secret' ? `${type} ${name}` : name
const keyLines = (keys: readonly Key[]) =>
  keys.map((key) => `${titleOf(key)}  ${key.api_key ?? '(not shown)'}`)

const listener = (ref: string) => `/platform/projects/${ref}/listener`
const Listener = z.object({ url: z.string().nullable(), problem: z.string().nullable() })

function portIn(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new UsageError(`--port: "${text}" is no port`)
  return Number(text)
}

async function listened(ask: Ask, request: string, body?: object) {
  const { url, problem } = await ask(request, Listener, body)
  if (problem !== null) throw new RefusedError(problem)
  return { url }
}

async function whenUp(ask: Ask, ref: string) {
  for (const deadline = Date.now() + patienceMs; ; await delay(250)) {
    const detail = await ask(`GET /platform/projects/${ref}`, Detail)
    if (detail.status === 'ACTIVE_HEALTHY') return detail
    if (detail.status !== 'COMING_UP') {
      throw new RefusedError(detail.failure ?? `project ${ref} is ${detail.status}`)
    }
    if (Date.now() > deadline) throw new RefusedError(`project ${ref} takes long to come up`)
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
    throw new RefusedError(`${file} cannot be read as a JSON Web Key`, { cause: error })
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
  throw new UsageError(`name the organization with --org SLUG${slugs && `: ${slugs}`}`)
}

async function create(
  [name = `Project ${randomSuffix(4)}`]: string[],
  context: Context,
): Promise<Told> {
  const { ask, flags } = context
  const listen_port = flags.port === undefined ? undefined : portIn(flags.port)
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
  return {
    data: {
      ref,
      name,
      url,
      database_url: database,
      // Of a new project there is one of each kind: anon, service_role, publishable, secret.
      keys: Object.fromEntries(
        keys.map((key) => [titleOf(key).replace(/ default$/, ''), key.api_key ?? null]),
      ),
    },
    lines: [`ref  ${ref}`, `url  ${url}`, `database  ${database}`, ...keyLines(keys)],
  }
}

const order =
  (request: (ref: string) => string, done: string) =>
  async (rest: string[], { ask }: Context): Promise<Told> => {
    const { ref, name } = await ask(request(refIn(rest)), Brief)
    return { data: { ref, name }, lines: [`${name} (${ref}) ${done}`] }
  }

async function logs(rest: string[], { flags, home }: Context): Promise<Told> {
  const ref = refIn(rest)
  const most = Number(flags.lines ?? 100)
  if (!Number.isInteger(most) || most < 1) throw new UsageError('--lines must be a number')
  const file = join(home, 'clusters/projects', ref, 'server.log')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const why = error instanceof Error && 'code' in error && error.code === 'EACCES'
    const words = why ? 'may not be read by this user' : 'is not there'
    throw new RefusedError(`${file} ${words}: logs lie where the platform runs`, { cause: error })
  })
  const lines = text.trimEnd().split('\n').slice(-most)
  return { data: lines, lines }
}

/** By what is typed, longest first. */
export const words: Readonly<Record<string, Word>> = {
  'orgs list': {
    takes: '',
    does: 'Lists the organizations that you belong to',
    most: 0,
    run: async (_, { ask }) => {
      const data = await ask('GET /v1/organizations', z.array(Organization))
      return { data, lines: data.map(({ slug, name }) => `${slug}  ${name}`) }
    },
  },
  'orgs create': {
    takes: 'NAME',
    does: 'Creates an organization',
    most: 1,
    run: async ([name], { ask }) => {
      if (name === undefined) throw new UsageError('name the organization')
      const data = await ask('POST /v1/organizations', Organization, { name })
      return { data, lines: [data.slug] }
    },
  },
  'projects list': {
    takes: '',
    does: 'Lists the projects that you can see',
    most: 0,
    run: async (_, { ask }) => {
      const projects = await ask('GET /v1/projects', z.array(Project))
      const lines = projects.map(({ ref, status, name }) => `${ref}  ${status}  ${name}`)
      return { data: projects, lines }
    },
  },
  'projects create': {
    takes:
      '[NAME] [--org SLUG] [--region CODE] [--port N] [--db-password TEXT] [--jwt-secret TEXT | --signing-key FILE] [--new-tables private|granted]',
    does: 'Creates a project, waits until it is up, and prints its address and keys',
    most: 1,
    run: create,
  },
  'projects pause': {
    takes: 'REF',
    does: 'Pauses a project',
    most: 1,
    run: order((ref) => `POST /v1/projects/${ref}/pause`, 'is being paused'),
  },
  'projects restore': {
    takes: 'REF',
    does: 'Restores a paused project',
    most: 1,
    run: order((ref) => `POST /v1/projects/${ref}/restore`, 'is being restored'),
  },
  'projects delete': {
    takes: 'REF',
    does: 'Deletes a project immediately and permanently',
    most: 1,
    run: order((ref) => `DELETE /v1/projects/${ref}`, 'is being deleted'),
  },
  'projects listen': {
    takes: 'REF --port N|off',
    does: 'Also serves a project at http://127.0.0.1:N, at the root of the address',
    most: 1,
    run: async (rest, { ask, flags: { port } }) => {
      const ref = refIn(rest)
      if (port === undefined) throw new UsageError('give a port with --port N, or --port off')
      const wanted = port === 'off' ? null : portIn(port)
      const data = await listened(ask, `PUT ${listener(ref)}`, { port: wanted })
      return { data, lines: [data.url ?? `${ref} has no port of its own`] }
    },
  },
  ...orphanWords,
  ...importWords,
  'db url': {
    takes: 'REF',
    does: "Prints the address of a project's database, without the password",
    most: 1,
    run: async (rest, { ask }) => {
      const detail = await ask(`GET /platform/projects/${refIn(rest)}`, Detail)
      const url = databaseUrl(detail, '[YOUR-PASSWORD]')
      return { data: { database_url: url }, lines: [url] }
    },
  },
  keys: {
    takes: 'REF [--reveal]',
    does: 'Prints the keys of a project; secret ones only with --reveal',
    most: 1,
    run: async (rest, { ask, flags }) => {
      const keys = await keysOf(ask, refIn(rest), flags.reveal ?? false)
      return { data: keys, lines: keyLines(keys) }
    },
  },
  types: {
    takes: 'REF [--schemas public,app]',
    does: "Prints the types of a project's database for TypeScript",
    most: 1,
    run: async (rest, { ask, flags }) => {
      const query = new URLSearchParams({ included_schemas: flags.schemas ?? 'public' })
      const path = `/v1/projects/${refIn(rest)}/types/typescript?${query.toString()}`
      const { types } = await ask(`GET ${path}`, z.object({ types: z.string() }))
      return { data: { types }, lines: [types.trimEnd()] }
    },
  },
  logs: {
    takes: 'REF [--lines 100]',
    does: 'Prints what the Postgres of a project wrote to its log, on the machine that runs it',
    most: 1,
    run: logs,
  },
}
