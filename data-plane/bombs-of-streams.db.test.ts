import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchLoop } from '#kit/testing/loop-watch'
import { jsonBombs, send } from './testing/bombs.ts'
import { testRef } from './testing/data-plane.ts'
import { Line } from './testing/realtime/client.ts'
import { ask } from './testing/storage/s3-signing.ts'
import { startS3, type S3Plane } from './testing/storage/s3.ts'
import { multipartBombs, sqlBombs, xmlBombs } from './testing/stream-bombs.ts'

/** What is no JSON of a body may hold everybody's loop no longer than that does. Milliseconds. */
const longest = 100

let plane: S3Plane
let loop: ReturnType<typeof watchLoop>
beforeAll(async () => {
  plane = await startS3({ realtimeTiming: { handshakeBackoff: 0, joinBackoff: 0 } })
  loop = watchLoop()
  await warmUp()
})
afterAll(async () => {
  loop.stop()
  plane.closeClients()
  await plane.close()
})

const boundary = 'a-boundary-of-a-form'
const form = (path: string, body: string) =>
  send(
    plane.url + path,
    {
      apikey: plane.project.serviceKey,
      authorization: `Bearer ${plane.project.serviceKey}`,
      'content-type': `multipart/form-data; boundary=${boundary}`,
    },
    Buffer.from(`${body}--${boundary}--\r\n`),
  )
const deleteBy = async (body: string) => {
  const [status] = await ask(plane.endpoint, {
    method: 'POST',
    path: '/own',
    query: 'delete=',
    body,
  })
  return { status }
}
const meta = (tool: string, body: string) =>
  send(
    `${plane.url.slice(0, -testRef.length - 1)}/internal/pg-meta/${testRef}/${tool}`,
    {
      authorization: 'Bearer a token that only our own programs know',
      'x-plinth-login': 'postgres',
      'content-type': 'application/json',
    },
    Buffer.from(body),
  )
const tools = ['query', 'query/check', 'query/format', 'query/parse']
const forms = ['/storage/v1/object/own/a', '/storage/v1/s3/own']

/** What is read, compiled and connected at first use is no bomb. */
async function warmUp(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await deleteBy('<Delete><Object><Key>a</Key></Object></Delete>')
    for (const path of forms) await form(path, '')
    for (const tool of tools) {
      const reply = await meta(tool, JSON.stringify({ query: 'select 1' }))
      expect(reply.status, `${tool}: ${reply.text}`).toBe(200)
    }
    const line = await Line.open(plane)
    await line.join('a')
    line.close()
  }
}

describe('SQL', () => {
  describe.each(tools)('%s', (tool) => {
    test.each(Object.entries(sqlBombs))('%s', async (_, query) => {
      const { result, held } = await loop.duringRequest(
        () => meta(tool, JSON.stringify({ query })),
        longest,
      )
      expect(result.status).toBeLessThan(500)
      expect(held).toBeLessThan(longest)
    })
  })
})

test.each(Object.entries(xmlBombs))('XML: %s', async (_, body) => {
  const { result, held } = await loop.duringRequest(() => deleteBy(body), longest)
  expect(result.status).toBeGreaterThanOrEqual(400)
  expect(result.status).toBeLessThan(500)
  expect(held).toBeLessThan(longest)
})

describe.each(forms)('forms of %s', (path) => {
  test.each(Object.entries(multipartBombs(boundary)))('%s', async (_, body) => {
    const { result, held } = await loop.duringRequest(() => form(path, body), longest)
    expect(result.status).toBeGreaterThanOrEqual(400)
    expect(result.status).toBeLessThan(500)
    expect(held).toBeLessThan(longest)
  })
})

/** As large as a frame may be where nobody has set another size. */
const frame = 3_000_000
describe.each([1, 2] as const)('frames of version %s', (version) => {
  const messageWith = (payload: string) =>
    version === 2
      ? `["1","9","realtime:a","broadcast",${payload}]`
      : `{"join_ref":"1","ref":"9","topic":"realtime:a","event":"broadcast","payload":${payload}}`
  test.each(Object.entries(jsonBombs(frame)))('%s', async (_, bomb) => {
    for (const text of [bomb, messageWith(bomb)]) {
      const bytes = Buffer.from(text)
      const open = async () => {
        const line = await Line.open(plane, version)
        await line.join('a', { broadcast: { ack: true } })
        return line
      }
      // Each look has a line of its own, for one that was sent a bomb may be closed.
      const lines = await Promise.all([open(), open(), open()])
      const other = await Line.open(plane, version)
      await other.join('a')
      let sent = 0
      const { held } = await loop.shortest(async () => {
        const line = lines[sent++]
        if (!line) throw new Error('There are no more lines')
        line.socket.send(bytes, { binary: false })
        // Answered, or closed: either way it was read.
        await expect
          .poll(() => line.ended ?? line.heard.some(({ ref }) => ref === '9'))
          .toBeTruthy()
      }, longest)
      expect(held).toBeLessThan(longest)
      for (const line of [...lines, other]) line.close()
    }
  })
})
