import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { lookOn, notifyOnce, type Looking } from '../look-on.ts'

const megabyte = 1024 ** 2

/** Bytes that lie there to be given up. A server whose disk is full ends, and needs about one segment of its log to start again. */
export const ballastBytes = 64 * megabyte
/** It is given up when less is free, and made again when so much is that it makes no difference. */
export const givenUpBelow = 16 * megabyte
export const madeFrom = 1024 * megabyte

type Options = {
  file: string
  say: (line: string) => void
  /** Bytes that are free where the file lies. */
  free?: (() => Promise<number>) | undefined
  everyMs?: number | undefined
}

/**
 * Keeps a file beside the platform's own database that is removed when the disk is full, so that the database can write, and people can
 * be told and delete things.
 */
export function keepBallast({ file, say, ...options }: Options): Looking {
  const { everyMs = 2000, free = () => freeBeside(file) } = options
  const { notify, forget } = notifyOnce(say)

  async function look(): Promise<void> {
    const left = await free()
    const size = await sizeOf(file)
    if (await giveUpBallast({ file, say: notify, free: () => Promise.resolve(left) })) return
    if (left >= madeFrom && size < ballastBytes) {
      await make(file)
      forget()
    }
  }
  const lookSafely = () =>
    look().catch((error: unknown) => {
      notify(`the reserve of the disk cannot be looked after: ${String(error)}`)
    })
  return lookOn(lookSafely, () => everyMs)
}

/** Removes it when the disk is full, before a start too: without space for its log a server would not come up to be told. */
export async function giveUpBallast({
  file,
  say,
  free = () => freeBeside(file),
}: Pick<Options, 'file' | 'say' | 'free'>): Promise<boolean> {
  if ((await sizeOf(file)) === 0 || (await free()) >= givenUpBelow) return false
  await rm(file, { force: true })
  say('the disk is full; the reserve of the platform is given up. Make space on it')
  return true
}

async function freeBeside(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file))
  return bavail * bsize
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

/** Written, since a file that only says its size takes no space. What does not fit is taken back. */
async function make(file: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    const part = Buffer.alloc(megabyte, 1)
    for (let written = 0; written < ballastBytes; written += part.length) await handle.write(part)
    await handle.sync()
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}
