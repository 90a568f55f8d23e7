import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataPlaneApi } from '#contract/data-plane-api'
import type { FunctionEvent } from '#contract/functions/functions-events'
import { silentLog } from '#kit/log'
import { createFunctionEvents } from './events.ts'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane({ idleMs: 1000 })
})
afterAll(() => plane?.close())

const token = 'Bearer a token that only our own programs know'
const path = () => dataPlaneApi.functionEvents.path.replace(':ref', plane.project.ref)
async function events(query = ''): Promise<FunctionEvent[]> {
  const url = path() + query
  const answer = await plane.app.inject({ url, headers: { authorization: token } })
  return answer.json<FunctionEvent[]>()
}
const logs = async () =>
  (await events('?kind=log')).flatMap((event) => (event.kind === 'log' ? [event] : [])).reverse()

test('only our own programs read events', async () => {
  const url = path()
  expect((await plane.app.inject({ url })).statusCode).toBe(401)
})

test('starts, what was written, calls and ends are events; a worker that nobody calls ends', async () => {
  plane.deploy(
    'talks',
    `Deno.serve(() => {
      console.log('said', { a: 1 })
      console.error(new Error('went wrong'))
      Deno.stdout.writeSync(new TextEncoder().encode('plain\\n'))
      return new Response('', { status: 201 })
    })`,
  )
  const answer = await plane.call('talks?apikey=hidden', { method: 'PUT' })
  const executionId = answer.headers.get('x-deno-execution-id')
  await expect
    .poll(async () => (await logs()).some(({ event_type: type }) => type === 'Shutdown'), {
      timeout: 10_000,
    })
    .toBe(true)
  const written = await logs()
  expect(written.every((event) => event.execution_id === executionId)).toBe(true)
  expect(written.map(({ event_type, level }) => [event_type, level])).toEqual([
    ['Boot', 'log'],
    ['Log', 'log'],
    ['Log', 'error'],
    ['Log', 'info'],
    ['Shutdown', 'log'],
  ])
  expect(written[1]?.event_message).toBe('said { a: 1 }')
  expect(written[2]?.event_message).toMatch(/^Error: went wrong\n +at file:\/\/\/index\.ts:3:21/)
  expect(JSON.stringify(written)).not.toContain(plane.home)
  const [call] = await events('?kind=invocation&limit=1')
  expect(call).toMatchObject({ status: 201, method: 'PUT', region: 'eu-central-1', version: 1 })
  expect(JSON.stringify(await events())).not.toContain('hidden')
})

test('what waits behind an answer is finished before the worker ends', async () => {
  plane.deploy(
    'later',
    `addEventListener('beforeunload', () => console.log('goodbye'))
    Deno.serve(() => {
      EdgeRuntime.waitUntil(new Promise((done) => setTimeout(done, 1500)).then(() => console.log('finished')))
      return new Response('')
    })`,
  )
  await plane.call('later')
  const logged = async () =>
    (await logs())
      .map((event) => event.event_message)
      .filter((text) => /finished|goodbye/.test(text))
  await expect.poll(logged, { timeout: 10_000 }).toEqual(['finished', 'goodbye'])
})

test('a flood is cut, and what is on the disk has an end', async () => {
  plane.deploy(
    'flood',
    `Deno.serve(() => { for (let n = 0; n < 1500; n++) console.log('flood', 'x'.repeat(11_000)); return new Response('') })`,
  )
  await plane.call('flood')
  await expect
    .poll(async () => (await events('?limit=1000')).length, { timeout: 10_000 })
    .toBeGreaterThan(100)
  for (const event of await logs()) expect(event.event_message.length).toBeLessThanOrEqual(10_000)

  const folder = join(plane.home, 'small')
  const small = createFunctionEvents({ folder, log: silentLog, maxBytes: 2000 })
  const [event] = await events()
  if (!event) throw new Error('there is no event')
  for (let n = 0; n < 50; n++) {
    small.record('ref', { ...event, id: String(n) })
    await small.read('ref', { limit: 1 })
  }
  expect((await readFile(join(folder, 'ref.jsonl'), 'utf8')).length).toBeLessThan(30_000)
  await appendFile(join(folder, 'ref.jsonl'), '{"half of a li')
  expect((await small.read('ref', { limit: 2 })).map(({ id }) => id)).toEqual(['49', '48'])
  await small.close()
})
