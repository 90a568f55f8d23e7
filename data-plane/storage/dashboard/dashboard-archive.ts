import { anyOf } from '../archive/archive.ts'
import { keepChoice } from '../archive/archive-choice.ts'
import { getBucket } from '../buckets.ts'
import { inAddress, lookSeconds, type Place } from './dashboard-objects.ts'
import { noSuchKey } from '../errors.ts'
import { signGrant } from '../signed-urls.ts'

/** Where several objects are saved as one zip; what cannot be is said before the browser goes there. @throws StorageError */
export async function signArchive(
  { storage, base, bucket }: Place,
  paths: readonly string[],
  name: string,
) {
  await getBucket(storage, bucket)
  if (!(await anyOf(storage, bucket, paths))) throw noSuchKey()
  const choice = await keepChoice(storage, paths)
  const grant = { scope: 'archive', url: `${bucket}/${choice}` } as const
  const token = signGrant(grant, lookSeconds, storage.sealingKey)
  const address = `${base}/archive/${inAddress(bucket)}/${choice}`
  return { url: `${address}?token=${token}&download=${encodeURIComponent(name)}` }
}
