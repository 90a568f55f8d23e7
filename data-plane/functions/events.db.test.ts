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
      timeout: 60_000,
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

test('each line has the ID of the request that it was written for, among several at a time', async () => {
  plane.deploy(
    'several',
    `console.log('begin')
    let waiting = 0
    let both
    const twice = new Promise((done) => (both = done))
    Deno.serve(async (request) => {
      const name = new URL(request.url).searchParams.get('name')
      if ((waiting += 1) === 2) both()
      await twice
      console.log('first', name)
      setTimeout(() => console.warn('later', name), 5)
      EdgeRuntime.waitUntil(Promise.reject(new Error('behind ' + name)))
      const line = { log: 'made up ' + name, request: 'no <id>' }
      Deno.stdout.writeSync(new TextEncoder().encode('\\u0001' + JSON.stringify(line) + '\\n'))
      return new Response('')
    })`,
  )
  const ids = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const answer = await plane.call(`several?name=${name}`)
      return [name, answer.headers.get('sb-request-id')] as const
    }),
  )
  const byMessage = () =>
    new Map(logs().map(({ message, columns }) => [message.split('\n')[0], columns.request_id]))
  await expect
    .poll(() => [...byMessage().keys()])
    .toEqual(expect.arrayContaining(['later a', 'later b', 'Error: behind a', 'Error: behind b']))
  const found = byMessage()
  expect(found.has('begin')).toBe(true)
  expect(found.get('begin')).toBeUndefined()
  for (const [name, id] of ids) {
    expect(id).toMatch(/^[\w-]{36}$/)
    for (const words of ['first', 'later', 'Error: behind'])
      expect(found.get(`${words} ${name}`)).toBe(id)
    // What is no ID is none, and the line is kept.
    expect(found.has(`made up ${name}`)).toBe(true)
    expect(found.get(`made up ${name}`)).toBeUndefined()
  }
})

test('servers of Node know the request, too', async () => {
  plane.deploy(
    'node',
    `import { createServer } from 'node:http'
    createServer(async (request, response) => {
      await new Promise((done) => setTimeout(done, 5))
      console.log('of node')
      response.end()
    }).listen(8000)`,
  )
  const answer = await plane.call('node')
  expect(answer.status).toBe(200)
  await expect
    .poll(() => logs().find(({ message }) => message === 'of node')?.columns.request_id)
    .toBe(answer.headers.get('sb-request-id'))
})

test('what a function asks of its own project has the ID of its request, unless it says otherwise', async () => {
  plane.deploy(
    'asks',
    `Deno.serve(async () => {
      const url = Deno.env.get('SUPABASE_URL') + '/functions/v1/asked'
      const plain = await fetch(url, { method: 'POST', body: '{}', headers: [['x-own', '1']] })
      const request = await fetch(new Request(url, { headers: { 'x-own': '2' } }))
      const other = await fetch(url, { headers: { 'x-request-id': 'another' } })
      return Response.json(await Promise.all([plain, request, other].map((one) => one.json())))
    })`,
  )
  plane.deploy(
    'asked',
    `Deno.serve(({ headers }) => Response.json([headers.get('x-request-id'), headers.get('x-own')]))`,
  )
  const answer = await plane.call('asks')
  const id = answer.headers.get('sb-request-id')
  expect(await answer.json()).toEqual([
    [id, '1'],
    [id, '2'],
    ['another', null],
  ])
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
  await expect.poll(logged).toEqual(['finished', 'goodbye'])
})

test('a flood is cut', async () => {
  plane.deploy(
    'flood',
    `Deno.serve(() => { for (let n = 0; n < 1500; n++) console.log('flood', 'x'.repeat(11_000)); return new Response('') })`,
  )
  await plane.call('flood')
  await expect.poll(() => logs().length).toBeGreaterThan(100)
  for (const { message } of logs()) expect(message.length).toBeLessThanOrEqual(10_000)
})
