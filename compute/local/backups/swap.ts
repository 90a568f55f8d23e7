import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import { exists, syncFolder } from '#kit/postgres/files'
import { stopServer } from '#kit/postgres/server'
import { settleConfig } from '../config.ts'
import type { Machine } from '../machine.ts'
import { userOf } from '../registry.ts'

/** Puts restored data in their place. Nothing is there to be put: nothing happens. */
export async function finishSwap({ folders, registry }: Machine, ref: string): Promise<void> {
  const data = join(folders.restored(ref), 'data')
  if (!(await exists(data))) return
  await stopServer(folders.data(ref))
  const record = registry.get(ref)
  // From where people may connect is the project's, and an earlier version kept it with the data that go now.
  if (record) await settleConfig(folders.config(ref), folders.data(ref), userOf(record))
  await folders.discard(folders.data(ref))
  failpoint('compute.restore.discarded')
  await rename(data, folders.data(ref))
  await folders.discard(folders.restored(ref))
  await syncFolder(folders.project(ref))
}
