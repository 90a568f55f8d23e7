import { randomBytes } from 'node:crypto'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { fastify, type FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { Pool } from 'pg'
import { pino } from 'pino'
import { silentLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { createTestDatabase } from '#kit/testing/postgres'
import { WebSocket } from 'ws'
import { createAuth, type Auth, type AuthOptions } from '../../auth/auth.ts'
import { defaultAuthConfig, type AuthConfig } from '../../auth/config.ts'
import { createMailer, type Mail, type Mailer } from '../../auth/mail/mailer.ts'
import { authRoutes } from '../../auth/routes.ts'
import type { Sms } from '../../auth/sms/sms-providers.ts'
import type { AuthTenant } from '../../auth/tenant.ts'

/** A tenant with a database of its own, as a test sees it. */
export type TestTenant = AuthTenant & {
  /** What the mailer delivered, oldest first. */
  mails: Mail[]
  /** What the local outbox was given, oldest first. */
  texts: Sms[]
  serviceKey: string
  anonKey: string
  /** As the superuser. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** A client of its own that forgets its session with the test. */
  client(key?: string, flowType?: 'implicit' | 'pkce'): SupabaseClient
  /** Without the client: a path like "/user", a body that may be text, extra headers. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>
}

export type TestServer = {
  app: FastifyInstance
  auth: Auth
  origin: string
  /** Moves the clock of the service. */
  advance(seconds: number): void
  tenant(
    ref: string,
    config?: Partial<AuthConfig>,
    mailer?: (mails: Mail[]) => Mailer,
  ): Promise<TestTenant>
  /** Lines of the log at level warn and above. */
  logged: string[]
  /** Ends everything; throws when the service logged a failure of its own, unless the test took it off `logged`. */
  close(): Promise<void>
}

/** High enough that tests from one address do not meet them; tests about limits set their own. */
const plenty = { points: 100_000, seconds: 60 }
export const noLimits = {
  mailIntervalSeconds: 0,
  smsIntervalSeconds: 0,
  rateLimits: {
    token: plenty,
    web3: plenty,
    signup: plenty,
    verify: plenty,
    otp: plenty,
    anonymous: plenty,
    mfa: plenty,
    emails: plenty,
    sms: plenty,
    passwordFailures: plenty,
    otpFailures: plenty,
    mfaFailures: plenty,
  },
}

/** The real service on a free port of 127.0.0.1, mounted as the data plane mounts it. */
export async function startAuthServer(options: Omit<AuthOptions, 'log'> = {}): Promise<TestServer> {
  let offset = 0
  const now = () => new Date(Date.now() + offset)
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void logged.push(line) })
  const auth = createAuth({ log, now, ...options })
  const tenants = new Map<string, TestTenant>()
  const closers: (() => Promise<void>)[] = []
  const app: FastifyInstance = fastify()
  await app.register(authRoutes, {
    prefix: '/:ref/auth/v1',
    auth,
    tenantOf: async (request) => {
      const { ref } = request.params as { ref?: string } // the prefix has it
      return tenants.get(ref ?? '')
    },
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    app,
    auth,
    origin,
    logged,
    advance: (seconds) => void (offset += seconds * 1000),
    async tenant(ref, config = {}, mailer) {
      const made = await createTenant(ref, origin, config, mailer)
      tenants.set(ref, made.tenant)
      closers.push(made.close)
      return made.tenant
    },
    async close() {
      await app.close()
      for (const close of closers) await close()
      const failures = logged.filter((line) => line.includes('auth request failed'))
      if (failures.length > 0) throw new Error(failures.join('\n'))
    },
  }
}

async function createTenant(
  ref: string,
  origin: string,
  config: Partial<AuthConfig>,
  mailer: ((mails: Mail[]) => Mailer) | undefined,
): Promise<{ tenant: TestTenant; close: () => Promise<void> }> {
  const database = await createTestDatabase()
  const pool = listening(new Pool({ ...database.configFor('supabase_auth_admin'), max: 10 }))
  const admin = listening(new Pool({ ...database.adminConfig, max: 2 }))
  const mails: Mail[] = []
  const texts: Sms[] = []
  const deliver = async (mail: Mail) => void mails.push(mail)
  const externalUrl = `${origin}/${ref}/auth/v1`
  const secret = `a secret of ${ref} that is long enough`
  const key = (role: string) => apiKey(secret, role)
  const tenant: TestTenant = {
    id: ref,
    pool,
    jwt: { secret, issuer: externalUrl, expirySeconds: 3600, audience: 'authenticated' },
    externalUrl,
    config: defaultAuthConfig({ siteUrl: 'http://localhost:3000', ...noLimits, ...config }),
    secrets: createSecrets(randomBytes(32)),
    mailer: mailer?.(mails) ?? createMailer({ from: 'a@example.com', deliver, log: silentLog }),
    mails,
    keepSms: async (sms) => void texts.push(sms),
    texts,
    serviceKey: await key('service_role'),
    anonKey: await key('anon'),
    sql: async (text, values) => (await admin.query<Record<string, unknown>>(text, values)).rows,
    client: (apikey, flowType = 'implicit') =>
      createClient(`${origin}/${ref}`, apikey ?? tenant.anonKey, {
        auth: { persistSession: false, autoRefreshToken: false, flowType, ...ownStorage() },
        // Node 20 has no WebSocket of its own; nothing here opens one.
        realtime: { transport: WebSocket as never },
      }),
    call: (method, path, body, headers = {}) =>
      fetch(externalUrl + path, {
        method,
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
  }
  return {
    tenant,
    async close() {
      await tenant.mailer.close()
      await pool.end()
      await admin.end()
      await database.drop()
    },
  }
}

function listening(pool: Pool): Pool {
  return pool.on('error', () => undefined)
}

/** Keeps the session and PKCE verifier of one client apart from those of the others. */
function ownStorage() {
  const values = new Map<string, string>()
  return {
    storage: {
      getItem: (name: string) => values.get(name) ?? null,
      setItem: (name: string, value: string) => void values.set(name, value),
      removeItem: (name: string) => void values.delete(name),
    },
  }
}

function apiKey(secret: string, role: string): Promise<string> {
  return new SignJWT({ role, iss: 'plinth' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}

/** The link and the code of the last mail to an address. */
export function lastMail(tenant: TestTenant, to: string): { mail: Mail; url: URL; otp: string } {
  const mail = tenant.mails.findLast((candidate) => candidate.to === to)
  if (!mail) throw new Error(`No mail to ${to}`)
  const link = /^http\S+\/verify\?\S+$/m.exec(mail.text)?.[0] ?? 'http://none'
  return { mail, url: new URL(link), otp: /^Code: (\d+)$/m.exec(mail.text)?.[1] ?? '' }
}

/** Where a link leads: the values that the redirect carries. */
export async function follow(url: URL): Promise<{ to: string; values: URLSearchParams }> {
  const response = await fetch(url, { redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  const [to = '', fragment] = location.split('#', 2)
  const values = new URLSearchParams(fragment ?? new URL(to || 'http://none').search)
  return { to, values }
}

/** The code in the last text message to a number. */
export function lastCode(tenant: TestTenant, phone: string): string {
  const sms = tenant.texts.findLast(({ to }) => to === phone)
  if (!sms) throw new Error(`No text message to ${phone}`)
  return /\d+$/.exec(sms.text)?.[0] ?? ''
}

let counter = 0
/** A number, as digits, that no other test uses. */
export function newPhone(): string {
  counter += 1
  return `4915${String(process.pid % 100_000).padStart(5, '0')}${String(counter).padStart(4, '0')}`
}

/** An address that no other test uses. */
export function newEmail(): string {
  counter += 1
  return `user${counter}.${process.pid}@example.com`
}

export const password = 'correct horse 1'
