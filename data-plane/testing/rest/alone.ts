import type { Server } from 'node:http'
import { Client } from 'pg'
import type { FastifyInstance } from 'fastify'
import { silentLog } from '#kit/log'
import { createEmptyDatabase } from '#kit/testing/postgres'
import { createRestAlone } from '../../rest-alone.ts'
import { signToken } from '../data-plane.ts'
import { readServerSettings } from '../../rest/server/server-settings.ts'
import { askAt, type Ask } from './client.ts'

export const jwtSecret = 'a secret of the data API alone, long enough'

/** Roles belong to the whole server, so each database of a test has its own. */
export type Roles = { login: string; anon: string; user: string }

export type PlainDatabase = {
  roles: Roles
  /** Where the login enters. */
  uri: string
  /** As the owner. */
  sql(text: string): Promise<Record<string, unknown>[]>
  drop(): Promise<void>
}

/** A database without anything of ours: a login that can be two roles, and what `setup` makes. */
export async function createPlainDatabase(setup: (roles: Roles) => string): Promise<PlainDatabase> {
  const database = await createEmptyDatabase()
  const { name, port, adminConfig } = database
  const roles = {
    login: `${name}_authenticator`,
    anon: `${name}_web_anon`,
    user: `${name}_app_user`,
  }
  const owner = new Client(adminConfig)
  owner.on('error', () => undefined)
  await owner.connect()
  await owner.query(
    [
      `create role ${roles.login} login noinherit password 'plain'`,
      `create role ${roles.anon}`,
      `create role ${roles.user}`,
      `grant ${roles.anon}, ${roles.user} to ${roles.login}`,
      `grant usage on schema public to ${roles.anon}, ${roles.user}`,
      setup(roles),
    ].join(';'),
  )
  return {
    roles,
    uri: `postgres://${roles.login}:plain@127.0.0.1:${port}/${name}`,
    sql: async (text) => (await owner.query<Record<string, unknown>>(text)).rows,
    async drop() {
      const all = Object.values(roles).join(', ')
      await owner.query([`drop owned by ${all}`, `drop role ${all}`].join(';'))
      await owner.end()
      await database.drop()
    },
  }
}

export type TestAlone = {
  app: FastifyInstance
  health: Server
  url: string
  ask: Ask
  close(): Promise<void>
}

/** The data API alone on a free port, over a plain database. Requests `as` a role show a token that names it. */
export async function startAlone(
  { uri, roles }: PlainDatabase,
  more: Record<string, string> = {},
): Promise<TestAlone> {
  const own = { 'db-uri': uri, 'db-anon-role': roles.anon, 'jwt-secret': jwtSecret }
  const values = new Map(Object.entries({ ...own, ...more }))
  const settings = readServerSettings(values)
  const { app, health } = createRestAlone({ values, settings, log: silentLog })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, health, url, ask: askAlone(url), close: () => app.close() }
}

export const askAlone = (url: string): Ask =>
  askAt(url, ({ as, claims = {} }) =>
    as === undefined
      ? {}
      : { authorization: `Bearer ${signToken({ role: as, ...claims }, jwtSecret)}` },
  )
