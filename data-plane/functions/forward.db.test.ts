import { createHash, randomBytes } from 'node:crypto'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFunctionPlane, type FunctionPlane } from '../testing/functions.ts'

let plane: FunctionPlane
beforeAll(async () => {
  plane = await startFunctionPlane()
})
afterAll(() => plane?.close())

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const idOf = (answer: Response) => answer.headers.get('x-deno-execution-id')

test('many bytes go both ways and come whole, by length and in parts', async () => {
  plane.deploy('mirror', `Deno.serve((request) => new Response(request.body))`)
  const body = randomBytes(8_000_000)
  const parts = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += 77_777)
        controller.enqueue(new Uint8Array(body.subarray(at, at + 77_777)))
      controller.close()
    },
  })
  for (const sent of [new Uint8Array(body), parts]) {
    const init = { method: 'POST', body: sent, duplex: 'half' } as RequestInit
    const answer = await plane.call('mirror', init)
    expect(digest(new Uint8Array(await answer.arrayBuffer()))).toBe(digest(body))
  }
})

test('a slow reader is waited for, and others are answered meanwhile', async () => {
  plane.deploy(
    'much',
    `Deno.serve(({ url }) => new Response(url.endsWith('?n') ? 'n' : new Uint8Array(30_000_000).fill(7)))`,
  )
  const reader = (await plane.call('much')).body?.getReader()
  let bytes = (await reader?.read())?.value?.length ?? 0
  expect(await (await plane.call('much?n')).text()).toBe('n')
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    expect(Buffer.alloc(part.value.length, 7).equals(part.value)).toBe(true)
    bytes += part.value.length
  }
  expect(bytes).toBe(30_000_000)
})

test('an answer that comes before the body was read leaves the next calls as they were', async () => {
  plane.deploy(
    'early',
    `Deno.serve(({ method }) => new Response(method, { status: method === 'POST' ? 413 : 200 }))`,
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const call = (method: string, body: Buffer) =>
    new Promise<string>((resolve, reject) => {
      const url = `${plane.base}/early`
      const sent = httpRequest(url, { method, agent }, (answer: IncomingMessage) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () => resolve(`${answer.statusCode} ${text}`))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  for (let round = 0; round < 3; round++) {
    expect(await call('POST', Buffer.alloc(3_000_000))).toBe('413 POST')
    expect(await call('GET', Buffer.alloc(0))).toBe('200 GET')
  }
  agent.destroy()
})

test('answers without a body, cookies, and what a function says of itself in our place', async () => {
  plane.deploy(
    'heads',
    `Deno.serve(({ method }) => new Response(method === 'DELETE' ? null : 'text', {
      status: method === 'DELETE' ? 204 : 200,
      headers: [['set-cookie', 'a=1'], ['set-cookie', 'b=2'], ['sb-request-id', 'mine'], ['x-own', 'ä']],
    }))`,
  )
  const head = await plane.call('heads', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '4',
    '',
  ])
  const none = await plane.call('heads', { method: 'DELETE' })
  expect([none.status, await none.text()]).toEqual([204, ''])
  const answer = await plane.call('heads')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(answer.headers.get('sb-request-id')).not.toContain('mine')
  expect(answer.headers.get('x-own')).toBe('ä')
})

test('the head of an answer goes out before there is any body', async () => {
  plane.deploy(
    'first',
    `let begin
    Deno.serve(({ method }) => {
      if (method === 'POST') return new Response(null, { status: begin() })
      return new Response(new ReadableStream({
        start: (to) => { begin = () => (to.enqueue(new TextEncoder().encode('body')), to.close(), 204) },
      }))
    })`,
  )
  // Resolves with the head alone: the body begins with the call behind it.
  const answer = await plane.call('first')
  expect((await plane.call('first', { method: 'POST' })).status).toBe(204)
  expect(await answer.text()).toBe('body')
})

test('a hundred calls at once are each answered with their own', async () => {
  plane.deploy(
    'own',
    `Deno.serve(async (request) => {
      const text = await request.text()
      await new Promise((next) => setTimeout(next, Math.random() * 20))
      return new Response(text)
    })`,
  )
  for (let round = 0; round < 2; round++) {
    const texts = Array.from({ length: 100 }, (_, index) => `${round}-${index}`)
    const answers = texts.map(async (body) =>
      (await plane.call('own', { method: 'POST', body })).text(),
    )
    expect(await Promise.all(answers)).toEqual(texts)
  }
})

test("a connection that a server of Node's kind has closed meanwhile is not used again", async () => {
  plane.deploy(
    'brief',
    `import { createServer } from 'node:http'
    const server = createServer((_, response) => response.end('here'))
    server.keepAliveTimeout = 20
    server.listen(8000)`,
  )
  const first = await plane.call('brief')
  for (let round = 0; round < 20; round++) {
    // As long as the other side keeps it, a little less, a little more.
    await new Promise((resolve) => setTimeout(resolve, 10 + round))
    const answer = await plane.call('brief')
    expect([answer.status, await answer.text()]).toEqual([200, 'here'])
    expect(idOf(answer)).toBe(idOf(first))
  }
})
