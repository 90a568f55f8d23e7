import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unzip } from '#kit/testing/unzip'
import { keepChoice } from '../archive/archive-choice.ts'
import { signGrant } from '../signed-urls.ts'
import { startStorage, type StoragePlane } from '../../testing/storage/storage.ts'
import { s3Stores, type S3Store } from '../../testing/storage/s3-store.ts'

describe.each(s3Stores)('in %s', (_, open) => {
  let store: S3Store
  let plane: StoragePlane
  beforeAll(async () => {
    store = await open()
    plane = await startStorage({ storage: { backend: store.backend, largest: 50_000_000 } })
    // What an earlier run has left in a store that stays.
    await store.backend.removeProject(plane.project.ref)
  })
  afterAll(async () => {
    await store.backend.removeProject(plane.project.ref)
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
    expect(await versions()).toHaveLength(2)
    expect(await plane.own('POST', '/trash/empty', {})).toMatchObject({ body: { removed: 2 } })
    await expect.poll(versions).toEqual([])
  })

  test('an archive is made of what lies there', async () => {
    const own = plane.service.from('own')
    for (const name of ['d/none', 'd/a', 'd/e/b']) await own.upload(name, name.slice(0, -4))
    const choice = await keepChoice({ backend: store.backend, ref: plane.project.ref }, ['d/'])
    const grant = { scope: 'archive', url: `own/${choice}` } as const
    const token = signGrant(grant, 60, plane.project.sealingKey)
    const answer = await plane.ask(`/archive/own/${choice}?token=${token}`, { as: '' })
    const entries = unzip(Buffer.from(await answer.arrayBuffer()))
    expect([...entries.keys()]).toEqual(['d/a', 'd/e/b', 'd/none'])
    expect(String(entries.get('d/none'))).toBe('d/')
  })
})
