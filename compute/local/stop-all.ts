import { stopServer } from '#kit/postgres/server'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { createFolders } from './folders.ts'

/**
 * Ends every project's server below a home, for when the whole machine's platform ends. The provider itself leaves
 * servers running, so that its own restart interrupts nobody. No provider may be at work meanwhile.
 */
export async function stopAllServers(runtime: PostgresRuntime): Promise<void> {
  const folders = createFolders(runtime)
  await folders.make()
  const refs = await folders.refs()
  const ends = await Promise.allSettled(
    refs.map(async (ref) => {
      await stopServer(folders.data(ref), { mode: 'fast', deadlineMs: 4000 })
      await folders.removeSocket(ref)
    }),
  )
  const failures = ends.flatMap((end): unknown[] => (end.status === 'rejected' ? [end.reason] : []))
  if (failures.length > 0) throw new AggregateError(failures, failures.join('; '))
}
