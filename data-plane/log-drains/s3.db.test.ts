import { gunzipSync } from 'node:zlib'
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessKey, region, startS3, type S3Plane } from '../testing/storage/s3.ts'
import { destinationOf } from './destinations/destinations.ts'
import type { DrainBatch } from './drain-event.ts'
import { createSend } from './send.ts'

let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const send = createSend({ reachesLoopback: true, timeoutMs: 30_000 })
const at = Date.parse('2026-03-10T12:00:00Z')
const batch = (...ids: string[]): DrainBatch => ({
  owner: { kind: 'project', name: 'abcdefghijklmnopqrst' },
  events: ids.map((id) => ({
    id,
    timestamp: at * 1000,
    source: 'edge_logs',
    level: 'info',
    event_message: `message of ${id}`,
    attributes: {},
  })),
  now: Date.now(),
})
const store = (secret: string, sent: DrainBatch) =>
  send(
    destinationOf('s3', {
      s3_bucket: 'own',
      storage_region: region,
      access_key_id: accessKey.accessKey,
      secret_access_key: secret,
      endpoint: plane.endpoint,
      prefix: "logs/it's-(new)",
    }).request(sent),
    AbortSignal.timeout(30_000),
  )

test('a storage that checks signatures refuses a wrong secret, which is not in what is said', async () => {
  const said = await store('e'.repeat(64), batch('a'))
  expect(said).toMatchObject({ ok: false, status: 403 })
  expect(said.detail).toContain('SignatureDoesNotMatch')
  expect(said.detail).not.toContain(accessKey.accessKey)
})

test('what is stored is read back line for line, and sent again it is the same object', async () => {
  const sent = batch('first', 'second')
  for (let round = 0; round < 2; round += 1)
    expect(await store(accessKey.secretKey, sent)).toMatchObject({ ok: true, status: 200 })
  const { Contents = [] } = await plane.s3.send(
    new ListObjectsV2Command({ Bucket: 'own', Prefix: "logs/it's" }),
  )
  expect(Contents.map(({ Key }) => Key)).toEqual([
    "logs/it's-(new)/abcdefghijklmnopqrst/2026/03/10/120000-first.json.gz",
  ])
  const { Body, ContentType, ContentEncoding } = await plane.s3.send(
    new GetObjectCommand({ Bucket: 'own', Key: Contents[0]?.Key }),
  )
  expect([ContentType, ContentEncoding]).toEqual(['application/gzip', undefined])
  const lines = gunzipSync((await Body?.transformToByteArray()) ?? '')
    .toString()
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['first', 'second'])
})
