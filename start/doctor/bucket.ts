import { randomBytes } from 'node:crypto'
import { createS3Backend, type S3BackendOptions } from '#data-plane/storage/backends/s3-backend'
import { clockFinding, reasonOf, sayAbout, type Finding } from './finding.ts'

const bucket = sayAbout('bucket')
const clock = sayAbout('clock')

/** More than one part, so that an upload in parts is tried as well. */
const bytes = 8 * 1024 * 1024 + 1

async function* once(content: Buffer): AsyncIterable<Uint8Array> {
  yield content
}
async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/**
 * Does in the bucket what Plinth does there, with its own means: writes in one piece and in parts, measures, reads a part, copies, lists,
 * removes. Whatever happens, what it has written is removed.
 */
export async function lookAtBucket(options: S3BackendOptions): Promise<Finding[]> {
  const backend = createS3Backend(options)
  const ref = `doctor-${randomBytes(6).toString('hex')}`
  const [large, small, copied] = [
    { ref, version: 'large' },
    { ref, version: 'small' },
    { ref, version: 'copied' },
  ]
  const content = randomBytes(bytes)
  let step = 'written to'
  const expect = (isTrue: boolean, problem: string) => {
    if (!isTrue) throw new Error(problem)
  }
  const listed = async () => {
    const versions: string[] = []
    for await (const { version } of backend.list(ref)) versions.push(version)
    return versions.toSorted().join()
  }
  try {
    await backend.write(small, once(Buffer.from('plinth')))
    step = 'written to in parts'
    await backend.write(large, once(content))
    expect((await backend.size(large)) === bytes, 'an upload in parts has another size')
    step = 'read'
    const end = { start: bytes - 4, end: bytes - 1 }
    const read = await bytesOf((await backend.read(large, end)) as AsyncIterable<Buffer>)
    expect(read.equals(content.subarray(-4)), 'a part of an object is not what was written')
    step = 'copied in'
    await backend.copy(small, copied)
    step = 'listed'
    expect((await listed()) === 'copied,large,small', 'what was written is not in the list')
    step = 'emptied'
    await backend.removeProject(ref)
    expect((await listed()) === '', 'what was removed is in the list')
    return [
      bucket.ok(`${options.bucket}: objects are written, read, copied, listed and removed`),
      ...(await clockOf(options.endpoint)),
    ]
  } catch (error) {
    const says = `${options.bucket} cannot be ${step}: ${reasonOf(error)}`
    const todo =
      'see that the bucket is there, and that the key may read, write, list and delete in it'
    const stays = `what begins with ${options.prefix ? `${options.prefix}/` : ''}${ref} may be left there`
    // By their names: who may not list may still remove them.
    const isRemoved = await backend.remove([large, small, copied]).then(
      () => true,
      () => false,
    )
    return [bucket.fail(isRemoved ? says : `${says}; ${stays}`, todo)]
  } finally {
    await backend.close()
  }
}

/** Signatures with a wrong time are refused, so a clock that runs away ends every access. */
async function clockOf(endpoint: string | undefined): Promise<Finding[]> {
  if (endpoint === undefined) return []
  const answer = await fetch(endpoint, { method: 'HEAD', signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  )
  const date = Date.parse(answer?.headers.get('date') ?? '')
  if (Number.isNaN(date)) return []
  // It names whole seconds.
  const skew = date - Date.now()
  return [clockFinding(clock, 'the object store', Math.abs(skew) <= 1500 ? 0 : skew)]
}
