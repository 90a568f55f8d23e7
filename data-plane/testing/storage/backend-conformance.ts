import { createHash, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { NoBytesError, type Backend, type Place } from '../../storage/backends/backend.ts'

async function* chunks(...parts: (string | Buffer | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    await Promise.resolve()
    if (part instanceof Error) throw part
    yield Buffer.from(part)
  }
}

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex')

/** What every kind of backend has to do. */
export function backendConformance(
  name: string,
  backend: () => Backend,
  close?: () => Promise<void>,
) {
  const ref = 'conformanceconforman'
  const place = (): Place => ({ ref, version: randomUUID() })
  const bytesAt = async (at: Place, range?: { start: number; end: number }) =>
    String(await buffer(await backend().read(at, range)))
  const listed = async (of = ref) => {
    const found: string[] = []
    for await (const { version } of backend().list(of)) found.push(version)
    return found
  }
  afterAll(async () => {
    await backend().removeProject(ref)
    await close?.()
  })

  test(`${name}: what is written is read, whole and in part`, async () => {
    const at = place()
    const written = await backend().write(at, chunks('hello ', '', 'world'))
    expect(written).toEqual({ size: 11, md5: md5('hello world') })
    expect(await backend().size(at)).toBe(11)
    expect(await bytesAt(at)).toBe('hello world')
    expect(await bytesAt(at, { start: 4, end: 6 })).toBe('o w')
    expect(await bytesAt(at, { start: 10, end: 10 })).toBe('d')
  })

  test(`${name}: nothing is a size as well, and large bodies come as a stream`, async () => {
    const [empty, large] = [place(), place()]
    expect(await backend().write(empty, chunks())).toEqual({ size: 0, md5: md5('') })
    expect(await bytesAt(empty)).toBe('')
    const block = Buffer.alloc(1024 * 1024, 'plinth')
    await backend().write(large, chunks(...Array.from({ length: 20 }, () => block)))
    expect(await backend().size(large)).toBe(20 * block.length)
    const tail = await bytesAt(large, { start: 20 * block.length - 6, end: 20 * block.length - 1 })
    expect(tail).toBe(block.subarray(-6).toString())
  })

  test(`${name}: a source that fails leaves nothing behind`, async () => {
    const at = place()
    const before = await listed()
    await expect(backend().write(at, chunks('half', new Error('gone')))).rejects.toThrow('gone')
    await expect(backend().size(at)).rejects.toThrow(NoBytesError)
    expect(await listed()).toEqual(before)
  })

  test(`${name}: a place without bytes says so`, async () => {
    for (const at of [
      place(),
      { ref, version: '../../etc/passwd' },
      { ref: 'nobodynobodynobodyno', version: 'x' },
    ]) {
      await expect(backend().read(at)).rejects.toThrow(NoBytesError)
      await expect(backend().size(at)).rejects.toThrow(NoBytesError)
      await expect(backend().copy(at, place())).rejects.toThrow(NoBytesError)
    }
    await backend().remove([place(), place()])
    expect(await listed('nobodynobodynobodyno')).toEqual([])
  })

  test(`${name}: a copy outlives its origin, and a reader what is removed under it`, async () => {
    const [from, to] = [place(), place()]
    await backend().write(from, chunks('kept'))
    await backend().copy(from, to)
    const reader = await backend().read(from)
    await backend().remove([from])
    expect(String(await buffer(reader))).toBe('kept')
    await expect(backend().size(from)).rejects.toThrow(NoBytesError)
    expect(await bytesAt(to)).toBe('kept')
  })

  test(`${name}: parts are joined in their order`, async () => {
    const parts = [place(), place(), place()]
    for (const [at, part] of parts.entries()) await backend().write(part, chunks(`${at}-`))
    const whole = place()
    expect(await backend().join(parts, whole)).toEqual({ size: 6, md5: md5('0-1-2-') })
    expect(await bytesAt(whole)).toBe('0-1-2-')
    await expect(backend().join([place()], place())).rejects.toThrow(NoBytesError)
  })

  test(`${name}: a project is listed and goes alone`, async () => {
    const other = { ref: 'otherotherotherother', version: randomUUID() }
    const at = place()
    await backend().write(at, chunks('mine'))
    await backend().write(other, chunks('theirs'))
    expect(await listed()).toContain(at.version)
    expect(await listed()).not.toContain(other.version)
    for await (const { at: moment } of backend().list(other.ref))
      expect(Math.abs(Date.now() - moment)).toBeLessThan(60_000)
    await backend().removeProject(ref)
    expect(await listed()).toEqual([])
    expect(await bytesAt(other)).toBe('theirs')
    await backend().removeProject(other.ref)
  })
}
