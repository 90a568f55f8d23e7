import type { ReadStream, WriteStream } from 'node:fs'
import { createReadStream, createWriteStream } from 'node:fs'
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  truncate,
  type FileHandle,
} from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BadRow, importPhases, tableTransfer } from '#contract/database/table-transfer'
import { ProjectRef } from '#contract/values'
import { ApiError } from '#kit/errors'
import { logins } from '../../connections.ts'

/** What came of an import. */
export const Outcome = z.object({
  rows: z.number(),
  bad: z.number(),
  report: z.array(BadRow),
  kept: z.boolean(),
  problem: z.string().nullable(),
})
export type Outcome = z.infer<typeof Outcome>

export const ImportRecord = z.object({
  id: z.uuid(),
  who: z.object({
    ref: ProjectRef,
    login: z.enum(logins),
    application: z.string(),
    by: z.string().nullable(),
  }),
  input: tableTransfer.start.input,
  phase: z.enum(importPhases),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  /** Times that its rows were begun to be sent to the database. */
  attempts: z.number(),
  /** The transaction that was about to keep its rows: whether it did can be asked of the database after a crash. */
  xid: z.string().nullable(),
  outcome: Outcome.nullable(),
})
export type ImportRecord = z.infer<typeof ImportRecord>

export type ImportKey = { ref: string; id: string }

export type ImportSpool = ReturnType<typeof createImportSpool>

/**
 * The files of imports that are under way: for each a folder with its record, what has arrived, and the list of its bad
 * rows. Folders are called by the project and by ids of our own making, never by anything that a caller says.
 */
export function createImportSpool(folder: string) {
  /** Imports whose file is being written to. */
  const held = new Set<string>()
  const at = ({ ref, id }: ImportKey, file = '') => join(folder, ref, id, file)
  const keyOf = ({ id, who: { ref } }: ImportRecord): ImportKey => ({ ref, id })

  /** Undefined also for what another version has written in a way that this one does not know. */
  async function read(key: ImportKey): Promise<ImportRecord | undefined> {
    const text = await readFile(at(key, 'record.json'), 'utf8').catch(unlessMissing)
    return text === undefined ? undefined : ImportRecord.safeParse(jsonOf(text)).data
  }
  /** Either the old record or the new one is there, whatever happens meanwhile. */
  async function write(record: ImportRecord): Promise<void> {
    const name = at(keyOf(record), 'record.json')
    await written(`${name}.new`, JSON.stringify(record))
    await rename(`${name}.new`, name)
    await synced(at(keyOf(record)))
  }
  const received = async (key: ImportKey) =>
    (await stat(at(key, 'data')).catch(unlessMissing))?.size ?? 0

  return {
    read,
    write,
    received,
    async create(record: ImportRecord): Promise<void> {
      await mkdir(at(keyOf(record)), { recursive: true, mode: 0o700 })
      await written(at(keyOf(record), 'data'), '')
      await write(record)
    },
    /** Runs what writes to the file, or relies on its length, while nothing else does. @throws ApiError conflict */
    async alone<T>({ id }: ImportKey, work: () => Promise<T>): Promise<T> {
      if (held.has(id))
        throw new ApiError('conflict', 'Another part of this import is still being uploaded')
      held.add(id)
      try {
        return await work()
      } finally {
        held.delete(id)
      }
    },
    isHeld: ({ id }: ImportKey): boolean => held.has(id),
    /** All of it stays, or none of it. */
    async append(key: ImportKey, offset: number, bytes: Buffer): Promise<void> {
      const file = await open(at(key, 'data'), 'r+')
      try {
        await writeAt(file, bytes, offset)
        await file.datasync()
      } catch (error) {
        await file.truncate(offset).catch((cause: unknown) => {
          throw new AggregateError([error, cause], 'A piece of an import could not be removed')
        })
        throw error
      } finally {
        await file.close()
      }
    },
    /** Bytes as they come. What came before they were cut off stays: the file goes on behind it. */
    async appendEach(
      key: ImportKey,
      offset: number,
      source: AsyncIterable<Uint8Array>,
    ): Promise<void> {
      const file = await open(at(key, 'data'), 'r+')
      try {
        let end = offset
        for await (const bytes of source) end += await writeAt(file, bytes, end)
        await file.datasync()
      } finally {
        await file.close()
      }
    },
    data: (key: ImportKey): ReadStream =>
      createReadStream(at(key, 'data'), { highWaterMark: 256 * 1024 }),
    dropData: (key: ImportKey) => rm(at(key, 'data'), { force: true }),
    badRows: (key: ImportKey): ReadStream => createReadStream(at(key, 'bad-rows.csv')),
    writeBadRows: (key: ImportKey): WriteStream =>
      createWriteStream(at(key, 'bad-rows.csv'), { mode: 0o600 }),
    hasBadRows: (key: ImportKey) => stat(at(key, 'bad-rows.csv')).then(() => true, unlessMissing),
    /** The record goes first: what has none is not there any more, even if this is cut off. */
    async remove(key: ImportKey): Promise<void> {
      await rm(at(key, 'record.json'), { force: true })
      await rm(at(key), { recursive: true, force: true })
    },
    /** A piece may have been cut off in the midst of a character. */
    async trim(key: ImportKey): Promise<void> {
      const size = await received(key)
      if (size === 0) return
      const file = await open(at(key, 'data'), 'r')
      const tail = Buffer.alloc(Math.min(4, size))
      await file.read(tail, 0, tail.length, size - tail.length)
      await file.close()
      const whole = size - cutOff(tail)
      if (whole < size) await truncate(at(key, 'data'), whole)
    },
    /** Ids of one project, or of all of them. */
    async list(ref?: string): Promise<ImportKey[]> {
      const refs = ref === undefined ? await entries(folder) : [ref]
      const found = refs.map(async (one) =>
        (await entries(join(folder, one))).map((id) => ({ ref: one, id })),
      )
      return (await Promise.all(found)).flat()
    },
    /** Milliseconds since 1970 of its last change. */
    changedAt: async (key: ImportKey): Promise<number> => (await stat(at(key))).mtimeMs,
    /** Bytes that are free on the disk for programs like this one. */
    async free(): Promise<number> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
}

/** Answers how many bytes that were. */
async function writeAt(file: FileHandle, bytes: Uint8Array, offset: number): Promise<number> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, null, offset + done)
    done += bytesWritten
  }
  return bytes.length
}

/** Bytes at the end that are the beginning of a character whose rest is missing. */
export function cutOff(tail: Buffer): number {
  for (let back = 1; back <= Math.min(4, tail.length); back++) {
    const byte = tail[tail.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return needed > back ? back : 0
  }
  return 0
}

/** Whether the disk, or what this program may use of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDiskFull)
  return error instanceof Error && 'code' in error && fullCodes.has(String(error.code))
}
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function written(name: string, text: string): Promise<void> {
  const file = await open(name, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function synced(folder: string): Promise<void> {
  const file = await open(folder)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const entries = async (folder: string) => (await readdir(folder).catch(unlessMissing)) ?? []

function unlessMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
  throw error
}
