import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { createLogFiles, type LogFiles, type LogFilesOptions } from '../../logs/files/log-files.ts'
import { engineProgram } from './engine-program.ts'
import { afternoon } from './events.ts'

/** A store in a folder of its own, in the afternoon of the day of the tests. */
export async function openStore(
  options: Partial<LogFilesOptions> = {},
): Promise<{ folder: string; store: LogFiles; again: typeof again; close: () => Promise<void> }> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'plinth-logs-')))
  const engine = await engineProgram()
  const opened: LogFiles[] = []
  const again = (more: Partial<LogFilesOptions> = {}): LogFiles => {
    const store = createLogFiles({
      log: silentLog,
      engine,
      now: afternoon,
      folder,
      ...options,
      ...more,
    })
    opened.push(store)
    return store
  }
  const close = async () => {
    for (const store of opened) await store.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  return { folder, store: again(), again, close }
}
