import { chmod, mkdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { newProjectSql, projectMigrations } from '#start/tenants'
import { openCgroups } from '../local/bounds/cgroups.ts'
import { createLocalProvider } from '../local/local.ts'

/**
 * Makes, once in a run and as the product does it, a home with the stopped cluster that new projects are copied from.
 * Returns the folder that it is in.
 */
export async function makeTemplateHome(home: string): Promise<string> {
  await mkdir(home)
  await chmod(home, 0o711)
  const provider = createLocalProvider({
    home,
    migrations: projectMigrations(),
    newProjectSql: newProjectSql(),
    log: silentLog,
    userRanges: join(home, '..', 'users'),
    spares: 0,
  })
  await provider.prepare()
  await provider.close()
  return realpath(join(home, 'clusters', 'templates'))
}

/** Removes a home. Servers whose users cannot reach it have their folders elsewhere, where a link in it leads. */
export async function removeHome(home: string): Promise<void> {
  await (await openCgroups(home)).clear()
  const clusters = await realpath(join(home, 'clusters')).catch(() => home)
  // What was just being made there, as a test ended, writes on for a moment.
  const withRetries = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
  for (const folder of [clusters, home]) await rm(folder, withRetries)
}
