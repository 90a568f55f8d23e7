import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld('')
})
afterAll(() => world.end())

const inner = async (method: 'GET' | 'POST', payload?: object) => {
  const headers = { authorization: `Bearer ${internalToken}` }
  const answer = await world.control.app.inject({
    method,
    url: '/internal/cron',
    headers,
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json<unknown>() }
}

test('only our own programs hear of it, and say it', async () => {
  expect((await world.ada.call('GET', '/internal/cron')).status).toBe(401)
  expect((await world.ada.call('POST', '/internal/cron', {})).status).toBe(401)
  expect((await inner('POST', { ref: 'no ref', used: true })).status).toBe(400)
  expect((await inner('POST', { ref: world.ref })).status).toBe(400)
})

test('a database has jobs, and has none any more; an unknown one is passed over', async () => {
  const keep = (ref: string, used: boolean) => inner('POST', { ref, used })
  expect((await inner('GET')).body).toEqual([])
  expect((await keep(world.ref, true)).body).toEqual({ changed: true })
  expect((await keep(world.ref, true)).body).toEqual({ changed: false })
  expect((await inner('GET')).body).toEqual([{ ref: world.ref, run_days: 28 }])
  expect((await keep('abcdefghijklmnopqrst', true)).body).toEqual({ changed: false })
  expect((await keep(world.ref, false)).body).toEqual({ changed: true })
  expect((await keep(world.ref, false)).body).toEqual({ changed: false })
  expect((await inner('GET')).body).toEqual([])
})
