import type { Backups, DatabaseAddress } from '../../provider.ts'
import type { ClusterApi } from '../api.ts'
import { isRef } from '../objects.ts'
import { currentOf, getProject, look, namespaceNamed } from '../project.ts'
import { addressKnown, uidOf } from '../work.ts'
import { begin, end, isArchiving, windowsOf } from './archive.ts'
import { checkBackup } from './check.ts'
import { allFacts, checkedId, getFacts, idsOf, removeBackup } from './facts.ts'
import { clearBackup, makeBackup } from './make.ts'
import { archiveNow, archiveOf, changeArchive } from './moments.ts'
import { serverOf } from './objects.ts'
import { restoreProject, type RestoreWith } from './restore.ts'

type Within = Omit<RestoreWith, 'api' | 'bucket'> & {
  api: () => Promise<ClusterApi>
  /** One thing after the other for a project's cluster. */
  forProject: <T>(ref: string, work: (api: ClusterApi) => Promise<T>) => Promise<T>
  /** Milliseconds that the statistics of servers may be behind. */
  lagMs?: number | undefined
}

/**
 * Backups by the Barman Cloud plugin of the operator, in a bucket. Making and reading back go beside whatever else is done with a
 * project, and fail when its server ends meanwhile. Nobody hands out a backup as one file: the plugin keeps the data and what was written
 * since apart, in many.
 */
export function clusterBackups({ forProject, lagMs, ...within }: Within): Backups {
  const { place, work, choices } = within
  async function open(ref?: string) {
    if (ref !== undefined && !isRef(ref)) throw new TypeError(`"${ref}" is not a project ref`)
    const api = await within.api()
    return { ...within, api, bucket: await place.bucket(api) }
  }
  /** @throws UnknownProjectError */
  const projectOf = async (api: ClusterApi, ref: string) => (await getProject(api, ref)).key
  return {
    wholeCopiesOnly: true,
    async make(key) {
      checkedId(key.id)
      const opened = await open(key.ref)
      return makeBackup(opened, key, await projectOf(opened.api, key.ref))
    },
    async check(key) {
      checkedId(key.id)
      const { api, bucket } = await open(key.ref)
      const current = await projectOf(api, key.ref)
      return checkBackup({ api, bucket, choices, work, lagMs }, key, current)
    },
    async remove(key) {
      checkedId(key.id)
      const { api, bucket } = await open(key.ref)
      const current = await currentOf(api, key.ref)
      const home = await api.find(namespaceNamed(key.ref))
      if (home) await clearBackup({ api, bucket, work }, key, current)
      await removeBackup(bucket, key, home && serverOf(current, await uidOf(api, key.ref)))
    },
    refs: async () => (await (await open()).bucket.folders()).filter((name) => isRef(name)),
    async facts(key) {
      const { bytes, takenAt } = await getFacts((await open(key.ref)).bucket, key)
      return { bytes, takenAt }
    },
    list: async (ref) => idsOf((await open(ref)).bucket, ref),
    restore: (spec, ...how) =>
      forProject(spec.ref, async () => restoreProject(await open(spec.ref), spec, ...how)),
    setArchive: (ref, on) =>
      forProject(ref, async (api): Promise<DatabaseAddress | undefined> => {
        const key = await projectOf(api, ref)
        const archive = await archiveOf(api, ref)
        if (isArchiving(archive) !== on) {
          const server = serverOf(key, await uidOf(api, ref))
          const closed = on ? undefined : await archiveNow(api, key, work)
          await changeArchive(api, ref, (there) =>
            on ? begin(there, server, new Date()) : end(there, closed ?? new Date()),
          )
        }
        const { seen } = await look(api, key)
        return seen.state === 'running' ? addressKnown(api, key) : undefined
      }),
    async windows(ref) {
      const { api, bucket } = await open(ref)
      return windowsOf(await archiveOf(api, ref), await allFacts(bucket, ref))
    },
  }
}
