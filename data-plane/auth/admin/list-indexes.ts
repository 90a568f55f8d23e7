import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '#kit/root'
import type { Log } from '#kit/log'
import { makeIndexes } from './list-indexes-store.ts'
import type { AuthTenant } from '../tenant.ts'

type Tenant = Pick<AuthTenant, 'id' | 'pool'>

/**
 * Gives the indexes of the lists to a project from before there were any, while it runs and without locking anybody
 * out. Nobody waits for it: without them the lists are only slower. The result remembers who has them.
 */
export function createListIndexes(log: Log) {
  const seen = new WeakMap<Tenant, Promise<void>>()

  async function make({ id, pool }: Tenant): Promise<void> {
    try {
      const file = await readFile(join(root, 'data-plane/auth/admin/list-indexes.sql'), 'utf8')
      const made = await makeIndexes(pool, statementsOf(file))
      if (made) log.info({ ref: id }, 'The lists of users and audit entries have their indexes now')
    } catch (error) {
      log.warn({ err: error, ref: id }, 'The indexes of the lists could not be made')
    }
  }

  return {
    /** Resolves when they are there or could not be made, which is logged. */
    of(tenant: Tenant): Promise<void> {
      const known = seen.get(tenant) ?? make(tenant)
      seen.set(tenant, known)
      return known
    },
  }
}
export type ListIndexes = ReturnType<typeof createListIndexes>

function statementsOf(file: string): string[] {
  const code = file.replace(/^--.*$/gm, '')
  return code.split(/;\s*\n/).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))
}
