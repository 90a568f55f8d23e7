import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { quoteIdent } from '#contract/ddl/sql-text'

/** The one throw-away server of a test run, started by global-setup.ts, and what else is made once for all. */
export type TestServer = {
  socketDir: string
  port: number
  password: string
  /** Of the run: whatever is in it goes with the run. */
  folder: string
  /** A home of a provider that made the clusters in `templates`, from which new projects are copied. */
  templateHome: string
  templates: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

/** What `new Client()`, `new Pool()` and our own pools take. `host` is a socket directory. */
export type TestConnection = {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export type TestDatabase = {
  name: string
  /** The socket directory. */
  host: string
  port: number
  /** supabase_admin, the superuser, over TCP on 127.0.0.1: for libraries that only take a URL. */
  adminUrl: string
  /** supabase_admin, the superuser, over the socket. */
  adminConfig: TestConnection
  /** Any login role: postgres, authenticator, authenticator_anon, supabase_auth_admin, plinth_read_only ... */
  configFor(role: string): TestConnection
  /** Ends its sessions and removes it. Call it in afterAll; repeated calls do nothing. */
  drop(): Promise<void>
}

/**
 * A database like a new project has it: roles, schemas, functions and the auth tables, owned by `postgres`.
 * Takes about 50 ms. Roles are shared by all databases of the run: do not drop or alter them.
 */
export function createTestDatabase(): Promise<TestDatabase> {
  return createFrom('template_project', 'postgres')
}

/** The platform's own database as a control plane that starts makes it, jobs included, with nobody in it. */
export function createPlatformDatabase(): Promise<TestDatabase> {
  return createFrom('template_platform', 'supabase_admin')
}

/** An empty database owned by the superuser, for tests about what is made in one. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom('template0', 'supabase_admin')
}

async function createFrom(template: string, owner: string): Promise<TestDatabase> {
  const { socketDir, port, password } = inject('testServer')
  const name = `test_${randomBytes(6).toString('hex')}`
  const configFor = (user: string, database = name): TestConnection => {
    return { host: socketDir, port, user, password, database }
  }
  const create = ['create database', quoteIdent(name), 'template', template, 'owner', owner]
  await asAdmin(configFor('supabase_admin', 'postgres'), create.join(' '))
  return {
    name,
    host: socketDir,
    port,
    adminUrl: `postgres://supabase_admin:${password}@127.0.0.1:${port}/${name}`,
    adminConfig: configFor('supabase_admin'),
    configFor: (role) => configFor(role),
    drop: () =>
      withClient(configFor('supabase_admin', 'postgres'), async (client) => {
        await client.query(slotsEnd(name))
        await client.query(['drop database if exists', quoteIdent(name), 'with (force)'].join(' '))
      }),
  }
}

/**
 * Waits until no replication slot of the database is active. The connection that had one is closed, which its server process
 * notices a moment later; no database can be dropped before. One that stays is for the drop to name.
 */
const slotsEnd = (name: string) => `do $wait$
  begin
    for attempt in 1..500 loop
      exit when not exists (select from pg_replication_slots where database = '${name}' and active);
      perform pg_sleep(0.02);
    end loop;
  end $wait$`

async function asAdmin(connection: TestConnection, sql: string): Promise<void> {
  await withClient(connection, (client) => client.query(sql))
}
