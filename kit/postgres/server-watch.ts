import { isTaken } from './processes.ts'
import { findRunning } from './server.ts'

/**
 * Whether the server of a data directory runs, for who asks again and again: a close look reads several files and takes some
 * milliseconds. Between two of them it is enough that the process is there, which ends with the server.
 */
export function createServerWatch(dataDir: string, closelyMs = 5000): () => Promise<boolean> {
  let seen: { pid: number; until: number } | undefined
  return async () => {
    if (seen && performance.now() < seen.until && isTaken(seen.pid)) return true
    const running = await findRunning(dataDir)
    seen = running && { pid: running.pid, until: performance.now() + closelyMs }
    return running !== undefined
  }
}
