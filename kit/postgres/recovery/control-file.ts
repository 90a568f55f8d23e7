import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../files.ts'

/** What a stopped server has written down of itself. */
export type ControlFile = {
  /** It was stopped in good order and had written everything down; its last record is the checkpoint. */
  isShutDown: boolean
  /** Where the last checkpoint begins in the write-ahead log. */
  checkpoint: bigint
}

const at = { version: 8, state: 16, checkpoint: 32, end: 40 }
/** `DB_SHUTDOWNED` of pg_control.h, which has been the same since that file exists. */
const shutDown = 1

/** Reads `global/pg_control`; undefined where there is none, or it is of a version that nobody here knows. */
export async function readControlFile(dataDir: string): Promise<ControlFile | undefined> {
  const bytes = Buffer.alloc(at.end)
  try {
    const file = await open(join(dataDir, 'global', 'pg_control'))
    try {
      const { bytesRead } = await file.read(bytes, 0, at.end, 0)
      if (bytesRead < at.end) return undefined
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  const version = bytes.readUInt32LE(at.version)
  if (version < 1300 || version > 1800) return undefined
  return {
    isShutDown: bytes.readInt32LE(at.state) === shutDown,
    checkpoint: bytes.readBigUInt64LE(at.checkpoint),
  }
}
