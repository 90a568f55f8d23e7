import { tmpdir } from 'node:os'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createDataPlane } from '../app.ts'
import { fixedDirectory } from '../testing/fixed-directory.ts'
import type { TestDataPlane } from '../testing/data-plane.ts'
import { startNats } from '../testing/realtime/nats.ts'
import { Line, startRealtime } from '../testing/realtime/client.ts'

/** Only those that have begun: what is committed before is for nobody. */
const slots =
  'select active_pid as pid from pg_replication_slots where database = current_database() and confirmed_flush_lsn is not null'

/** A second data plane that serves the same project. */
async function secondOf(plane: TestDataPlane, natsUrl: string | undefined) {
  const app: FastifyInstance = createDataPlane({
    directory: fixedDirectory([plane.project]),
    internalToken: 'a token that only our own programs know',
    mailFrom: 'Plinth <no-reply@localhost>',
    keepMail: () => Promise.resolve(),
    imports: { folder: tmpdir() },
    realtimeTiming: { handshakeBackoff: 0, joinBackoff: 0 },
    natsUrl,
    log: silentLog,
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return { ...plane, app, url: `${address}/${plane.project.ref}`, close: () => app.close() }
}

/** The address of a real server, for whoever has one. */
const natsServer = process.env['PLINTH_NATS_URL']

describe.each(['notify', 'nats', ...(natsServer ? ['a NATS server'] : [])])(
  'two processes share the topics of a project by %s',
  (way) => {
    let nats: Awaited<ReturnType<typeof startNats>> | undefined
    let first: TestDataPlane
    let second: TestDataPlane
    let a: Line
    let b: Line
    beforeAll(async () => {
      nats = way === 'nats' ? await startNats() : undefined
      const natsUrl = way === 'a NATS server' ? natsServer : nats?.url
      first = await startRealtime(
        'create table watched (id int primary key); alter publication supabase_realtime add table watched',
        {},
        { natsUrl },
      )
      second = await secondOf(first, natsUrl)
      a = await Line.open(first)
      const config = { presence: { enabled: true, key: 'a' } }
      // The first one to come reads the slot.
      await a.join('room', { ...config, broadcast: { replication_ready: true } })
      await a.hearEvent('system')
      b = await Line.open(second)
      await b.join('room', { ...config, presence: { enabled: true, key: 'b' } })
    })
    afterAll(async () => {
      a.close()
      b.close()
      await second.close()
      await first.close()
      nats?.close()
    })

    test('broadcasts, also large ones and bytes, arrive in order', async () => {
      // The two find each other a moment after they begin.
      await expect
        .poll(async () => {
          a.send('realtime:room', 'broadcast', { event: 'ping' }, '1')
          return b.heard.some(({ event }) => event === 'broadcast')
        })
        .toBe(true)
      const large = 'ü'.repeat(100_000)
      a.send('realtime:room', 'broadcast', { event: 'large', payload: large }, '1')
      a.send('realtime:room', 'broadcast', { event: 'after' }, '1')
      const heard = await b.hear(({ payload }) => payload['event'] === 'large')
      expect(heard.payload['payload'] === large).toBe(true)
      await b.hear(({ payload }) => payload['event'] === 'after')
      const topic = 'realtime:room'
      const head = Buffer.from([3, 1, 1, topic.length, 1, 0, 0])
      a.socket.send(Buffer.concat([head, Buffer.from(`19${topic}e`), Buffer.from([0, 255])]))
      await expect
        .poll(() => b.binary.map((frame) => frame.subarray(-2)))
        .toEqual([Buffer.from([0, 255])])
      // A process that holds no socket itself is heard as well.
      expect(nats === undefined || nats.published() > 0).toBe(true)
    })

    test('presence of both is one state, also for who comes later, and ends with its process', async () => {
      const track = (line: Line, name: string) =>
        line.ask('realtime:room', 'presence', { event: 'track', payload: { name } }, '1')
      await track(a, 'ada')
      const joined = await b.hearEvent('presence_diff')
      expect(joined.payload).toMatchObject({ joins: { a: { metas: [{ name: 'ada' }] } } })
      await track(b, 'bob')
      await a.hear(({ payload }) => 'b' in ((payload['joins'] ?? {}) as object))
      const late = await Line.open(second)
      await late.join('room', { presence: { enabled: true } })
      expect(Object.keys((await late.hearEvent('presence_state')).payload).toSorted()).toEqual([
        'a',
        'b',
      ])
      late.close()
    })

    test('one slot reads the changes for both, and the other process takes over', async () => {
      const want = [{ event: '*', schema: 'public', table: 'watched' }]
      for (const line of [a, b]) {
        await line.ask('realtime:db', 'phx_join', { config: { postgres_changes: want } }, 'x')
        expect((await line.hearEvent('system')).payload['status']).toBe('ok')
      }
      const before = await first.sql(slots)
      expect(before).toHaveLength(1)
      await first.sql('insert into watched values (1)')
      for (const line of [a, b]) await line.hearEvent('postgres_changes')
      a.close()
      await expect
        .poll(async () => (await first.sql(slots))[0]?.['pid'] ?? before[0]?.['pid'])
        .not.toBe(before[0]?.['pid'])
      await expect.poll(async () => (await first.sql(slots)).length).toBe(1)
      await first.sql('insert into watched values (2)')
      const { payload } = await b.hearEvent('postgres_changes')
      expect(payload['data']).toMatchObject({ record: { id: '2' } })
      // Whoever was present by the process that has gone is present no more.
      const left = await b.hear(({ payload: { leaves } }) => 'a' in ((leaves ?? {}) as object))
      expect(left.topic).toBe('realtime:room')
    })

    test('what is sent over HTTP to a process without sockets reaches the other one', async () => {
      const response = await fetch(`${first.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { apikey: first.project.anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ topic: 'room', event: 'by http', payload: {} }] }),
      })
      expect(response.status).toBe(202)
      await b.hear(({ payload }) => payload['event'] === 'by http')
    })
  },
)
