import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { HostnameKeyPair, WantedHostname } from '#contract/internal-api'
import { silentLog } from '#kit/log'
import { createTestAuthority, type TestAuthority } from '#kit/testing/authority'
import { freePort } from '#kit/testing/free-port'
import { createOwnEncryption, type Encryption } from '../../postgres-gateway/tls/encryption.ts'
import { startDataPlane, testRef, type TestDataPlane } from '../../testing/data-plane.ts'

const host = 'api.acme.org'
const ownHost = 'projects.example.com'
const internalToken = 'a token that only our own programs know'
/** What the control plane would say. */
let names: WantedHostname[] = []
const pairs = new Map<string, HostnameKeyPair>()
let isAway = false
const listeners = new Set<() => void>()
const orAway = <T>(value: T): Promise<T> =>
  isAway ? Promise.reject(new Error('The control plane is away')) : Promise.resolve(value)
const change = (to: WantedHostname[]) => {
  names = to
  for (const listener of listeners) listener()
}
let authority: TestAuthority
let plane: TestDataPlane
let folder: string
let own: Encryption
let port: number
let challengePort: number

async function certify(hostname: string, version: string): Promise<void> {
  pairs.set(hostname, { version, ...(await authority.issue([hostname])) })
}
async function writeOwn(hosts: string[]): Promise<void> {
  const pair = await authority.issue(hosts)
  await writeFile(join(folder, 'key.pem'), pair.key)
  await writeFile(join(folder, 'certificate.pem'), pair.certificate)
}

beforeAll(async () => {
  authority = await createTestAuthority()
  folder = await mkdtemp(join(tmpdir(), 'plinth-https-'))
  await writeOwn([ownHost, `*.${ownHost}`])
  const files = { key: join(folder, 'key.pem'), certificate: join(folder, 'certificate.pem') }
  own = await createOwnEncryption(files, { what: 'HTTPS', log: silentLog })
  await certify(host, 'one')
  names = [{ hostname: host, ref: testRef, certificate: 'one' }]
  port = await freePort()
  challengePort = await freePort()
  plane = await startDataPlane(
    `insert into storage.buckets (id, name, public) values ('covers', 'covers', true)`,
    {},
    testRef,
    {
      internalToken,
      projectUrl: `https://{ref}.${ownHost}`,
      hostnames: {
        hostnames: () => orAway(names),
        onAnyChange: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      https: {
        host: '127.0.0.1',
        port,
        challengePort,
        own,
        source: {
          certificateOf: (hostname) => orAway(pairs.get(hostname)),
          challengeAnswer: (hostname, token) =>
            orAway(hostname === host ? `${token}.answer` : null),
        },
      },
    },
  )
  await vi.waitFor(() => shake(host), { timeout: 30_000 })
})
afterAll(async () => {
  await plane.close()
  own.close()
  await rm(folder, { recursive: true })
})

/** @returns the certificate that is shown; rejects where the handshake is refused */
async function shake(servername: string | undefined, more: ConnectionOptions = {}) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: authority.certificate,
    ...(servername === undefined ? { checkServerIdentity: () => undefined } : { servername }),
    ...more,
  })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}
const shows = (servername: string, wanted: boolean) =>
  expect
    .poll(
      () =>
        shake(servername).then(
          () => true,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(wanted)

const ask = (servername: string, path: string, options: RequestOptions = {}, body?: Buffer) =>
  new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const headers = { host: servername, ...(options.headers as Record<string, string>) }
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        servername,
        ca: authority.certificate,
        path,
        agent: false,
        ...options,
        headers,
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts) }),
        )
        response.on('error', reject)
      },
    )
    asking.on('error', reject)
    asking.end(body)
  })
/** By a connection that was made to `host`. */
function openSocket(path: string, header: string): WebSocket {
  const options = { servername: host, ca: authority.certificate, headers: { host: header } }
  return new WebSocket(`wss://127.0.0.1:${port}${path}`, options)
}
const key = () => ({ apikey: plane.project.anonKey })

describe('refused', () => {
  test.each(['acme.org', `x.${host}`, 'projects.example.com.evil.org', `a.b.${ownHost}`])(
    'a handshake for %s',
    async (name) => {
      await expect(shake(name)).rejects.toThrow()
    },
  )
  test('a handshake for no name, and by a protocol that nobody should speak', async () => {
    await expect(shake(undefined)).rejects.toThrow()
    await expect(shake(host, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' })).rejects.toThrow()
  })

  test('a Host header that names another host than the connection', async () => {
    for (const other of [ownHost, 'x.example.org', `${testRef}.${ownHost}`]) {
      const { status } = await ask(host, '/auth/v1/settings', {
        headers: { ...key(), host: other },
      })
      expect(status, other).toBe(421)
    }
    // By one of the installation's names neither.
    const from = await ask(ownHost, '/auth/v1/settings', { headers: { ...key(), host } })
    expect(from.status).toBe(421)
    const socket = openSocket('/realtime/v1/websocket', 'x.example.org')
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ]
    expect(response.statusCode).toBe(421)
    socket.on('error', () => undefined).terminate()
  })

  test('what only our own programs call, whatever one shows', async () => {
    const headers = { authorization: `Bearer ${internalToken}` }
    const paths = ['/internal/listeners', '/%69nternal/listeners', '//internal/listeners']
    for (const path of paths) {
      const { status } = await ask(ownHost, path, { method: 'POST', headers })
      expect(status, path).toBe(404)
    }
    const inside = await plane.app.inject({ method: 'POST', url: '/internal/listeners', headers })
    expect(inside.statusCode).toBe(200)
  })
})

test('all services answer, by the name and by the addresses of the installation', async () => {
  expect((await ask(host, '/auth/v1/settings', { headers: key() })).status).toBe(200)
  const upper = { ...key(), host: `API.ACME.org.:${port}` }
  expect((await ask(host, '/auth/v1/settings', { headers: upper })).status).toBe(200)
  const below = await ask(ownHost, `/${testRef}/auth/v1/settings`, { headers: key() })
  expect(below.status).toBe(200)
  const byRef = await ask(`${testRef}.${ownHost}`, '/auth/v1/settings', { headers: key() })
  expect(byRef.status).toBe(200)
})

test('uploads and downloads of many megabytes', async () => {
  const bytes = Buffer.alloc(20_000_000, 'plinth ')
  const headers = {
    authorization: `Bearer ${plane.project.serviceKey}`,
    apikey: plane.project.serviceKey,
    'content-type': 'application/octet-stream',
  }
  const path = '/storage/v1/object/covers/large.bin'
  expect((await ask(host, path, { method: 'POST', headers }, bytes)).status).toBe(200)
  const found = await ask(host, '/storage/v1/object/public/covers/large.bin')
  expect(found.status).toBe(200)
  expect(found.body.equals(bytes)).toBe(true)
})

test('sockets are opened, and go on when the certificate is another one', async () => {
  const path = `/realtime/v1/websocket?vsn=1.0.0&apikey=${plane.project.anonKey}`
  const socket = openSocket(path, host)
  await once(socket, 'open')
  const before = await shake(host)
  await certify(host, 'two')
  change([{ hostname: host, ref: testRef, certificate: 'two' }])
  await expect.poll(() => shake(host), { timeout: 30_000 }).not.toBe(before)
  socket.send(JSON.stringify({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' }))
  const [answer] = (await once(socket, 'message')) as [Buffer]
  expect(answer.toString()).toContain('"ok"')
  socket.close()
  await once(socket, 'close')
})

test('what is known holds while nobody can tell; a name that is taken away is refused', async () => {
  isAway = true
  change([])
  await shows(host, true)
  const asked = await fetch(
    `http://127.0.0.1:${challengePort}/.well-known/acme-challenge/${'t'.repeat(32)}`,
  )
  // An authority that asks meanwhile is not told that there is nothing.
  expect(asked.status).toBe(503)
  isAway = false
  change([])
  await shows(host, false)
  change([{ hostname: host, ref: testRef, certificate: 'two' }])
  await shows(host, true)
})

test('files of the operator are taken over when they change', async () => {
  const before = await shake(ownHost)
  await writeOwn([ownHost, 'second.example.com'])
  await own.look()
  expect(await shake(ownHost)).not.toBe(before)
  expect(await shake('second.example.com')).toBe(await shake(ownHost))
  // What it is no longer for is refused.
  await expect(shake(`x.${ownHost}`)).rejects.toThrow()
})
