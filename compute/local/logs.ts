import { copyFile, stat, truncate } from 'node:fs/promises'
import { isMissing } from '#kit/postgres/files'

/**
 * Keeps a log file below a size: the full one becomes `.1`, which replaces the one before. The server appends to the
 * same open file, so it is emptied and not renamed.
 */
export async function boundLog(file: string, maxBytes: number): Promise<void> {
  try {
    if ((await stat(file)).size <= maxBytes) return
    await copyFile(file, `${file}.1`)
    await truncate(file)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
