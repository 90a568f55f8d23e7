import { fastify } from 'fastify'
import { onTestFinished, expect, test } from 'vitest'
import { watchEgress } from './egress.ts'
import { noMeter } from './meter.ts'

test('a connection that has left its request before the answer ends still counts', async () => {
  const added: [string, string, number][] = []
  const app = fastify()
  onTestFinished(() => app.close())
  watchEgress(app, {
    meter: { ...noMeter, add: (...all) => void added.push(all) },
    projectOf: () => 'a',
  })
  app.get('/a/rest/v1/books', (request, reply) => {
    // As the server leaves a request whose connection has broken off.
    Object.assign(request.raw, { socket: null })
    return reply.send('x'.repeat(1000))
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  expect((await fetch(`${origin}/a/rest/v1/books`)).status).toBe(200)
  await expect.poll(() => added.map(([, metric]) => metric)).toContain('requests_rest')
  const [, , bytes = 0] = added.find(([, metric]) => metric === 'egress_rest') ?? []
  expect(bytes).toBeGreaterThan(1000)
})
