import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createHttpServer, timeLimitsOf } from './http-server.ts'

test('a server beside the own one does not end a long upload either', () => {
  const app = createHttpServer({ rewriteUrl: ({ url = '/' }) => url, log: silentLog })
  // Node ends a request after five minutes, whatever still comes.
  expect(createServer().requestTimeout).toBe(300_000)
  const beside = createServer(timeLimitsOf(app))
  expect(beside.requestTimeout).toBe(0)
  expect(beside.keepAliveTimeout).toBe(app.server.keepAliveTimeout)
})
