import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDataPlane } from '#data-plane/app'
import { createDirectory } from '#data-plane/projects/directory'
import { createFileBackend } from '#data-plane/storage/backends/file-backend'
import { silentLog } from '#kit/log'
import { freePort } from '#kit/testing/free-port'
import { SMTPServer } from 'smtp-server'
import { expect, vi } from 'vitest'
import { runAsOwner } from './owner-sql.ts'
import { internalToken, startControlPlane } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'

/** Both planes, and a project with a real database between them: what is set on one side is felt on the other. */
export async function startBothPlanes() {
  // The control plane asks the data plane, too, which begins after it.
  const dataPlanePort = await freePort()
  const plane = await startControlPlane(silentLog, `http://127.0.0.1:${dataPlanePort}`)
  const controlPlaneUrl = await plane.app.listen({ host: '127.0.0.1', port: 0 })
  const directory = createDirectory({ controlPlaneUrl, token: internalToken, log: silentLog })
  const storageFolder = join(tmpdir(), `plinth-storage-${randomUUID()}`)
  const dataPlane = createDataPlane({
    directory,
    storage: { backend: createFileBackend(storageFolder), largest: 50_000_000 },
    internalToken,
    mailFrom: 'Plinth <no-reply@localhost>',
    keepMail: ({ ref, to, ...mail }) => plane.keepMail({ ...mail, tenant: ref, recipient: to }),
    imports: { folder: join(tmpdir(), `plinth-imports-${randomUUID()}`) },
    reachesLoopback: true,
    log: silentLog,
  })
  const dataPlaneUrl = await dataPlane.listen({ host: '127.0.0.1', port: dataPlanePort })

  const ada = await newcomer(plane, 'ada')
  await organizationOf(ada, 'Acme', 'tier_pro')
  const made = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  const ref = String(made.body['ref'])
  await vi.waitFor(
    async () => {
      const { body } = await ada.call('GET', `/platform/projects/${ref}/status`)
      expect(body['status']).toBe('ACTIVE_HEALTHY')
    },
    { timeout: 120_000 },
  )
  const settings = await ada.call('GET', `/platform/projects/${ref}/settings`)
  const [anon] = settings.body['service_api_keys'] as { api_key: string }[]
  const apikey = anon?.api_key ?? ''

  return {
    plane,
    ada,
    ref,
    dataPlaneUrl,
    /** Changes settings, and waits until the data plane has heard of them. */
    async set(changes: object): Promise<void> {
      const heard = new Promise<void>((resolve) => {
        const forget = directory.onChange((changed) => {
          if (changed !== ref) return
          forget()
          resolve()
        })
      })
      const answer = await ada.call('PATCH', `/platform/auth/${ref}/config`, changes)
      expect(answer.body['message']).toBeUndefined()
      await heard
    },
    /** Runs SQL as the owner of the project's database. */
    sql: (query: string) => runAsOwner(dataPlaneUrl, ref, query),
    /** A request of a client of the project; the answer's JSON, or its text. */
    async auth(path: string, body?: object, token = apikey) {
      const response = await fetch(`${dataPlaneUrl}/${ref}/auth/v1${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { apikey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      // What an answer holds is for the test to say.
      const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>
      return { status: response.status, json, text, headers: response.headers }
    },
    /** The same without any key, as a browser that follows a link. */
    visit: (path: string, init?: RequestInit) =>
      fetch(`${dataPlaneUrl}/${ref}/auth/v1${path}`, { redirect: 'manual', ...init }),
    /** Mails to somebody in the mailbox, newest first. */
    async mailsTo(recipient: string) {
      const query = new URLSearchParams({ recipient })
      const answer = await plane.app.inject({ url: `/platform/mailbox?${query}` })
      return answer.json<{ subject: string; text: string; html: string }[]>()
    },
    async end(): Promise<void> {
      directory.close()
      await dataPlane.close()
      // Connections of the data plane that no request is on any more would hold it open until they time out.
      const cut = setInterval(() => plane.app.server.closeAllConnections(), 100)
      await plane.end()
      clearInterval(cut)
      await rm(storageFolder, { recursive: true, force: true })
    },
  }
}
export type BothPlanes = Awaited<ReturnType<typeof startBothPlanes>>

export type ReceivedMail = { from: string; to: string[]; user: string; content: string }

/** A mail server on this machine that wants `shop` with the password `let me send`. */
export async function startMailServer() {
  const received: ReceivedMail[] = []
  const users = new Map<string, string>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, session, done) => {
      if (username !== 'shop' || password !== 'let me send') return done(new Error('who?'))
      users.set(session.id, username)
      done(null, { user: username })
    },
    onData: (stream, { envelope, id }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          user: users.get(id) ?? '',
          content: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const address = server.server.address()
  return {
    port: String(typeof address === 'object' && address ? address.port : 0),
    received,
    close: () => new Promise<void>((done) => server.close(done)),
  }
}
