import { basename, join } from 'node:path'
import { openForeign, readForeign } from './files.ts'

/** Without these an acknowledged write can be lost. They are also given on the command line, which wins over every file. */
export const durabilityFloor = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

const durable = /^(on|true|yes|1|local|remote_write|remote_apply)$/i

/**
 * Refuses a data directory that could lose acknowledged writes: one whose configuration files turn the floor off, or
 * that has no data checksums. `configDir` is that of the server (kit/postgres/server.ts). Checked before every start; a cluster of ours never fails it unless someone changed it.
 */
export async function assertDurable(dataDir: string, configDir = dataDir): Promise<void> {
  const read = [join(configDir, 'postgresql.conf'), join(dataDir, 'postgresql.auto.conf')]
  for (const file of read) {
    const lines = ((await readForeign(file)) ?? '').split('\n')
    for (const line of lines) {
      const [, name = '', value = ''] = /^\s*(\w+)\s*=?\s*'?(\w*)/.exec(line) ?? []
      const weakens = name.toLowerCase() in durabilityFloor && !durable.test(value)
      if (weakens || /^include/i.test(name))
        throw new Error(`Refused to start ${dataDir}: ${basename(file)} says "${line.trim()}"`)
    }
  }
  if (!(await hasChecksums(dataDir)))
    throw new Error(`Refused to start ${dataDir}: the cluster has no data checksums`)
}

/** Offsets in global/pg_control for control version 1700 (Postgres 17): version at 8, checksum version at 252. */
async function hasChecksums(dataDir: string): Promise<boolean> {
  const file = await openForeign(join(dataDir, 'global', 'pg_control'))
  try {
    const { buffer } = await file.read(Buffer.alloc(512), 0, 512, 0)
    const version = buffer.readUInt32LE(8)
    if (version !== 1700)
      throw new Error(`pg_control of ${dataDir} has the unknown version ${version}`)
    return buffer.readUInt32LE(252) === 1
  } finally {
    await file.close()
  }
}
