import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify, type FastifyInstance } from 'fastify'
import type { Login } from '../../pg-meta/connections.ts'
import { pgMetaRoutes } from '../../pg-meta/pg-meta.ts'
import { nextTick } from '../../cron/schedule.ts'
import { createImportSpool } from '../../pg-meta/rows/import/row-import-spool.ts'
import type { ImportOptions } from '../../pg-meta/rows/import/row-imports.ts'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { silentLog } from '#kit/log'
import { withClient } from '#kit/postgres/client'
import type { RunEvent } from '#contract/database/sql/sql-query'

export const ref = 'abcdefghijklmnopqrst'

export type Answer = { status: number; body: unknown }

export type Meta = {
  app: FastifyInstance
  db: TestDatabase
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    login?: Login,
  ): Promise<Answer>
  /** SQL as the customer, outside of what is tested. */
  sql(text: string): Promise<Record<string, unknown>[]>
  run(body: object, login?: Login, path?: string): Promise<RunEvent[]>
  /** Where imports wait. */
  importFolder: string
  /** Another program that serves the same, as after a restart or beside the first one; the caller closes it. */
  another(imports?: Partial<ImportOptions>): FastifyInstance
  close(): Promise<void>
}

/** The customer's role is entered through a login of the platform's own, as the data plane does. */
const userOf = (login: Login) => (login === 'postgres' ? 'plinth_sql' : login)

/** The feature alone, over a database like a new project's. */
export async function startMeta({
  whenAsked = () => Promise.resolve(),
  ...more
}: {
  transactionIdleMs?: number
  /** Before it is known how the database is reached. */
  whenAsked?: () => Promise<void>
} = {}): Promise<Meta> {
  const db = await createTestDatabase()
  const importFolder = await mkdtemp(join(tmpdir(), 'plinth-imports-'))
  function another(imports: Partial<ImportOptions> = {}) {
    const app = fastify({ forceCloseConnections: true })
    pgMetaRoutes(app, {
      async connectionOf({ ref: asked, login }) {
        await whenAsked()
        return asked === ref ? db.configFor(userOf(login)) : undefined
      },
      imports: {
        spool: createImportSpool(importFolder),
        secret: 'of tests',
        reservedBytes: 0,
        ...imports,
      },
      nextTick,
      log: silentLog,
      ...more,
    })
    return app
  }
  const app = another()
  const headers = (login: Login) => ({ 'x-plinth-login': login, 'x-pg-application-name': 'tests' })
  return {
    app,
    db,
    importFolder,
    another,
    async call(method, path, body, login = 'postgres') {
      const url = path.startsWith('/') ? path : `/${ref}/${path}`
      const response = await app.inject({
        method,
        url,
        headers: headers(login),
        ...(body ? { body } : {}),
      })
      const parsed: unknown = response.body === '' ? undefined : JSON.parse(response.body)
      return { status: response.statusCode, body: parsed }
    },
    sql: (text) =>
      withClient(db.configFor('postgres'), async (client) => (await client.query(text)).rows ?? []),
    async run(body, login = 'postgres', path = 'query/run') {
      const response = await app.inject({
        method: 'POST',
        url: `/${ref}/${path}`,
        headers: headers(login),
        body: { id: crypto.randomUUID(), ...body },
      })
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as RunEvent)
    },
    async close() {
      await app.close()
      await db.drop()
      await rm(importFolder, { recursive: true, force: true })
    },
  }
}
