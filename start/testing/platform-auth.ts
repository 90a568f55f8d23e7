import { randomBytes } from 'node:crypto'
import { openDatabase } from '#control-plane/platform-database/database'
import type { NewMail } from '#control-plane/operations/mailbox/store'
import { isInvited } from '#control-plane/organizations/members/invitation-store'
import { followEmail } from '#control-plane/people/profile/email-store'
import { readConfig } from '#kit/config'
import { createApp } from '#kit/http'
import { silentLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { createPlatformAuth } from '../platform/platform-auth.ts'

export const password = 'Str0ng-enough!'

type Answer = { status: number; body: Record<string, unknown> }

/** The auth service of the dashboard's own users over a database of its own, with a mailbox that tests can read. */
export async function startPlatformAuth(settings: Record<string, string> = {}) {
  const database = await createPlatformDatabase()
  const { pool, db } = openDatabase(database.adminConfig, silentLog)
  const mails: NewMail[] = []
  const auth = createPlatformAuth({
    pool,
    config: readConfig(settings),
    secrets: createSecrets(randomBytes(32)),
    log: silentLog,
    keepMail: async (mail) => void mails.push(mail),
    onEmailChanged: followEmail,
    isInvited: (email) => isInvited(db, email),
    onSsoSignIn: async () => undefined,
  })
  const app = createApp({
    routes: [],
    callerOf: async () => undefined,
    internalToken: 'x',
    log: silentLog,
    security: { allowedOrigins: ['http://localhost:8000'], connectTo: [], trustedProxies: [] },
    requestsPerMinute: 1000,
  })
  auth.mount(app)

  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const url = `/auth/v1${path}`
    const answer = await app.inject({ method, url, headers, ...(body && { payload: body }) })
    // Every answer of the auth service is JSON; what it holds is for the test to say.
    const json = answer.body === '' ? {} : (answer.json() as Record<string, unknown>)
    return { status: answer.statusCode, body: json }
  }

  return {
    auth,
    mails,
    call,
    sql: async (text: string, values: unknown[] = []) =>
      (await pool.query<Record<string, unknown>>(text, values)).rows,
    /** A person with a session: `await ada.call('GET', '/user')`. */
    async person(email: string, grant: 'signup' | 'token?grant_type=password' = 'signup') {
      const { body } = await call('POST', `/${grant}`, { email, password })
      const token = String(body['access_token'])
      // A session's shape is the auth service's contract.
      const { id } = body['user'] as { id: string }
      const authorization = `Bearer ${token}`
      return {
        id,
        token,
        refreshToken: String(body['refresh_token']),
        call: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, more?: object) =>
          call(method, path, more, { authorization }),
      }
    },
    /** The path behind `/auth/v1` of the link in the last mail to an address. */
    linkTo(email: string): string {
      const mail = mails.findLast(({ recipient }) => recipient === email)
      return /\/auth\/v1(\/verify\S+)$/m.exec(mail?.text ?? '')?.[1] ?? '/no-mail'
    },
    async end(): Promise<void> {
      await app.close()
      await auth.close()
      await db.destroy()
      await database.drop()
    },
  }
}
