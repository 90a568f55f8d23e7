import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { DataPlaneCall } from '#contract/data-plane-api'
import { freePort } from '#kit/testing/free-port'
import { silentLog } from '#kit/log'
import { createDataPlane } from './client.ts'

const read: DataPlaneCall<undefined, z.ZodType<{ n: number }>> = {
  method: 'GET',
  path: '/internal/things/:ref',
  returns: z.object({ n: z.number() }),
  seconds: 5,
}
const write: DataPlaneCall<{ n: number }, z.ZodType<unknown>> = {
  method: 'POST',
  path: '/internal/things/:ref',
  returns: z.unknown(),
  seconds: 5,
}

const of = { params: { ref: 'a' } }

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
  servers = []
})

async function listen(port: number, answer: RequestListener): Promise<void> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
}
const at = (port: number) =>
  createDataPlane({
    dataPlaneUrl: `http://127.0.0.1:${port}`,
    internalToken: 'token',
    log: silentLog,
  })
const answering =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))

test('a call says who asks, for whom, in which role, and its path is safe', async () => {
  const port = await freePort()
  const seen: unknown[] = []
  await listen(port, (request, response) => {
    const { authorization, 'x-plinth-login': login, 'x-plinth-caller': by } = request.headers
    seen.push({ url: request.url, authorization, login, by })
    answering(200, { n: 1 })(request, response)
  })
  const params = { ref: '../a b' }
  const given = { params, query: { q: 'ü&' }, login: 'postgres', by: 'ö@example.com' } as const
  expect(await at(port).ask(read, given)).toEqual({ n: 1 })
  expect(seen).toEqual([
    {
      url: '/internal/things/..%2Fa%20b?q=%C3%BC%26',
      authorization: 'Bearer token',
      login: 'postgres',
      by: '%C3%B6%40example.com',
    },
  ])
})

test.each(['', '.', '..'])('a name of %j leads to no other path', async (ref) => {
  const asked = at(await freePort()).ask(read, { params: { ref } })
  await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
})

test('what reads is asked again while nobody listens, what writes is not', async () => {
  const port = await freePort()
  const body = { n: 1 }
  await expect(at(port).ask(write, { ...of, body })).rejects.toMatchObject({
    code: 'service_unavailable',
  })
  const asked = at(port).ask(read, of)
  await listen(port, answering(200, { n: 2 }))
  expect(await asked).toEqual({ n: 2 })
})

test('who takes too long is not waited for, and nobody is asked twice for that', async () => {
  const port = await freePort()
  let requests = 0
  await listen(port, () => void (requests += 1))
  const short = { ...read, seconds: 0.1 }
  await expect(at(port).ask(short, of)).rejects.toMatchObject({ code: 'upstream_timeout' })
  expect(requests).toBe(1)
})

test('a caller who goes away gives the call up', async () => {
  const port = await freePort()
  await listen(port, () => undefined)
  const gone = new AbortController()
  const asked = at(port).ask(read, { ...of, signal: gone.signal })
  gone.abort(new Error('The caller went away'))
  await expect(asked).rejects.toThrow('The caller went away')
})

test.each([
  [400, { message: 'syntax error', code: '42601' }, 'query_failed', 'syntax error'],
  [400, { message: 'read only', code: '25006' }, 'organization_restricted', undefined],
  [402, {}, 'organization_restricted', undefined],
  [404, {}, 'project_not_found', undefined],
  [404, { code: 'bucket_not_found', message: 'x' }, 'bucket_not_found', 'x'],
  [408, 'no object', 'query_timeout', undefined],
  [429, {}, 'rate_limited', undefined],
  [500, { code: 'query_timeout' }, 'query_timeout', undefined],
  [500, { code: 'internal', message: '/srv/secret' }, 'project_unreachable', undefined],
  [503, { code: 'made_up', message: 'x' }, 'project_unreachable', undefined],
])('%i %j is %s', async (status, body, code, message) => {
  const port = await freePort()
  await listen(port, answering(status, body))
  await expect(at(port).ask(read, of)).rejects.toMatchObject({
    code,
    ...(message !== undefined && { message }),
  })
})

test('a text is an answer where one is expected', async () => {
  const port = await freePort()
  await listen(port, (_, response) => void response.end('export type A = 1'))
  const text = { ...read, returns: z.string(), isText: true }
  expect(await at(port).ask(text, of)).toBe('export type A = 1')
})

test('an answer that is no JSON and one of another shape are faults', async () => {
  const port = await freePort()
  await listen(port, (_, response) => void response.writeHead(502).end('<html>'))
  await expect(at(port).ask(read, of)).rejects.toMatchObject({ code: 'project_unreachable' })
  const other = await freePort()
  await listen(other, answering(200, { n: 'one' }))
  await expect(at(other).ask(read, of)).rejects.toThrow()
})
