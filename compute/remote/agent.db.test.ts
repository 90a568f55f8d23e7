import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerLogEntry } from '#contract/observability/server-log'
import { silentLog } from '#kit/log'
import { admin, ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { remoteHarness, type RemoteHarness } from '../testing/remote.ts'
import { testVaultKeys } from '../testing/vault-keys.ts'
import { UnknownBackupError, type Provider } from '../provider.ts'
import { createRemoteProvider } from './remote.ts'

const keys = testVaultKeys()
const taken: { ref: string; entries: ServerLogEntry[] }[] = []
let refuses = false
let harness: RemoteHarness
let provider: Provider
beforeAll(async () => {
  harness = await remoteHarness({ vaultKeys: keys.of })
  provider = harness.provider
  provider.onServerLog?.(async (ref, entries) => {
    if (refuses) throw new Error('nobody has room for it')
    taken.push({ ref, entries })
  })
  await provider.prepare()
})
afterAll(() => harness.close())

const call = (path: string, init: RequestInit & { token?: string } = {}) =>
  fetch(`${harness.url}${path}`, {
    method: 'POST',
    ...init,
    headers: {
      authorization: `Bearer ${init.token ?? harness.token}`,
      'content-type': 'application/json',
    },
  })

test.each([
  ['/do/provider/list', 'POST'],
  ['/backups/abc/1', 'GET'],
  ['/facts', 'GET'],
  ['/questions', 'POST'],
  ['/nothing', 'GET'],
])('%s is for who knows the token', async (path, method) => {
  for (const token of ['', 'wrong', `${harness.token}x`]) {
    const { status } = await call(path, { method, token, ...(method === 'POST' && { body: '[]' }) })
    expect(status, token).toBe(401)
  }
  expect((await fetch(`${harness.url}${path}`, { method })).status).toBe(401)
})

test.each([
  ['/do/provider/toString', '[]', 404],
  ['/do/provider/close', '[]', 404],
  ['/do/constructor/list', '[]', 404],
  ['/do/backups/read', '[{"ref":"a","id":"1"}]', 404],
  ['/do/provider/start', '{"ref":"abc"}', 400],
  ['/do/provider/start', '[1]', 400],
  ['/do/provider/start', '["abc","more"]', 400],
  ['/do/provider/create', '[{"ref":"abcdefghijklmnopqrst"}]', 400],
  ['/do/provider/start', 'no json', 400],
  ['/questions', '{"id":1}', 400],
])('%s with %s is refused with %i', async (path, body, status) => {
  expect((await call(path, { body })).status).toBe(status)
})

test('an error of the provider is the same error here', async () => {
  await expect(provider.start('no ref')).rejects.toThrow(TypeError)
  const key = { ref: testRef(), id: '1' }
  await expect(provider.backups?.facts(key)).rejects.toThrow(UnknownBackupError)
  await expect(provider.backups?.read?.(key)).rejects.toThrow(UnknownBackupError)
})

test('what the machine has is known once it is prepared', () => {
  expect(provider.capacity?.()?.memoryBytes).toBeGreaterThan(0)
  expect(provider.upgradeFailure?.(testRef())).toBeUndefined()
})

test('a server has the keys of its vault from the control plane', async () => {
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  await ask(
    at,
    admin(ref),
    'create extension if not exists supabase_vault with schema vault cascade',
  )
  const opened = await ask(
    at,
    customer(ref),
    `select vault.create_secret('hidden', 'one')`,
    `select decrypted_secret from vault.decrypted_secrets where name = 'one'`,
  )
  expect(opened).toBe('hidden')
  await provider.destroy(ref)
})

test('what a server logs is handed over, and again when nobody had room for it', async () => {
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  const told = (text: string) =>
    taken.some(
      (one) => one.ref === ref && one.entries.some(({ message }) => message.includes(text)),
    )
  const fail = (text: string) =>
    expect(ask(at, customer(ref), `do $$ begin raise '${text}'; end $$`)).rejects.toThrow(text)
  await fail('first of all')
  await expect.poll(() => told('first of all')).toBe(true)
  refuses = true
  await fail('not taken')
  await expect(provider.backups?.list(ref)).resolves.toEqual([])
  refuses = false
  await expect.poll(() => told('not taken')).toBe(true)
  await provider.destroy(ref)
})

test('the file of a backup comes whole', async () => {
  const ref = testRef()
  await provider.create(specOf(ref))
  const made = await provider.backups?.make({ ref, id: '1' }, specOf(ref).passwords.admin)
  const file = await provider.backups?.read?.({ ref, id: '1' })
  if (!made || !file) throw new Error('There are no backups')
  let bytes = 0
  for await (const part of file.stream) bytes += Buffer.byteLength(part as Buffer)
  expect({ bytes, told: file.bytes }).toEqual({ bytes: made.bytes, told: made.bytes })
  expect(made.takenAt).toBeInstanceOf(Date)
  await provider.backups?.remove({ ref, id: '1' })
  await provider.destroy(ref)
})

/** Stands before the agent and lets a test cut what goes through. */
async function between(): Promise<{ url: string; server: Server; cut: () => void }> {
  const { port } = new URL(harness.url)
  const open = new Set<() => void>()
  const server = createServer((socket) => {
    const inner = connect(Number(port), '127.0.0.1')
    const end = () => {
      socket.destroy()
      inner.destroy()
    }
    open.add(end)
    for (const one of [socket, inner]) one.on('error', end).on('close', end)
    socket.pipe(inner).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${at.port}`,
    server,
    cut() {
      for (const end of open) end()
      open.clear()
    },
  }
}

test('a connection that is cut in the middle does not end what was begun, and the same is asked again', async () => {
  const { url, server, cut } = await between()
  const remote = createRemoteProvider({ url, token: harness.token, log: silentLog })
  const ref = testRef()
  const creating = remote.create(specOf(ref))
  const over = creating.then(() => true)
  for (let cuts = 0; cuts < 5; cuts += 1) {
    await delay(60)
    cut()
  }
  expect(await over).toBe(true)
  expect(await ask(await creating, customer(ref), 'select 1')).toBe(1)
  expect(await remote.inspect(ref)).toEqual({ state: 'running', address: await creating })
  await remote.destroy(ref)
  await remote.close()
  server.close()
  cut()
})

test('an agent that does not answer is asked for a while, and then told to be away', async () => {
  const { url, server, cut } = await between()
  const remote = createRemoteProvider({
    url,
    token: harness.token,
    log: silentLog,
    patienceMs: 800,
  })
  server.close()
  cut()
  await expect(remote.list()).rejects.toThrow('The agent for databases does not answer')
  await remote.close()
})

test('who has a wrong token is told so at once', async () => {
  const remote = createRemoteProvider({ url: harness.url, token: 'wrong', log: silentLog })
  await expect(remote.list()).rejects.toThrow('The token is wrong')
  await remote.close()
})
