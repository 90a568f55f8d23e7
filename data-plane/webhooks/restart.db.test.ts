import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#kit/log'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/**
 * The first call after something has restarted. Nobody looks by themselves here before ten minutes are over, so that what is made
 * in seconds was made because the sender knew.
 */
let hooks: Awaited<ReturnType<typeof startHooks>>
const notes: string[] = []
beforeAll(async () => {
  hooks = await startHooks({
    setup: 'create table orders (id int primary key)',
    enabled: false,
    look: 600_000,
    log: createLog('test', 'info', { write: (line) => void notes.push(line) }),
  })
  await hooks.hook('told', 'orders')
})
afterAll(() => hooks.close())

const states = async () => (await hooks.deliveries('told')).map(({ state }) => state)
const inSeconds = { timeout: 60_000 }

test('a database that starts after its sender is asked again soon', async () => {
  const { name } = hooks.plane.project.database
  await hooks.sql(`alter database "${name}" connection limit 0; insert into orders values (1)`)
  hooks.enable()
  await expect
    .poll(() => notes.filter((line) => line.includes('Calls of webhooks cannot be sent')).length)
    .toBeGreaterThan(1)
  await hooks.sql(`alter database "${name}" connection limit -1`)
  await expect.poll(states, inSeconds).toEqual(['delivered'])
})

test('a connection that was lost is followed by another, which looks', async () => {
  const listeners = () =>
    hooks.sql(`select pid from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and locktype = 'advisory' and mode = 'ShareLock'`)
  await expect.poll(async () => (await listeners()).length).toBe(1)
  const [before] = await listeners()
  await hooks.sql(`select pg_terminate_backend(${Number(before?.['pid'])})`)
  await hooks.sql('insert into orders values (2)')
  await expect.poll(states, inSeconds).toEqual(['delivered', 'delivered'])
  expect((await listeners()).map(({ pid }) => pid)).not.toEqual([before?.['pid']])
})

test('a call that was under way when its process ended in order is the next one’s at once', async () => {
  hooks.receiver.forget()
  hooks.receiver.answers((_, earlier) =>
    earlier === 0 ? new Promise(() => undefined) : { status: 200 },
  )
  await hooks.sql(`create or replace trigger told after insert on orders for each row execute function
    supabase_functions.http_request('${hooks.receiver.address}/told', 'POST', '{}', '{}', '30000')`)
  await hooks.sql('insert into orders values (3)')
  await expect.poll(() => hooks.receiver.heard.length).toBe(1)
  await hooks.stop()
  expect(await states()).toEqual(['delivered', 'delivered', 'waiting'])
  hooks.enable()
  await expect.poll(states, inSeconds).toEqual(['delivered', 'delivered', 'delivered'])
})
