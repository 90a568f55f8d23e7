import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { backendConformance } from '../../testing/storage/backend-conformance.ts'
import { createS3Backend } from './s3-backend.ts'
import { s3Stores } from '../../testing/storage/s3-store.ts'

for (const [name, open] of s3Stores) {
  const store = await open()
  backendConformance(name, () => store.backend, store.close)
}

test('what removes several objects carries its MD5, without which some servers refuse it', async () => {
  const seen: [sent: unknown, ours: string][] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push([request.headers['content-md5'], createHash('md5').update(body).digest('base64')])
      response.end('<DeleteResult/>')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  const place = { bucket: 'plinth', region: 'us-east-1', endpoint: `http://127.0.0.1:${port}` }
  const backend = createS3Backend({ ...place, credentials })
  await backend.remove([{ ref: 'abcdefghijklmnopqrst', version: 'a' }])
  expect(seen).toHaveLength(1)
  expect(seen[0]?.[0]).toBe(seen[0]?.[1])
  await backend.close()
  server.close()
})
