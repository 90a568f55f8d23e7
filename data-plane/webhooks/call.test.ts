import { expect, test } from 'vitest'
import { makeCall } from './call.ts'

const own = {
  prefix: 'http://localhost:8001/ref/functions/v1/',
  address: 'http://127.0.0.1:1/inside/',
}

test.each([
  'http://localhost:8001/ref/functions/v1/../../internal/x',
  'http://localhost:8001/ref/functions/v1/%2e%2e/%2E%2E/internal/x',
  'http://localhost:8001/ref/functions/v1\\..\\..\\internal',
  'http://localhost:8001/ref/rest/v1/books',
  'http://localhost:8001@evil/ref/functions/v1/x',
])('%s is not taken for a function of the project', async (url) => {
  const outside: string[] = []
  const fetch = (asked: string) => {
    outside.push(asked)
    return Promise.resolve(new Response('outside'))
  }
  const call = { id: '1', method: 'GET', url, headers: {}, body: null, timeout: 1000 }
  const outcome = await makeCall(call, { fetch, own, signal: new AbortController().signal })
  expect(outcome).toMatchObject({ content: 'outside' })
  expect(outside).toHaveLength(1)
})
