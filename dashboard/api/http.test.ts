import { expect, test } from 'vitest'
import { texts } from './call-error.ts'
import { failure } from './http.ts'

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })

test('an error carries status, reason, request id and the wait', async () => {
  const error = await failure(
    json(
      429,
      { message: 'Slow down', code: 'rate_limited' },
      { 'retry-after': '3', 'x-request-id': 'abc' },
    ),
    'mine',
  )
  expect(error).toMatchObject({
    message: 'Slow down',
    code: 429,
    reason: 'rate_limited',
    requestId: 'abc',
    retryAfter: 3,
  })
})

test('without a request id in the answer the one that was sent stands', async () => {
  expect((await failure(json(500, {}), 'mine')).requestId).toBe('mine')
})

test('default words when the server gave none', async () => {
  expect((await failure(json(500, { code: 'internal' }), 'x')).message).toBe(texts.api)
  expect((await failure(new Response('<html>', { status: 502 }), 'x')).message).toBe(
    'An error has occurred: 502',
  )
})
