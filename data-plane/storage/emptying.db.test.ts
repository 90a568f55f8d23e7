import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StorageError } from './errors.ts'
import { createFileBackend } from './backends/file-backend.ts'
import { problemOf, startStorage, type StoragePlane } from '../testing/storage/storage.ts'

let plane: StoragePlane
let folder: string
const ordered: string[][] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plinth-emptying-'))
  const orderEmptying = async (ref: string, bucket: string) => {
    if (bucket === 'small') throw new StorageError('SlowDown', 'Too many buckets are being emptied')
    ordered.push([ref, bucket])
  }
  const backend = createFileBackend(folder)
  plane = await startStorage({ storage: { backend, largest: 1e6, orderEmptying } })
})
afterAll(async () => {
  await plane.close()
  await rm(folder, { recursive: true })
})

const empty = (bucket: string, as?: string) =>
  plane.ask(`/bucket/${bucket}/empty`, { method: 'POST', ...(as !== undefined && { as }) })

test('a job is ordered, and the answer does not wait for it', async () => {
  await plane.service.from('own').upload('a', 'a')
  const answer = await empty('own')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({
    message: 'Empty bucket has been queued. Completion may take up to an hour.',
  })
  expect(ordered).toEqual([[plane.project.ref, 'own']])
  expect((await plane.service.from('own').list()).data).toHaveLength(1)
})

test('who may not, and buckets that are not there, order nothing', async () => {
  ordered.length = 0
  expect(await problemOf(await empty('own', plane.project.anonKey))).toEqual([
    400,
    '403',
    'AccessDenied',
  ])
  expect((await empty('own', '')).status).toBe(400)
  expect(await problemOf(await empty('nothing'))).toEqual([400, '404', 'NoSuchBucket'])
  expect(await problemOf(await empty('small'))).toEqual([400, '429', 'SlowDown'])
  expect(ordered).toEqual([])
})
