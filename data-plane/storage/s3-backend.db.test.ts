import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStorage, type StoragePlane } from './test-storage.ts'
import { startS3Store } from './test-s3-store.ts'

let store: Awaited<ReturnType<typeof startS3Store>>
let plane: StoragePlane
beforeAll(async () => {
  store = await startS3Store()
  plane = await startStorage({ storage: { backend: store.backend, largest: 50_000_000 } })
})
afterAll(async () => {
  await plane.close()
  await store.close()
})

const versions = async () => {
  const found: string[] = []
  for await (const { version } of store.backend.list(plane.project.ref)) found.push(version)
  return found
}

test('a project stores in a bucket as it does in a folder', async () => {
  const own = plane.service.from('own')
  const bytes = randomBytes(9 * 1024 * 1024)
  expect((await own.upload('a', bytes)).error).toBeNull()
  const { data } = await own.download('a')
  const came = new Uint8Array((await data?.arrayBuffer()) ?? new ArrayBuffer(0))
  expect(Buffer.from(came).equals(bytes)).toBe(true)
  const part = await plane.ask('/object/own/a', { headers: { range: 'bytes=-4' } })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(-4))).toBe(true)
  expect((await own.copy('a', 'b')).error).toBeNull()
  expect((await own.update('a', 'small')).error).toBeNull()
  const [{ data: a }, { data: b }] = [await own.download('a'), await own.download('b')]
  expect([await a?.text(), b?.size]).toEqual(['small', bytes.length])
  expect(await versions()).toHaveLength(2)
  expect((await own.remove(['a', 'b'])).data).toHaveLength(2)
  expect(await versions()).toEqual([])
})
