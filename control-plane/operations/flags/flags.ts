import { randomUUID } from 'node:crypto'
import { OpenFeature } from '@openfeature/server-sdk'
import type { Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import { DatabaseProvider } from './provider.ts'
import type { Flag, FlagStore } from './store.ts'

type Options = {
  store: FlagStore
  record: RecordChange
  /** Slugs of the organizations that a person is a member of. */
  organizationsOf: (userId: string) => Promise<string[]>
}

/** Remote flags: what the operator lets some people have before others. */
export async function createFlags({ store, record, organizationsOf }: Options) {
  const provider = new DatabaseProvider(store.all)
  // OpenFeature keeps its providers for the whole process; a name of our own keeps two control planes in one apart.
  const domain = `plinth-${randomUUID()}`
  await OpenFeature.setProviderAndWait(domain, provider)
  const client = OpenFeature.getClient(domain)

  const operator = (
    action: string,
    key: string,
    change: Record<string, unknown>,
    origin: Origin,
  ) => ({
    organizationId: null,
    actor: null,
    action,
    target: `flag:${key}`,
    change,
    origin,
  })

  return {
    /** Every flag for this person. An organization that they are no member of counts as none. */
    async of(userId: string, slug: string | undefined): Promise<Record<string, boolean>> {
      const flags = await provider.flags()
      const isMember = slug !== undefined && (await organizationsOf(userId)).includes(slug)
      const context = { targetingKey: userId, ...(isMember ? { organization: slug } : {}) }
      const values = await Promise.all(
        flags.map(async ({ key }) => [key, await client.getBooleanValue(key, false, context)]),
      )
      // Pairs of key and value, which fromEntries() takes as they are.
      return Object.fromEntries(values) as Record<string, boolean>
    },

    list: (): Promise<Flag[]> => store.all(),

    async set(flag: Flag, origin: Origin): Promise<Flag> {
      const { key, ...rules } = flag
      await store.transaction(async (tx) => {
        await store.put(tx, flag)
        await record(tx, operator('flags.set', key, rules, origin))
      })
      provider.forget()
      return flag
    },

    async remove(key: string, origin: Origin): Promise<{ removed: boolean }> {
      const removed = await store.transaction(async (tx) => {
        const gone = await store.remove(tx, key)
        if (gone) await record(tx, operator('flags.remove', key, {}, origin))
        return gone
      })
      provider.forget()
      return { removed }
    },
  }
}
export type Flags = Awaited<ReturnType<typeof createFlags>>
