import { GetObjectCommand } from '@aws-sdk/client-s3'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { StorageUse } from '#contract/storage/storage-use'
import { silentLog } from '#kit/log'
import { createFileBackend } from './backends/file-backend.ts'
import { startS3, type S3Plane } from '../testing/storage/s3.ts'
import { createStorageUse } from './use-counts.ts'

const size = 100_000
/** Lines that go before the bytes of an answer. */
const headers = 2000

/** What was counted by the time the service has ended. */
async function usedBy(work: (plane: S3Plane, kept: StorageUse[]) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-use-'))
  const kept: StorageUse[] = []
  const keepUse = async (uses: StorageUse[]) => void kept.push(...uses)
  const backend = createFileBackend(folder)
  const plane = await startS3({ storage: { backend, largest: 50_000_000, keepUse } })
  try {
    await plane.service.from('open').upload('file', Buffer.alloc(size, 'x'))
    await work(plane, kept)
  } finally {
    plane.closeClients()
    await plane.close()
    await rm(folder, { recursive: true })
  }
  const sum = (of: (use: StorageUse) => number) => kept.reduce((all, use) => all + of(use), 0)
  for (const { ref, day } of kept) {
    expect(ref).toBe(plane.project.ref)
    expect(new Date().toISOString().startsWith(day)).toBe(true)
  }
  const origins = kept.flatMap(({ origin }) => origin ?? [])
  return { egress: sum(({ egress }) => egress), origins }
}
const between = (egress: number, least: number, answers: number) => {
  expect(egress).toBeGreaterThan(least)
  expect(egress).toBeLessThan(least + answers * headers)
}

test('downloads of every kind count what they send', async () => {
  const { egress, origins } = await usedBy(async (plane) => {
    const open = plane.service.from('open')
    expect((await (await plane.ask('/object/public/open/file', { as: '' })).text()).length).toBe(
      size,
    )
    expect((await open.download('file')).data?.size).toBe(size)
    const { data } = await open.createSignedUrl('file', 60)
    const signed = new URL(data?.signedUrl ?? '')
    const path = signed.pathname.slice(signed.pathname.indexOf('/object/')) + signed.search
    expect((await (await plane.ask(path, { as: '' })).text()).length).toBe(size)
    const found = await plane.s3.send(new GetObjectCommand({ Bucket: 'open', Key: 'file' }))
    expect((await found.Body?.transformToByteArray())?.length).toBe(size)
    await open.upload('photo', Buffer.alloc(size), { contentType: 'image/png' })
    const asked = { paths: ['photo'], name: 'all.zip' }
    const { body } = await plane.own('POST', '/buckets/open/objects/archive', asked)
    const archive = new URL(String(body['url']))
    const zip = archive.pathname.slice(archive.pathname.indexOf('/archive/')) + archive.search
    const saved = await plane.ask(zip, { as: '' })
    expect((await saved.arrayBuffer()).byteLength).toBeGreaterThan(size)
  })
  between(egress, 5 * size, 5)
  expect(origins).toEqual([])
})

test('parts count as parts; what sends no bytes counts its headers alone, and other calls nothing', async () => {
  const part = await usedBy(async (plane) => {
    const range = await plane.ask('/object/open/file', { headers: { range: 'bytes=0-49999' } })
    expect((await range.arrayBuffer()).byteLength).toBe(50_000)
    await plane.ask('/object/open/file', { method: 'HEAD' })
    const eTag = range.headers.get('etag') ?? ''
    const same = await plane.ask('/object/open/file', { headers: { 'if-none-match': eTag } })
    expect(same.status).toBe(304)
  })
  between(part.egress, 50_000, 3)
  const none = await usedBy(async (plane) => {
    await plane.service.from('open').list()
    await plane.service.from('open').copy('file', 'other')
  })
  expect(none).toEqual({ egress: 0, origins: [] })
})

test('of a download that somebody breaks off, what went out counts', async () => {
  const large = 40_000_000
  const { egress } = await usedBy(async (plane, kept) => {
    await plane.service.from('open').upload('large', Buffer.alloc(large))
    const request = get(`${plane.url}/storage/v1/object/public/open/large`)
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    await once(answer, 'data')
    request.destroy()
    // That somebody is gone comes to be known on the other side a moment later.
    await expect.poll(() => kept.length).toBe(1)
  })
  expect(egress).toBeGreaterThan(0)
  expect(egress).toBeLessThan(large)
})

test('answers that wait for one another on one connection count once each', async () => {
  const { egress } = await usedBy(async (plane) => {
    const { hostname, port, pathname } = new URL(plane.url)
    const socket = connect(Number(port), hostname)
    const ask = (last: boolean) =>
      `GET ${pathname}/storage/v1/object/public/open/file HTTP/1.1\r\nHost: x\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
    let came = 0
    socket.on('data', (chunk: Buffer) => (came += chunk.length))
    socket.write(ask(false) + ask(false) + ask(true))
    await once(socket, 'close')
    expect(came).toBeGreaterThan(3 * size)
  })
  expect(egress).toBeGreaterThanOrEqual(3 * size)
  expect(egress).toBeLessThan(3 * (size + headers))
})

test('an image counts once, however often and in whatever sizes, and its bytes whenever they are sent', async () => {
  let id = ''
  const { egress, origins } = await usedBy(async (plane) => {
    const create = { width: 300, height: 200, channels: 3, background: 'red' } as const
    const image = await sharp({ create }).png().toBuffer()
    const up = await plane.service
      .from('open')
      .upload('red.png', image, { contentType: 'image/png' })
    id = up.data?.id ?? ''
    const render = (width: number) =>
      plane.ask(`/render/image/public/open/red.png?width=${width}`, { as: '' })
    for (const width of [100, 100, 50]) expect((await render(width)).status).toBe(200)
    const both = await Promise.all([render(70), render(70)])
    for (const answer of both) await answer.arrayBuffer()
    expect((await plane.ask('/render/image/public/open/file?width=10', { as: '' })).status).toBe(
      400,
    )
  })
  expect(origins).toEqual([id])
  expect(egress).toBeGreaterThan(0)
})

test('what nobody takes is kept, and sent with what came meanwhile', async () => {
  const kept: StorageUse[][] = []
  let isAway = true
  let tried = 0
  const send = async (uses: StorageUse[]) => {
    tried += 1
    if (isAway) throw new Error('nobody is there')
    kept.push(uses)
  }
  const use = createStorageUse({ send, log: silentLog, everyMs: 5 })
  const of = use.of('abcdefghijklmnopqrst')
  of.sent(5)
  const origin = '11111111-1111-4111-8111-111111111111'
  of.rendered(origin)
  await expect.poll(() => tried).toBeGreaterThan(1)
  of.sent(7)
  of.rendered(origin)
  isAway = false
  await use.close()
  expect(kept).toMatchObject([[{ egress: 12 }, { egress: 0, origin }]])
})
