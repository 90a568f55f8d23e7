import { createClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane(
    { wallMs: 3000, idleMs: 30_000 },
    `create table words (id int); insert into words values (1), (2);
     grant select on words to anon, authenticated, service_role`,
  )
})
afterAll(() => plane?.close())

const echo = `Deno.serve(async (request) => Response.json({
  method: request.method,
  url: new URL(request.url).pathname + new URL(request.url).search,
  mine: request.headers.get('x-mine'),
  body: await request.text(),
}, { headers: { 'x-own': 'yes' } }))`

test('an unknown function is 404, and a project that is not there too', async () => {
  const answer = await plane.call('nothing')
  expect(answer.status).toBe(404)
  expect(answer.headers.get('x-relay-error')).toBe('true')
  expect(await answer.json()).toEqual({
    code: 'NOT_FOUND',
    message: 'Requested function was not found',
  })
  const other = await fetch(plane.base.replace(plane.project.ref, 'z'.repeat(20)) + '/nothing')
  expect(other.status).toBe(404)
})

test('where a token is asked for, none, a wrong one and a key that is no token are 401', async () => {
  plane.deploy('guarded', echo, { verifyJwt: true })
  const call = (authorization?: string, method = 'POST') =>
    plane.call('guarded', { method, headers: authorization ? { authorization } : {} })
  const missing = await call()
  expect([missing.status, await missing.json()]).toEqual([
    401,
    { code: 401, message: 'Missing authorization header' },
  ])
  const expired = plane.token({ role: 'authenticated', exp: 1 })
  for (const wrong of ['Bearer nonsense', `Bearer ${expired}`, 'Bearer sb_secret_x', 'Basic x']) {
    const answer = await call(wrong)
    expect([wrong, answer.status]).toEqual([wrong, 401])
    expect(await answer.json()).toEqual({ code: 401, message: 'Invalid JWT' })
  }
  expect((await call(undefined, 'OPTIONS')).status).toBe(200)
  expect((await call(`Bearer ${plane.project.anonKey}`)).status).toBe(200)
  expect((await call(`Bearer ${plane.token({ role: 'authenticated' })}`)).status).toBe(200)
})

test.each([
  ['throws at its start', `throw new Error('no start')`, 503, 'BOOT_ERROR'],
  ['is no code', `this is { no code`, 503, 'BOOT_ERROR'],
  ['throws', `Deno.serve(() => { throw new Error('oops') })`, 500, 'WORKER_ERROR'],
  ['answers nothing', `Deno.serve(() => 'text' as never)`, 500, 'WORKER_ERROR'],
  ['ends itself', `Deno.serve(() => Deno.exit(3))`, 500, 'WORKER_ERROR'],
  ['sleeps', `Deno.serve(() => new Promise(() => {}))`, 504, 'IDLE_TIMEOUT'],
])('a function that %s', async (_, code, status, name) => {
  plane.deploy('faulty', code)
  const answer = await plane.call('faulty')
  expect([answer.status, answer.headers.get('x-relay-error')]).toEqual([status, 'true'])
  expect(await answer.json()).toMatchObject({ code: name })
})

test('method, path, query, headers and body reach it; its answer comes back with what the platform adds', async () => {
  plane.deploy('echo', echo)
  const answer = await plane.call('echo/a/b?c=d', {
    method: 'PATCH',
    headers: { 'x-mine': 'm' },
    body: 'text',
  })
  expect(await answer.json()).toEqual({
    method: 'PATCH',
    url: '/echo/a/b?c=d',
    mine: 'm',
    body: 'text',
  })
  expect(answer.headers.get('x-own')).toBe('yes')
  expect(answer.headers.get('x-sb-edge-region')).toBe('eu-central-1')
  expect(answer.headers.get('x-deno-execution-id')).toMatch(/^[\w-]{36}$/)
  expect(answer.headers.get('sb-request-id')).toMatch(/^[\w-]{36}$/)
  // Pages elsewhere are the function's business.
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  const again = await plane.call('echo')
  expect(again.headers.get('x-deno-execution-id')).toBe(answer.headers.get('x-deno-execution-id'))
})

test('its request has the address that was asked for, for routers and redirects', async () => {
  plane.deploy(
    'routed',
    `Deno.serve(async (request) => {
      const url = new URL(request.url)
      if (url.pathname === '/routed/from') return Response.redirect(new URL('/routed/to?x=1', request.url))
      const copy = request.clone()
      return Response.json({ origin: url.origin, path: url.pathname + url.search, copy: copy.url,
        same: request instanceof Request, body: await copy.text() })
    })`,
  )
  const { origin } = new URL(plane.base)
  const to = await plane.call('routed/a%20b?q=1', { method: 'POST', body: 'text' })
  const path = '/routed/a%20b?q=1'
  expect(await to.json()).toEqual({ origin, path, copy: origin + path, same: true, body: 'text' })
  const from = await plane.call('routed/from', { redirect: 'manual' })
  expect(from.headers.get('location')).toBe(`${origin}/routed/to?x=1`)
  const behind = await plane.call('routed', { headers: { 'x-forwarded-proto': 'https' } })
  // Only proxies that are trusted say how they were asked.
  expect(await behind.json()).toMatchObject({ origin })
})

test('the client library: what it sends, what it makes of answers and of errors', async () => {
  plane.deploy('echo', echo)
  plane.deploy('teapot', `Deno.serve(() => Response.json({ tea: 1 }, { status: 418 }))`)
  const { functions } = createClient(plane.url, plane.project.anonKey, {
    // Node 20 has none of its own; the two types differ in what nobody here calls.
    realtime: { transport: WebSocket as never },
  })
  const sent = await functions.invoke('echo', { body: { a: 1 }, headers: { 'x-mine': 'm' } })
  expect(sent).toMatchObject({
    error: null,
    data: { method: 'POST', body: '{"a":1}', mine: 'm' },
  })
  const refused = await functions.invoke('teapot')
  expect(refused.error).toBeInstanceOf(FunctionsHttpError)
  const missing = await functions.invoke('no-such-one')
  expect(missing.error).toBeInstanceOf(FunctionsRelayError)
})

test('bytes stream both ways as they come', async () => {
  plane.deploy('stream', `Deno.serve((request) => new Response(request.body))`)
  let send: (text: string | undefined) => void = () => undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) =>
        text === undefined ? controller.close() : controller.enqueue(new TextEncoder().encode(text))
    },
  })
  send('one')
  const answer = await plane.call('stream', { method: 'POST', body, duplex: 'half' } as RequestInit)
  const reader = answer.body?.getReader()
  const read = async () => new TextDecoder().decode((await reader?.read())?.value)
  expect(await read()).toBe('one')
  send('two')
  expect(await read()).toBe('two')
  send(undefined)
  expect((await reader?.read())?.done).toBe(true)
})

test('a caller that goes away ends the request in the worker', async () => {
  plane.deploy(
    'aborted',
    `let aborted = 0
    Deno.serve((request) => {
      if (request.method === 'GET') return Response.json(aborted)
      request.signal.addEventListener('abort', () => (aborted += 1))
      return new Promise(() => {})
    })`,
  )
  await plane.call('aborted')
  const gone = new AbortController()
  const call = plane.call('aborted', { method: 'POST', signal: gone.signal })
  setTimeout(() => gone.abort(), 200)
  await expect(call).rejects.toThrow(/abort/)
  await expect.poll(async () => (await plane.call('aborted')).json()).toBe(1)
})

test('another version answers the next request; one that runs goes on to its end', async () => {
  plane.deploy(
    'switch',
    `Deno.serve(() => new Response(new ReadableStream({
      start(to) {
        const say = (text) => to.enqueue(new TextEncoder().encode(text))
        say('o')
        setTimeout(() => (say('ld'), to.close()), 500)
      },
    })))`,
  )
  const old = await plane.call('switch')
  plane.deploy('switch', `Deno.serve(() => new Response('new'))`)
  expect(await (await plane.call('switch')).text()).toBe('new')
  expect(await old.text()).toBe('old')
})

test('a version that is replaced while it starts still answers who has called it', async () => {
  for (const ms of [0, 20, 60]) {
    plane.deploy('starts', `Deno.serve(() => new Response('old'))`)
    const old = plane.call('starts')
    await new Promise((resolve) => setTimeout(resolve, ms))
    plane.deploy('starts', `Deno.serve(() => new Response('new'))`)
    const last = plane.call('starts')
    expect(['old', 'new']).toContain(await (await old).text())
    expect(await (await last).text()).toBe('new')
  }
})

test('it sees its project, its secrets and nothing else of the environment', async () => {
  plane.secrets['MINE'] = 'my secret'
  plane.deploy('environment', `Deno.serve(() => Response.json(Deno.env.toObject()))`)
  const seen = (await (await plane.call('environment')).json()) as Record<string, string>
  expect(seen).toMatchObject({
    MINE: 'my secret',
    SUPABASE_URL: plane.url,
    SUPABASE_ANON_KEY: plane.project.anonKey,
    SB_REGION: 'eu-central-1',
  })
  const known = /^(?:MINE|SUPABASE_|SB_|DENO_|NO_COLOR$|TMPDIR$|PWD$|SHLVL$|OLDPWD$|_$|PATH$)/
  expect(Object.keys(seen).filter((name) => !known.test(name))).toEqual([])
  plane.secrets['MINE'] = 'another'
  expect(await (await plane.call('environment')).json()).toMatchObject({ MINE: 'another' })
})

test('it asks its own project, with the client library that templates import', async () => {
  plane.deploy(
    'asks',
    `import 'jsr:@supabase/functions-js/edge-runtime.d.ts'
    import { createClient } from 'npm:@supabase/supabase-js@2'
    Deno.serve(async () => {
      const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!)
      return Response.json(await client.from('words').select())
    })`,
  )
  const answer = await plane.call('asks')
  expect(await answer.json()).toMatchObject({ data: [{ id: 1 }, { id: 2 }], error: null })
})

test('older ways to begin, import maps, JSX and several files', async () => {
  plane.deploy('older', {
    'index.ts': `import { serve } from 'https://deno.land/std@0.168.0/http/server.ts'
      import { word } from '$lib/word.ts'
      import data from './data.json' with { type: 'json' }
      serve(() => new Response(word + data.n))`,
    'lib/word.ts': `export const word: string = 'map'`,
    'data.json': '{"n":1}',
    'deno.json': '{ "imports": { "$lib/": "./lib/", }, /* a comment */ }',
  })
  expect(await (await plane.call('older')).text()).toBe('map1')
  plane.deploy('newer', `export default { fetch: () => new Response('default') }`)
  expect(await (await plane.call('newer')).text()).toBe('default')
})

test("a server of Node's kind listens where the others do", async () => {
  plane.deploy(
    'node',
    `import { createServer } from 'node:http'
    createServer((request, response) => response.end('node ' + request.method)).listen(8000)`,
  )
  expect(await (await plane.call('node', { method: 'PUT' })).text()).toBe('node PUT')
})

test('a WebSocket goes through', async () => {
  plane.deploy(
    'socket',
    `Deno.serve((request) => {
      const { socket, response } = Deno.upgradeWebSocket(request)
      socket.onmessage = ({ data }) => socket.send('heard ' + data)
      return response
    })`,
  )
  const socket = new WebSocket(`${plane.base.replace('http', 'ws')}/socket`)
  const heard = await new Promise((resolve, reject) => {
    socket.once('open', () => socket.send('this'))
    socket.once('message', (data: Buffer) => resolve(data.toString()))
    socket.once('error', reject)
  })
  expect(heard).toBe('heard this')
  socket.close()
  const refused = new WebSocket(`${plane.base.replace('http', 'ws')}/nothing`)
  await new Promise((resolve) => refused.once('error', resolve))
})
