import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { preparePostgres } from '#kit/postgres/runtime'
import { rounds } from '#kit/testing/rounds'
import { newTablesGranted } from '#kit/testing/new-tables'
import { createOrganization, createProject, reaches, runSql, signUp } from '../testing/client.ts'
import type { Person, Project } from '../testing/client.ts'
import type { Platform } from '../testing/platform.ts'
import { ownPlatform } from '../testing/shared-platform.ts'
import { childOf, until } from '../testing/processes.ts'
import { serversOf } from '../testing/world.ts'

/** How often something is killed: once each, or 40 times. */
const kills = rounds(2, 40)

let platform: Platform
let ada: Person
let project: Project
const everybody: SupabaseClient[] = []

beforeAll(async () => {
  platform = await ownPlatform()
  ada = await signUp(platform.url, 'ada@example.com')
  project = await createProject(ada, await createOrganization(ada, 'Acme'), 'Chat')
  await reaches(ada, project.ref, ['ACTIVE_HEALTHY'])
  await sql(newTablesGranted)
  // A flood of messages is what this is about: the limits would close the channel for good.
  const limits = { max_events_per_second: 50_000, max_bytes_per_second: 10_000_000 }
  const set = await ada.call('PATCH', `/platform/projects/${project.ref}/config/realtime`, limits)
  expect(set.status).toBe(200)
  await sql(`create table notes (id int primary key); grant select on notes to anon;
    alter publication supabase_realtime add table notes`)
})
afterAll(async () => {
  for (const client of everybody) await client.removeAllChannels()
})

const sql = (query: string) => runSql(ada, project.ref, query)

type Member = { channel: RealtimeChannel; heard: Set<number>; rows: Set<number> }

async function join(): Promise<Member> {
  const client = createClient(project.endpoint, project.anonKey, {
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never, heartbeatIntervalMs: 500 },
  })
  everybody.push(client)
  const [heard, rows] = [new Set<number>(), new Set<number>()]
  const channel = client.channel('room', { config: { broadcast: { ack: true } } })
  channel
    .on('broadcast', { event: 'n' }, ({ payload }) => heard.add(Number(payload['n'])))
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, (change) =>
      rows.add(Number(change.new['id'])),
    )
  await new Promise<void>((resolve) =>
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') resolve()
    }),
  )
  return { channel, heard, rows }
}

const targets = {
  'the data plane': () => childOf(platform.process.pid ?? 0, 'data-plane.js'),
  'the database': async () => {
    const { clusters } = await preparePostgres(platform.home)
    // The first process of a server started the others.
    return Math.min(...(serversOf(clusters).get(project.ref) ?? []))
  },
}

test(
  `what was acknowledged arrives, and everybody is back after ${kills} kills`,
  async () => {
    const [writer, ...readers] = await Promise.all([join(), join(), join()])
    if (!writer) throw new Error('Nobody joined')
    let last = 0
    let row = 0
    const send = async () => {
      const n = (last += 1)
      const answer = await writer.channel.send({ type: 'broadcast', event: 'n', payload: { n } })
      return answer === 'ok' ? n : undefined
    }
    /** Until a message and a row have reached everybody: the way is open again. */
    const works = async () => {
      await until(
        'a broadcast reaches everybody',
        async () => {
          const n = writer.channel.state === 'joined' ? await send() : undefined
          await delay(100)
          return n !== undefined && readers.every(({ heard }) => heard.has(n))
        },
        60_000,
      )
      await until(
        'a change reaches everybody',
        async () => {
          const id = (row += 1)
          const made = await sql(`insert into notes values (${id})`).catch(() => undefined)
          await delay(200)
          return made !== undefined && readers.every(({ rows }) => rows.has(id))
        },
        60_000,
      )
    }
    await works()
    for (let i = 0; i < kills; i++) {
      const what = i % 2 === 0 ? 'the data plane' : 'the database'
      const pid = await targets[what]()
      if (!Number.isSafeInteger(pid) || !pid) throw new Error(`${what} does not run`)
      const acknowledged: number[] = []
      let goesOn = true
      const flood = async () => {
        while (goesOn) {
          const n = await send()
          if (n !== undefined) acknowledged.push(n)
        }
      }
      const flooding = Promise.all([flood(), flood(), flood()])
      await until('something is acknowledged', () => acknowledged.length > 0, 30_000)
      await delay(randomInt(0, 400))
      goesOn = false
      process.kill(pid, 'SIGKILL')
      await flooding
      for (const { heard } of readers) {
        const missing = () => acknowledged.filter((n) => !heard.has(n))
        await expect.poll(missing).toEqual([])
      }
      await works()
    }
    const slots = () => sql('select active from pg_replication_slots')
    await expect.poll(slots, { timeout: 60_000 }).toEqual([{ active: true }])
    for (const client of everybody) await client.removeAllChannels()
    for (const client of everybody) await client.realtime.disconnect()
    await expect.poll(slots, { timeout: 60_000 }).toEqual([])
  },
  60_000 + kills * 60_000,
)
