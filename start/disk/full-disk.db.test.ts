import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Pool } from '#kit/postgres/client'
import { runsAsRoot } from '#kit/postgres/os-user'
import { preparePostgres } from '#kit/postgres/runtime'
import { ballastBytes } from './ballast.ts'
import { startPlatformCluster } from '../platform/platform-cluster.ts'

const run = promisify(execFile)
const megabyte = 1024 ** 2

/** A disk of its own, where root may mount one; undefined elsewhere. */
function smallDisk(): string | undefined {
  if (!runsAsRoot()) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'plinth-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1300m,mode=711', 'tmpfs', folder], {
      stdio: 'ignore',
    })
    chmodSync(folder, 0o711)
    return folder
  } catch {
    // A container that may not mount.
    rmSync(folder, { recursive: true })
    return undefined
  }
}
const disk = smallDisk()

test.runIf(disk !== undefined)(
  'a disk that is full stops the platform for a moment, and nothing that was acknowledged is lost',
  async () => {
    const home = disk ?? ''
    const lines: string[] = []
    const runtime = await preparePostgres(home)
    // Held while the disk is filled: else the reserve may be given up before anything is refused.
    let looks = Promise.resolve()
    let look = () => undefined as void
    const free = async () => {
      await looks
      const { bavail, bsize } = await statfs(home)
      return bavail * bsize
    }
    const say = (line: string) => void lines.push(line)
    let cluster = await startPlatformCluster(home, runtime, say, free)
    const pool = new Pool({ connectionString: cluster.url, connectionTimeoutMillis: 2000 })
    onTestFinished(async () => {
      look()
      await pool.end()
      await cluster.stop()
      await run('umount', [home])
      await rm(home, { recursive: true })
    })
    const ballast = join(runtime.clusters, 'platform/ballast')
    const sizeOf = async () => (await stat(ballast).catch(() => undefined))?.size ?? 0
    await expect.poll(sizeOf).toBe(ballastBytes)

    await pool.query('create table kept (id int primary key, filler text)')
    let acknowledged = 0
    let doubted = 0
    /** Half a megabyte, of which nothing can be compressed. */
    const write = async (): Promise<boolean> => {
      const text = `select $1::int, string_agg(gen_random_uuid()::text, '') from generate_series(1, 15000)`
      try {
        await pool.query(`insert into kept ${text}`, [acknowledged + doubted])
        acknowledged += 1
        return true
      } catch {
        // It may have been committed all the same, when its server ended before it could say so.
        doubted += 1
        return false
      }
    }
    for (let i = 0; i < 10; i += 1) expect(await write()).toBe(true)

    looks = new Promise((resolve) => (look = resolve))
    const { bavail, bsize } = await statfs(home)
    const filler = join(home, 'filler')
    await run('fallocate', ['-l', String(bavail * bsize - 6 * megabyte), filler])
    let refusals = 0
    for (let i = 0; i < 40; i += 1) if (!(await write())) refusals += 1
    expect(refusals).toBeGreaterThan(0)
    look()
    // Its place is what the platform goes on with.
    await expect.poll(sizeOf).toBe(0)
    await expect.poll(write, { timeout: 60_000, interval: 200 }).toBe(true)
    for (let i = 0; i < 10; i += 1) expect(await write()).toBe(true)
    expect(lines).toContainEqual(expect.stringContaining('the disk is full'))

    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from kept')
    expect(rows[0]?.n).toBeGreaterThanOrEqual(acknowledged)
    expect(rows[0]?.n).toBeLessThanOrEqual(acknowledged + doubted)
    await rm(filler)
    await expect.poll(sizeOf).toBe(ballastBytes)

    // Filled while nothing runs: without the reserve its server could not even write its lock file.
    await cluster.stop()
    const left = await statfs(home)
    await run('fallocate', ['-l', String(left.bavail * left.bsize), filler])
    cluster = await startPlatformCluster(home, runtime, say, free)
    expect(await sizeOf()).toBe(0)
    expect(await write()).toBe(true)
  },
)
