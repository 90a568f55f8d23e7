import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordingStore } from '../testing/logs/recording.ts'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
const { store, events } = recordingStore()
beforeAll(async () => {
  plane = await startFunctionPlane({ idleMs: 1000 }, '', { logs: store })
})
afterAll(() => plane?.close())

/** What workers have written, the oldest first. */
const logs = () => events.flatMap(({ event }) => (event.source === 'function_logs' ? [event] : []))

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
    .poll(() => logs().some(({ columns }) => columns.severity === 'Shutdown'), {
      timeout: 10_000,
    })
    .toBe(true)
  const written = logs()
  expect(written.every((event) => event.columns.execution_id === executionId)).toBe(true)
  expect(written.map(({ columns, level }) => [columns.severity, level])).toEqual([
    ['Boot', 'info'],
    ['Log', 'info'],
    ['Log', 'error'],
    ['Log', 'info'],
    ['Shutdown', 'info'],
  ])
  expect(written[1]?.message).toBe('said { a: 1 }')
  expect(written[2]?.message).toMatch(/^Error: went wrong\n +at file:\/\/\/index\.ts:3:21/)
  expect(JSON.stringify(written)).not.toContain(plane.home)
  expect(events.find(({ event }) => event.source === 'function_edge_logs')?.event).toMatchObject({
    level: 'info',
    message: 'PUT | 201 | /talks?apikey=[redacted]',
    columns: {
      status: 201,
      method: 'PUT',
      path: '/talks',
      search: '?apikey=[redacted]',
      execution_id: executionId,
      request_id: answer.headers.get('sb-request-id'),
    },
    rest: { region: 'eu-central-1', version: '1' },
  })
  expect(JSON.stringify(events)).not.toContain('hidden')
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
  const logged = () =>
    logs()
      .map(({ message }) => message)
      .filter((text) => /finished|goodbye/.test(text))
  await expect.poll(logged, { timeout: 10_000 }).toEqual(['finished', 'goodbye'])
})

test('a flood is cut', async () => {
  plane.deploy(
    'flood',
    `Deno.serve(() => { for (let n = 0; n < 1500; n++) console.log('flood', 'x'.repeat(11_000)); return new Response('') })`,
  )
  await plane.call('flood')
  await expect.poll(() => logs().length, { timeout: 10_000 }).toBeGreaterThan(100)
  for (const { message } of logs()) expect(message.length).toBeLessThanOrEqual(10_000)
})
