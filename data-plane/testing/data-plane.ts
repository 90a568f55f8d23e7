import { createHmac, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Client } from 'pg'
import type { ProjectConnection } from '#contract/internal'
import { silentLog } from '#kit/log'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { createDataPlane } from '../app.ts'
import { createFileBackend } from '../storage/backends/file-backend.ts'
import { fixedDirectory, type FixedDirectory } from './fixed-directory.ts'

export const testRef = 'abcdefghijklmnopqrst'
const jwtSecret = 'a test secret that is long enough for everybody'

export type TestDataPlane = {
  app: FastifyInstance
  /** http://127.0.0.1:port/ref */
  url: string
  project: ProjectConnection
  directory: FixedDirectory
  database: TestDatabase
  /** Where the bytes lie of what the project stores. */
  storageFolder: string
  /** Signs a token of this project; good for an hour unless `exp` says otherwise. */
  token(claims: Record<string, unknown>): string
  /** Runs SQL as `postgres`, the owner of the database. */
  sql(text: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** A data plane on a free port, serving one project whose database was made by `setup`. */
export async function startDataPlane(
  setup: string,
  settings: Partial<ProjectConnection['settings']> = {},
  ref = testRef,
  more: Partial<Parameters<typeof createDataPlane>[0]> = {},
): Promise<TestDataPlane> {
  const database = await createTestDatabase()
  const { configFor } = database
  const owner = new Client(configFor('postgres'))
  owner.on('error', () => undefined)
  await owner.connect()
  await owner.query(setup)
  const token = (claims: Record<string, unknown>) => signToken(claims, jwtSecret)
  const project: ProjectConnection = {
    ref,
    status: 'ACTIVE_HEALTHY',
    restricted: false,
    mayDelete: false,
    writableUntil: null,
    database: {
      host: database.host,
      port: database.port,
      name: database.name,
      servicePassword: configFor('postgres').password,
    },
    jwtSecret,
    signingKeys: [],
    thirdPartyAuth: [],
    sealingKey: '0'.repeat(64),
    anonKey: token({ role: 'anon', iss: 'plinth', ref }),
    serviceKey: token({ role: 'service_role', iss: 'plinth', ref }),
    opaqueKeys: [],
    storageKeys: [],
    url: `http://127.0.0.1/${ref}`,
    settings: {
      exposedSchemas: ['public', 'graphql_public'],
      extraSearchPath: ['public', 'extensions'],
      maxRows: 1000,
      keyOptional: false,
      auth: {},
      ...settings,
    },
  }
  const directory = fixedDirectory([project])
  const storageFolder = join(tmpdir(), `plinth-storage-${randomUUID()}`)
  const app = createDataPlane({
    directory,
    internalToken: 'a token that only our own programs know',
    mailFrom: 'Plinth <no-reply@localhost>',
    keepMail: () => Promise.resolve(),
    storage: { backend: createFileBackend(storageFolder), largest: 50_000_000 },
    imports: { folder: join(tmpdir(), `plinth-imports-${randomUUID()}`) },
    log: silentLog,
    ...more,
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    url: `${address}/${ref}`,
    project,
    directory,
    database,
    storageFolder,
    token,
    sql: async (text) => {
      const result = await owner.query<Record<string, unknown>>(text)
      return result.rows
    },
    close: async () => {
      await app.close()
      await owner.end()
      await database.drop()
      await rm(storageFolder, { recursive: true, force: true })
    },
  }
}

/** An HS256 token made without the code under test. */
export function signToken(
  claims: Record<string, unknown>,
  secret: string,
  header: Record<string, unknown> = { alg: 'HS256', typ: 'JWT' },
): string {
  const exp = Math.floor(Date.now() / 1000) + 3600
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode(header)}.${encode({ exp, ...claims })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
