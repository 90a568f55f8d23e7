import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drainBench, names, ref } from '../testing/log-drains/bench.ts'
import { eventsOf, idsOf, startReceiver } from '../testing/log-drains/receiver.ts'
import { noon } from '../testing/logs/events.ts'

const bench = drainBench()

test('without drains nothing is kept and nothing is asked again', async () => {
  const { start, write, control, receiver, store, home } = bench()
  start()
  await expect.poll(control.asked).toBe(1)
  write(names(0, 3))
  await store().flush()
  expect(await readdir(join(home, 'logs'))).not.toContain('.drains')
  expect(receiver.received).toEqual([])
  expect(control.asked()).toBe(1)
})

test('addresses of the inner network are refused, redirects to them too, and the owner reads why', async () => {
  const { start, drain, write, control, receiver } = bench()
  start({ reachesLoopback: false })
  const inner = await drain({ config: { url: 'https://169.254.169.254/latest' } })
  write(['a'])
  await expect
    .poll(() => control.last(inner.token)?.last_error)
    .toBe('169.254.169.254 is not a public address')
  control.remove(inner.token)
  start()
  receiver.answers((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
  const away = await drain()
  write(['b'])
  await expect.poll(() => control.last(away.token)?.last_error).toMatch(/redirects/)
})

test('entries arrive in their order, in batches of 250, compressed, and are counted', async () => {
  const { start, drain, write, arrived, control, receiver, counted } = bench()
  start()
  const { token } = await drain({
    config: { url: `${receiver.url}/in`, headers: { 'x-key': 'k' } },
  })
  const ids = names(0, 600)
  write(ids)
  await arrived(ids)
  expect(receiver.received.map((each) => idsOf(each).length)).toEqual([250, 250, 100])
  for (const { url, method, headers } of receiver.received) {
    expect([url, method]).toEqual(['/in', 'POST'])
    expect(headers).toMatchObject({
      'x-key': 'k',
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    })
  }
  const bytes = receiver.received.reduce((sum, each) => sum + each.bytes, 0)
  await expect.poll(() => control.last(token)?.events).toBe(600)
  expect(control.last(token)).toMatchObject({
    month: '2026-03',
    bytes,
    lost: 0,
    delivered_until: '2026-03-10T12:00:01.000Z',
    failing_since: null,
    last_error: null,
  })
  expect(counted.map(({ entries }) => entries)).toEqual([250, 250, 100])
  expect(counted.reduce((sum, each) => sum + each.bytes, 0)).toBe(bytes)
})

test('a receiver that fails gets everything once it works again, and what fails is said', async () => {
  const { start, drain, write, control, receiver, clock } = bench()
  start()
  const { token } = await drain()
  receiver.answers((_, response) => response.writeHead(500).end('out of order'))
  write(names(0, 5))
  await expect.poll(() => control.last(token)?.last_error).toBe('500 out of order')
  const said = control.last(token)
  expect(said).toMatchObject({ events: 0, last_success_at: null, delivered_until: null })
  expect(said?.failing_since).toBe('2026-03-10T12:01:00.000Z')
  expect(Date.parse(said?.next_attempt_at ?? '')).toBeGreaterThan(noon / 1000 + clock.ms)
  const tries = receiver.received.length
  await expect.poll(() => receiver.received.length).toBeGreaterThan(tries)
  receiver.answers()
  await expect.poll(() => control.last(token)?.failing_since).toBeNull()
  expect(control.last(token)).toMatchObject({ events: 5, lost: 0, last_error: null })
  // Each time the same entries under the same ids.
  for (const each of receiver.received) expect(idsOf(each)).toEqual(names(0, 5))
})

test('a key that is refused is tried again too: its owner may mend it', async () => {
  const { start, drain, write, control, receiver } = bench()
  start()
  const made = await drain({ config: { url: receiver.url, headers: { 'x-key': 'canary-wrong' } } })
  receiver.answers(({ headers }, response) =>
    response
      .writeHead(headers['x-key'] === 'right' ? 200 : 401)
      .end(`no ${String(headers['x-key'])}`),
  )
  write(['a'])
  // What the other side says again of ours is not shown.
  await expect.poll(() => control.last(made.token)?.last_error).toBe('401 no [redacted]')
  const changed = { url: receiver.url, headers: { 'x-key': 'right' } }
  control.put({ ...made, config: changed, revision: 2 })
  await expect.poll(() => control.last(made.token)?.events).toBe(1)
  expect(control.last(made.token)?.last_error).toBeNull()
})

test('who asks to be left alone for a while is', async () => {
  const { start, drain, write, control, receiver, store } = bench()
  start()
  const { token } = await drain()
  receiver.answers((_, response) => response.writeHead(429, { 'retry-after': '120' }).end())
  write(['a'])
  await expect.poll(() => control.last(token)?.next_attempt_at).toBe('2026-03-10T12:03:00.000Z')
  write(['b'])
  await store().flush()
  expect(receiver.received).toHaveLength(1)
})

test('a connection that breaks after the entries were taken: they come again under their ids', async () => {
  const { start, drain, write, arrived, receiver, counted } = bench()
  start()
  await drain()
  receiver.answers((_, response) => {
    receiver.answers()
    response.destroy()
  })
  write(['a', 'b'])
  await arrived(['a', 'b', 'a', 'b'])
  await expect.poll(() => counted.map(({ entries }) => entries)).toEqual([2])
})

test('a receiver that never answers is given up in time, and says so', async () => {
  const { start, drain, write, control, receiver } = bench()
  start({ timing: { requestMs: 200 } })
  const { token } = await drain()
  receiver.answers(() => {})
  write(['a'])
  await expect.poll(() => control.last(token)?.last_error).toBe('No answer within 0.2 seconds')
})

test('an entry that alone is too large is left out and said, the others arrive', async () => {
  const { start, drain, write, control, receiver } = bench()
  start()
  const { token } = await drain()
  receiver.answers(({ body }, response) =>
    response.writeHead(body.includes('"e7"') ? 413 : 200).end('too large'),
  )
  write(names(0, 20))
  await expect.poll(() => control.last(token)?.events).toBe(19)
  const taken = receiver.received.filter((one) => !idsOf(one).includes('e7')).flatMap(eventsOf)
  const entries = taken.filter(({ source }) => source !== 'log_drain')
  expect(entries.map(({ id }) => id)).toEqual(names(0, 20).filter((id) => id !== 'e7'))
  // Those behind it know that one is missing.
  const notices = taken.filter(({ source }) => source === 'log_drain')
  expect(notices.map(({ event_message: text }) => text)).toEqual([
    '1 entry before this one was lost',
  ])
  expect(control.last(token)?.lost).toBe(1)
  expect(control.last(token)?.last_error).toMatch(/too large.*413/)
})

test('of two drains one hangs: the other has everything, and nobody waits', async () => {
  const { start, drain, write, arrived, endDrains } = bench()
  const hanging = await startReceiver()
  hanging.answers(() => {})
  start()
  await drain({ config: { url: hanging.url } })
  await drain()
  for (let at = 0; at < 5; at += 1) {
    write([`e${at}`])
    await arrived(names(0, at + 1))
  }
  expect(hanging.received).toHaveLength(1)
  await endDrains()
  await hanging.close()
})

test('what a project has lost of its log is told in its place', async () => {
  const { start, drain, write, store, receiver } = bench()
  start()
  await drain()
  store().lose(ref, { from: noon, to: noon + 5, count: 12, reason: 'rate' })
  await store().flush()
  write(['after'])
  await expect.poll(() => receiver.received.flatMap(idsOf)).toContain('after')
  expect(receiver.received.flatMap(eventsOf)).toContainEqual(
    expect.objectContaining({
      source: 'lost',
      level: 'warning',
      event_message: '12 entries were lost: more than a project may write',
      attributes: { lost: 12, until: noon + 5, reason: 'rate' },
    }),
  )
})
