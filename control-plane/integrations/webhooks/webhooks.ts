import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { WebhookStore } from './store.ts'

type Deps = {
  store: WebhookStore
  audited: Audited
  /** What webhooks need in a database; it can run again. */
  schema: string
}

/** Webhooks of tables: the calls themselves are the database's to ask for and the data plane's to make. */
export function createWebhooks({ store, audited, schema }: Deps) {
  async function rowOf(ref: string) {
    const row = await store.find(ref)
    if (!row) throw new ApiError('project_not_found')
    return row
  }
  return {
    state: async (ref: string) => ({ enabled: (await rowOf(ref)).enabled_at !== null }),

    /**
     * Again is fine: it brings back what somebody dropped and takes nothing away. The database comes first and the row
     * after it: cut in the middle, calls wait in a queue that nobody reads until it is asked again.
     */
    async enable(caller: Caller, ref: string, origin: Origin) {
      const row = await rowOf(ref)
      await store.prepare(ref, schema)
      if (row.sealing_ref !== null) await store.forgetCopied(ref, row.inserted_at)
      failpoint('webhooks.enable.prepared')
      await audited({ caller, ref, origin }, 'webhooks.enable', async (tx) =>
        (await store.enable(tx, row.id)) ? { change: { after: { enabled: true } } } : {},
      )
      return { enabled: true }
    },
  }
}
export type Webhooks = ReturnType<typeof createWebhooks>
