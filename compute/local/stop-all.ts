import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { stopServer } from '#kit/postgres/server'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { openCgroups } from './bounds/cgroups.ts'
import { createFolders } from './folders.ts'
import { createGuard } from './guard/guard.ts'
import type { LocalOptions } from './machine.ts'
import { readRecords, uidsOf } from './registry.ts'
import { openUsers, usualRanges } from './users.ts'
import { clearVaultKeys } from './vault/vault-keys.ts'

const quick = { mode: 'fast', deadlineMs: 4000 } as const

/**
 * Ends every server below a home, and whatever else runs as its user, for when the whole machine's platform ends. The
 * provider itself leaves servers running, so that its own restart interrupts nobody. No provider may be at work meanwhile.
 */
export async function stopAllServers(
  runtime: PostgresRuntime,
  { home, log, userRanges = usualRanges }: Pick<LocalOptions, 'home' | 'log' | 'userRanges'>,
): Promise<void> {
  const folders = createFolders(runtime)
  await folders.make()
  const refs = await folders.refs()
  // Of a template that was being made when whoever made it was killed.
  const templates = (await readdir(folders.templates)).map((key) =>
    stopServer(join(folders.templates, key, 'data'), { mode: 'immediate' }),
  )
  const ends = await Promise.allSettled([
    ...templates,
    ...refs.map(async (ref) => {
      await Promise.all(
        (await folders.replicasOf(ref)).map(async (id) => {
          await stopServer(join(folders.replica(ref, id), 'data'), quick)
          await folders.removeSocket(`${ref}-${id}`)
        }),
      )
      await stopServer(folders.data(ref), quick)
      await folders.removeSocket(ref)
      await clearVaultKeys(folders, ref)
    }),
  ])
  const used = uidsOf(await readRecords(folders))
  const users = await openUsers({ home, ranges: userRanges, used, log })
  await users.endAll()
  await (await openCgroups(home)).clear()
  await (await createGuard(home, [])).lift()
  const failures = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
  if (failures.length > 0) throw new AggregateError(failures, failures.join('; '))
}
