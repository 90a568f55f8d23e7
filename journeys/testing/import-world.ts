import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@supabase/supabase-js'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { withClient } from '#kit/postgres/client'
import { root } from '#kit/root'
import {
  createOrganization,
  databasePassword,
  reaches,
  type Account,
  type Project,
} from './client.ts'
import { failpoints } from './faults/kills.ts'
import { newPerson, password } from './people.ts'
import type { Place } from './platform.ts'
import { sharedPlatform } from './shared-platform.ts'
import { openProject } from './workbench.ts'

export const jwtSecret = 'the secret that the tokens of the source are signed by'

export const sessionless = {
  auth: { persistSession: false, autoRefreshToken: false },
  // The types of ws and of the DOM differ in parts that are not used here.
  realtime: { transport: WebSocket as never },
}
export const service = (project: Project) =>
  createClient(project.endpoint, project.serviceKey, sessionless)
export const visitor = (project: Project) =>
  createClient(project.endpoint, project.anonKey, sessionless)

export const signedIn = (project: Project, name: string) =>
  visitor(project).auth.signInWithPassword({
    email: `${name}@shop.test`,
    password: `${name}${password}`,
  })
export const visitorAs = (project: Project, session: string | undefined) =>
  createClient(project.endpoint, project.anonKey, {
    ...sessionless,
    global: { headers: { authorization: `Bearer ${session}` } },
  })

export const databaseUrl = (port: unknown) =>
  `postgresql://postgres:${encodeURIComponent(databasePassword)}@127.0.0.1:${String(port)}/postgres`

/** Three projects: one plays the source, the others are imported into. */
export async function openImportWorld() {
  const platform = sharedPlatform()
  const owner = await newPerson(platform)
  const slug = await createOrganization(owner, 'Acme')
  const made = await owner.call('POST', '/platform/profile/access-tokens', { name: 'terminal' })
  const token = String(made.body['token'])
  const source = await projectWithSecret(owner, slug)
  const target = await openProject(owner, slug, 'New place')
  const third = await openProject(owner, slug, 'Third place')
  const urls = new Map<string, string>()
  for (const project of [source, target, third]) {
    const { body } = await owner.call('GET', `/platform/projects/${project.ref}`)
    urls.set(project.ref, databaseUrl(body['db_port']))
  }
  const databaseOf = ({ ref }: Project) => urls.get(ref) ?? ''
  const fromDatabase = () => ['--from-db-url', databaseOf(source)]
  const fromServices = () => [
    '--from-url',
    source.endpoint,
    '--from-service-key',
    source.serviceKey,
  ]
  const fromManagement = (accessToken = token) => [
    '--from-api',
    platform.url,
    '--from-ref',
    source.ref,
    '--from-access-token',
    accessToken,
  ]
  return {
    owner,
    source,
    target,
    third,
    databaseOf,
    fromDatabase,
    fromServices,
    fromManagement,
    fromAll: () => [
      target.ref,
      ...fromDatabase(),
      ...fromServices(),
      ...fromManagement(),
      '--from-jwt-secret',
      jwtSecret,
    ],
    sql: <T extends object>(project: Project, text: string) =>
      withClient({ connectionString: databaseOf(project) }, async (client) => {
        return (await client.query<T>(text)).rows
      }),
    ...terminal(platform, token),
  }
}
export type ImportWorld = Awaited<ReturnType<typeof openImportWorld>>

/** The source knows what signs its tokens, as whoever owns a project elsewhere does. */
async function projectWithSecret(owner: Account, slug: string): Promise<Project> {
  const jwk = { kty: 'oct', alg: 'HS256', k: Buffer.from(jwtSecret).toString('base64url') }
  const made = await owner.call('POST', '/v1/projects', {
    name: 'Old place',
    organization_slug: slug,
    region: 'eu-central-1',
    db_pass: databasePassword,
    private_jwk: jwk,
  })
  const ref = String(made.body['ref'] ?? made.body['id'])
  await reaches(owner, ref, ['ACTIVE_HEALTHY'])
  const { body } = await owner.call('GET', `/platform/projects/${ref}`)
  const keys = await owner.call('GET', `/v1/projects/${ref}/api-keys?reveal=true`)
  const key = (name: string) =>
    String(
      Object.values(keys.body as Record<string, { name: string; api_key: string }>).find(
        (one) => one.name === name,
      )?.api_key,
    )
  return {
    ref,
    endpoint: String(body['endpoint']),
    anonKey: key('anon'),
    serviceKey: key('service_role'),
  }
}

export type Told = { code: number | null; out: string; err: string }
export type Result = {
  whole: boolean
  counts: { part: string; kind: string; found: number; imported: number; before: number }[]
  left_out: { part: string; kind: string; name: string; reason: string }[]
  next: string[]
}
export const resultOf = ({ out, err }: Told): Result => {
  expect(out, err).not.toBe('')
  return JSON.parse(out) as Result
}

/** Runs the program as somebody types it, and kills it as soon as it has said something. */
function terminal(platform: Place, token: string) {
  const program = join(root, 'start/plinth.mjs')
  const faults = failpoints()
  const env = {
    ...faults.environment,
    PATH: process.env['PATH'],
    PLINTH_URL: platform.url,
    PLINTH_ACCESS_TOKEN: token,
    PLINTH_DB_PASSWORD: databasePassword,
    PLINTH_IMPORT_PART_ROWS: '500',
  }
  return {
    plinth: (args: string[]): Promise<Told> =>
      new Promise((resolve) => {
        const options = { env, maxBuffer: 2 ** 26 }
        execFile(process.execPath, [program, 'import', ...args], options, (error, out, err) =>
          resolve({ code: error ? Number(error.code ?? 1) : 0, out, err }),
        )
      }),
    /** Where it has said this, or at the failpoint of this name. */
    killedAt(args: string[], said: RegExp | string): Promise<NodeJS.Signals | null> {
      if (typeof said === 'string') faults.arm(said)
      const child = spawn(process.execPath, [program, 'import', ...args], { env })
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (said instanceof RegExp && said.test(line)) child.kill('SIGKILL')
      })
      return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    },
  }
}

export const files: [name: string, bytes: Buffer, type: string][] = [
  ['plain.txt', Buffer.from('plain'), 'text/plain;charset=UTF-8'],
  ["odd/!_na'me (1) & =$@;,+ü.txt".replace('ü', '?'), Buffer.from('odd'), 'application/json'],
  ['odd/100 percent -- drop table.bin', Buffer.alloc(0), 'application/octet-stream'],
  ['deep/a/b/c/large.bin', randomBytes(3 * 2 ** 20), 'application/octet-stream'],
  ...Array.from({ length: 60 }, (_, at): [string, Buffer, string] => [
    `many/${at}.txt`,
    Buffer.from(`file ${at}`),
    'text/plain',
  ]),
]
