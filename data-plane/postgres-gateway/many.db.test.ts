import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locateBinaries } from '#kit/postgres/binaries'
import { initCluster } from '#kit/postgres/cluster'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { runnableBinaries } from '#kit/postgres/runtime'
import { startServer, stopServer } from '#kit/postgres/server'
import { startGateway, type TestGateway } from '../testing/postgres-gateway.ts'

/** A server of its own: so many connections would take those of other tests. */
let folder: string
let dataDir: string
let at: TestGateway
beforeAll(async () => {
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const binaries = await runnableBinaries(await locateBinaries(), undefined, user)
  folder = await mkdtemp(join(tmpdir(), 'plinth-many-'))
  await chmod(folder, 0o711)
  dataDir = join(folder, 'data')
  const socketDir = join(folder, 's')
  await mkdir(socketDir, { mode: 0o700 })
  if (user) await chown(socketDir, user.uid, user.gid)
  await initCluster({ binaries, dataDir, superuser: 'owner', password: 'pw', user, noSync: true })
  const settings = { fsync: 'off', max_connections: '220' }
  const logFile = join(folder, 'server.log')
  const options = { binaries, dataDir, socketDir, port: 5432, tcp: false, settings, logFile, user }
  await startServer(options)
  at = await startGateway({ host: socketDir, port: 5432 }, { connections: 210 })
})
afterAll(async () => {
  await at.close()
  await stopServer(dataDir, { mode: 'immediate' })
  await rm(folder, { recursive: true, force: true })
})

const login = { user: 'owner', password: 'pw', database: 'postgres', host: '127.0.0.1' }
const clientOf = () => new Client({ ...login, port: at.port })

test('two hundred connections at once, each with its own answers', async () => {
  const clients = Array.from({ length: 200 }, clientOf)
  await Promise.all(clients.map((client) => client.connect()))
  const answers = await Promise.all(
    clients.map(async (client, n) => {
      const { rows } = await client.query<{ n: number }>('select $1::int as n', [n])
      return rows[0]?.n
    }),
  )
  expect(answers).toEqual(clients.map((_, n) => n))
  const more = Array.from({ length: 20 }, clientOf)
  const outcomes = await Promise.allSettled(more.map((client) => client.connect()))
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toHaveLength(10)
  for (const error of refused) expect(error).toMatchObject({ code: '53300' })
  const open = [...clients, ...more.filter((_, index) => outcomes[index]?.status === 'fulfilled')]
  await Promise.all(open.map((client) => client.end()))
  await expect.poll(() => at.of('ended').length).toBe(210)
  expect(at.counts.get('database_connections')).toBeGreaterThanOrEqual(210)
})

test('when the server is killed its clients are told, and come back with it', async () => {
  const client = clientOf()
  const gone = new Promise<Error>((resolve) => client.on('error', resolve))
  await client.connect()
  await stopServer(dataDir, { mode: 'immediate' })
  expect(String(await gone)).toMatch(/terminat/)
  await expect(clientOf().connect()).rejects.toMatchObject({ code: '57P03' })
})
