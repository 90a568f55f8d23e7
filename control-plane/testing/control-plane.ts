import { randomBytes, randomUUID } from 'node:crypto'
import { createLocalProvider } from '#compute/local/local'
import type { Provider } from '#compute/provider'
import { makeHome } from '#compute/testing/home'
import { removeHome } from '#compute/testing/template-home'
import { silentLog, type Log } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { databasePortRange } from '#kit/testing/free-port'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { grantedTablesSql, newProjectSql, projectMigrations, webhookSchema } from '#start/tenants'
import type { People, PersonFacts } from '../access/access.ts'
import { createVaultKeyring } from '../integrations/vault/keyring.ts'
import { createControlPlane, type ControlPlaneOptions } from '../app.ts'
import { openDatabase } from '../platform-database/database.ts'
import { refuseSecondConnections } from './one-connection.ts'
import { ssoInMemory } from './sso.ts'
import { mailStore } from '../operations/mailbox/store.ts'

export const internalToken = randomBytes(32).toString('hex')

/** People without an auth service: what tests say of them, and what was asked to be done to them. */
export function peopleInMemory() {
  const facts = new Map<string, PersonFacts>()
  const removed = new Set<string>()
  const revoked: string[] = []
  const people: People = {
    facts: async (userIds) =>
      new Map(
        userIds
          .filter((id) => !removed.has(id))
          .map((id) => [id, facts.get(id) ?? { mfaEnabled: false, isSsoUser: false }]),
      ),
    remove: async (userId) => {
      removed.add(userId)
    },
    revokeSessions: async (userId) => {
      revoked.push(userId)
    },
  }
  return { people, facts, removed, revoked }
}

/**
 * A control plane over a database and a home folder of its own, with real Postgres servers for its projects. Only the
 * auth service is not there: a token is `user <id> <e-mail> <aal, or half>` in base64url, and any such token holds.
 */
export async function startControlPlane(
  log: Log = silentLog,
  /** Nothing listens on the default: metadata calls then find no data plane. */
  dataPlaneUrl = 'http://127.0.0.1:9',
  /** What a test wants different from below. */
  given: Partial<ControlPlaneOptions> & {
    /** False: of its servers nobody makes backups, and no copies. */
    backups?: false
    /** True: its rounds come by themselves, too, as they do in an installation; else only those come that the test asks for. */
    rounds?: true
  } = {},
) {
  const { backups, rounds, ...more } = given
  const database = await createPlatformDatabase()
  const { home, userRanges } = await makeHome()
  const config = database.adminConfig
  const opened = openDatabase(config, log)
  refuseSecondConnections(opened.pool)
  const world = peopleInMemory()
  const signIn = ssoInMemory()
  const secrets = more.secrets ?? createSecrets(randomBytes(32))
  const provider: Provider = createLocalProvider({
    home,
    userRanges,
    migrations: projectMigrations(),
    newProjectSql: newProjectSql(),
    grantedTablesSql: grantedTablesSql(),
    vaultKeys: createVaultKeyring(opened.db, secrets),
    portRange: databasePortRange(),
    log,
    spares: 0,
  })
  const { backups: _, ...bare } = provider
  const compute: Provider = backups === false ? bare : provider
  const controlPlane = await createControlPlane({
    version: '0.0.0',
    database: opened,
    databaseConfig: config,
    compute,
    dbVersion: '17.10',
    databaseHost: 'localhost',
    poolerPorts: { session: 5433, transaction: 6543 },
    url: 'http://localhost:8000',
    projectUrl: 'http://localhost:8001/{ref}',
    dataPlaneUrl,
    internalToken,
    secrets,
    security: { allowedOrigins: ['http://localhost:8000'], connectTo: [], trustedProxies: [] },
    requestsPerMinute: 10_000,
    localMailbox: true,
    mailerAutoconfirm: true,
    supportEmail: 'support@example.com',
    webhookSchema: webhookSchema(),
    sendMail: (mail) =>
      mailStore(opened.db).insert({
        tenant: 'platform',
        recipient: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
      }),
    verifyToken: async (token) => {
      const [kind, userId, email, aal] = Buffer.from(token, 'base64url').toString().split(' ')
      return kind === 'user' && userId && email && !world.removed.has(userId)
        ? {
            userId,
            email,
            sessionId: userId,
            aal: aal === 'aal2' ? 'aal2' : 'aal1',
            secondFactorMissing: aal === 'half',
          }
        : undefined
    },
    people: world.people,
    sso: signIn.gateway,
    log,
    ...more,
  })
  if (rounds) controlPlane.beginRounds()
  return {
    ...controlPlane,
    /** What the control plane set up for single sign-on, and who came that way. */
    signIn,
    /** `world.facts.set(userId, { mfaEnabled: true, isSsoUser: false })`; `world.removed` tells who was removed. */
    world,
    db: opened.db,
    pool: opened.pool,
    /** For another program over the same database. */
    databaseConfig: config,
    compute,
    home,
    async end(): Promise<void> {
      await controlPlane.close()
      await Promise.all((await compute.list()).map((ref) => compute.destroy(ref)))
      await compute.close()
      await opened.pool.end()
      await database.drop()
      await removeHome(home)
    },
  }
}
export type TestControlPlane = Awaited<ReturnType<typeof startControlPlane>>

/** Somebody who calls the platform: `await ada.call('GET', '/platform/profile')`. */
export function person(
  plane: TestControlPlane,
  email: string,
  userId: string = randomUUID(),
  /** Of the session: aal2 when a second factor was shown. */
  aal: 'aal1' | 'aal2' = 'aal1',
) {
  const token = Buffer.from(`user ${userId} ${email} ${aal}`).toString('base64url')
  return {
    userId,
    email,
    token,
    async call(
      method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
      url: string,
      body?: object,
      more: Record<string, string> = {},
    ) {
      const response = await plane.app.inject({
        method,
        url,
        headers: { authorization: `Bearer ${token}`, ...more },
        ...(body ? { payload: body } : {}),
      })
      return {
        status: response.statusCode,
        headers: response.headers,
        // Every answer of the platform API is JSON; what it holds is for the test to say.
        body: response.json() as Record<string, unknown>,
      }
    },
  }
}
export type Person = ReturnType<typeof person>
