import { createConnection } from 'node:net'
import type { ClientConfig } from 'pg'
import type { Log } from '#kit/log'
import { withClient } from '#kit/postgres/client'
import { acceptsConnections } from '#kit/postgres/ping'
import { setPasswords } from '#kit/postgres/passwords'
import {
  UnknownProjectError,
  serviceRoles,
  type DatabaseAddress,
  type Provider,
} from '../provider.ts'

/** SQL that runs once: when `missing` does not give true, what it makes is there already. */
export type OnceSql = { missing: string; sql: string }

type Options = {
  /** DATABASE_URL: a superuser of the server, and the database in it. */
  url: string
  /** The one project that there is. */
  ref: string
  /** Runs at every start. */
  everySql: readonly string[]
  onceSql: readonly OnceSql[]
  log: Log
}

/** The database cannot be used as it is; the message says what the operator has to change. */
export class UnusableDatabaseError extends Error {
  override name = 'UnusableDatabaseError'
}

/** Where DATABASE_URL leads. A query `?host=/folder` means a unix socket, as libpq has it. */
export function addressOf(url: string): DatabaseAddress {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const tls = searchParams.get('sslmode') ?? 'disable'
  return {
    socketDir: searchParams.get('host') ?? decodeURIComponent(hostname),
    port: Number(port || 5432),
    name: decodeURIComponent(pathname.slice(1)) || 'postgres',
    ...(tls === 'require' || tls === 'verify-full' ? { tls } : {}),
  }
}

export type ExistingProvider = Provider & {
  /** Of the server, such as `16.4`. */
  version(): Promise<string>
}

/**
 * One database that was there before Plinth and is not ours to start, stop or remove (self-hosted mode). `create` adds
 * the roles and schemas of the services; everything else only looks.
 */
export function createExistingProvider(options: Options): ExistingProvider {
  const { ref, log } = options
  const address = addressOf(options.url)
  const user = decodeURIComponent(new URL(options.url).username)
  const admin: ClientConfig = {
    host: address.socketDir,
    port: address.port,
    database: address.name,
    user,
    password: decodeURIComponent(new URL(options.url).password),
    connectionTimeoutMillis: 10_000,
    ...(address.tls ? { ssl: { rejectUnauthorized: address.tls === 'verify-full' } } : {}),
  }
  const probe = () =>
    address.socketDir.startsWith('/') ? acceptsConnections(address) : listens(address)
  const notOurs = async () => {
    throw new UnusableDatabaseError('This database is run by its operator, not by Plinth')
  }
  const check = (asked: string) => {
    if (asked !== ref) throw new UnknownProjectError(asked)
  }

  return {
    prepare: async () => undefined,
    async create(spec) {
      check(spec.ref)
      await withClient(admin, async (client) => {
        const { rows } = await client.query<{ able: boolean; version: number }>(
          "select rolsuper as able, current_setting('server_version_num')::int as version from pg_roles where rolname = current_user",
        )
        if (!rows[0]?.able) {
          throw new UnusableDatabaseError(
            `DATABASE_URL logs in as ${user}, who is no superuser and cannot make the roles of the services`,
          )
        }
        if (rows[0].version < 150_000) {
          throw new UnusableDatabaseError('DATABASE_URL leads to a Postgres older than 15')
        }
        for (const sql of options.everySql) await client.query(sql)
        for (const { missing, sql } of options.onceSql) {
          const answer = await client.query<{ missing: boolean }>(missing)
          if (answer.rows[0]?.missing) await client.query(sql)
        }
        await setPasswords(
          client,
          new Map(serviceRoles.map((role) => [role, spec.passwords.service])),
        )
      })
      log.info({ ref }, 'the existing database is ready')
      return address
    },
    async start(asked) {
      check(asked)
      return address
    },
    async restart(asked) {
      check(asked)
      return address
    },
    stop: notOurs,
    destroy: async (asked) => {
      if (asked === ref) await notOurs()
    },
    async inspect(asked) {
      if (asked !== ref) return { state: 'absent' }
      return (await probe())
        ? { state: 'running', address }
        : { state: 'unknown', reason: 'The database does not answer' }
    },
    probe: async (asked) => asked === ref && probe(),
    // There is nobody to bill for it.
    setReadOnly: async () => undefined,
    version: () =>
      withClient(admin, async (client) => {
        const { rows } = await client.query<{ version: string }>(
          "select split_part(current_setting('server_version'), ' ', 1) as version",
        )
        return rows[0]?.version ?? ''
      }),
    list: async () => [],
    close: async () => undefined,
  }
}

/** Whether anything listens there; a server elsewhere may ask for TLS before it says more. */
function listens({ socketDir: host, port }: DatabaseAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port })
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2000, () => finish(false))
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
