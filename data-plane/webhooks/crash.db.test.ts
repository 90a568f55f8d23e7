import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleProgram } from '#kit/testing/program'
import { rounds } from '#kit/testing/rounds'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/** Whoever sends calls is killed again and again: each call arrives, and is known by one id however often it comes. */
let hooks: Awaited<ReturnType<typeof startHooks>>
let program: string

beforeAll(async () => {
  hooks = await startHooks({
    setup: 'create table orders (id int primary key); create table plain (id int primary key)',
    enabled: false,
  })
  program = await bundleProgram('data-plane/testing/webhooks/sender-child.ts', 'sender')
})
afterAll(async () => {
  await hooks.close()
  await rm(program, { force: true })
})

const begin = () =>
  spawn(process.execPath, [program, JSON.stringify(hooks.plane.project)], { stdio: 'inherit' })

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** The minute is over after which what a dead process had taken is another's. */
const release = () =>
  hooks.sql(`update supabase_functions.deliveries set taken_at = taken_at - interval '2 minutes' where taken_at is not null;
    update net.http_request_queue set taken_at = taken_at - interval '2 minutes' where taken_at is not null`)

test(
  'no call is lost, whenever the process is killed that makes it',
  { timeout: 600_000 },
  async () => {
    const count = rounds(3, 60)
    const perRound = 20
    await hooks.hook('told', 'orders')
    await hooks.settings('told', 'orders', 'max_attempts, first_wait, concurrency', '20, 1, 4')
    const { receiver, sql } = hooks
    // A third of them fails at first, so that killed processes leave retries too.
    receiver.answers(({ url }) => ({
      status: url === '/told' && receiver.heard.length % 3 === 0 ? 503 : 200,
    }))
    for (let round = 0; round < count; round += 1) {
      const from = round * perRound
      await sql(
        `insert into orders select id from generate_series(${from + 1}, ${from + perRound}) id`,
      )
      await sql(
        `select net.http_get('${receiver.address}/plain/' || id) from generate_series(${from + 1}, ${from + perRound}) id`,
      )
      const before = receiver.heard.length
      const child = begin()
      await expect.poll(() => receiver.heard.length).toBeGreaterThan(before + (round % 7) * 2)
      await kill(child)
      await release()
    }
    const last = begin()
    const open = async () => {
      await hooks.hurry()
      const [row] =
        await sql(`select (select count(*) from supabase_functions.deliveries where state <> 'delivered')::int
      + (select count(*) from net.http_request_queue)::int as open`)
      return row?.['open']
    }
    await expect.poll(open, { timeout: 120_000 }).toBe(0)
    await kill(last)
    const told = new Map<unknown, Set<unknown>>()
    for (const { body, headers, url } of receiver.heard) {
      if (url !== '/told') continue
      const { record } = JSON.parse(body) as { record: { id: number } }
      told.set(record.id, (told.get(record.id) ?? new Set()).add(headers['webhook-id']))
    }
    expect(told.size).toBe(count * perRound)
    expect([...told.values()].every(({ size }) => size === 1)).toBe(true)
    const plain = new Set(
      receiver.heard.map(({ url }) => url).filter((url) => url.startsWith('/plain/')),
    )
    expect(plain.size).toBe(count * perRound)
  },
)
