import { setTimeout as delay } from 'node:timers/promises'
import type { ClusterApi } from '../api.ts'
import { annotationOf, type ClusterKey } from '../objects.ts'
import { adminOf, look, namespaceNamed } from '../project.ts'
import { amend, uidOf, type Work } from '../work.ts'
import { mark, readArchive, writeArchive, type Archive } from './archive.ts'
import { archiveAnnotation, serverOf } from './objects.ts'
import { archived, commitAndSwitch, commitMark } from './server-store.ts'

const lookMs = 200
/** The archive is asked for that long for a file that the server has finished. */
const longestMs = 300_000

export async function archiveOf(api: ClusterApi, ref: string): Promise<Archive> {
  const home = await api.find(namespaceNamed(ref))
  return readArchive(home && annotationOf(home, archiveAnnotation))
}

/** Changes when the archive counts. */
export const changeArchive = (
  api: ClusterApi,
  ref: string,
  change: (archive: Archive) => Archive,
): Promise<void> =>
  amend(api, namespaceNamed(ref), (home) => {
    const text = annotationOf(home, archiveAnnotation)
    const after = writeArchive(change(readArchive(text)))
    return after === text ? undefined : { [archiveAnnotation]: after }
  })

/** Before a server stops: once it has, nothing can be committed after the moments that somebody may want back. */
export async function markStop(api: ClusterApi, key: ClusterKey): Promise<void> {
  const at = await commitMark(await adminOf(api, key))
  const server = serverOf(key, await uidOf(api, key.ref))
  await changeArchive(api, key.ref, (archive) => mark(archive, server, at))
}

/**
 * Has a server that runs archive all that it has written by now, with a commit behind it. Returns a moment before that commit; undefined:
 * it does not run.
 */
export async function archiveNow(
  api: ClusterApi,
  key: ClusterKey,
  { settled, closing }: Pick<Work, 'settled' | 'closing'>,
): Promise<Date | undefined> {
  const { seen } = await look(api, key)
  if (seen.state !== 'running') return undefined
  const admin = await adminOf(api, key)
  const { at, wal } = await settled(() => commitAndSwitch(admin))
  const until = performance.now() + longestMs
  for (;;) {
    const { last, failed } = await settled(() => archived(admin))
    if (last !== undefined && last.slice(0, 24) >= wal) break
    if (performance.now() > until)
      throw new Error(
        `The server of ${key.ref} does not archive what it writes: ${failed ?? wal} is not in the bucket`,
      )
    await delay(lookMs, undefined, { signal: closing })
  }
  const server = serverOf(key, await uidOf(api, key.ref))
  await changeArchive(api, key.ref, (archive) => mark(archive, server, at))
  return at
}
