import { randomBytes } from 'node:crypto'
import { rotationHours } from '#contract/integrations/webhooks'
import { ApiError } from '#kit/errors'
import { failpoint } from '#kit/failpoints'
import { randomSuffix } from '#kit/ids'
import type { Secrets } from '#kit/secrets'
import type { Audited, By } from '../../audited.ts'
import type { SecretStore } from './secret-store.ts'

type Deps = {
  store: SecretStore
  audited: Audited
  secrets: Secrets
  now: () => Date
}
type HookOf = { table_id: number; name: string }

/** Of one project at most. */
const maxSecrets = 500

/**
 * What signs calls of webhooks. The platform keeps the secrets, sealed; a hook in its database names one by an id, so nobody who
 * reads the database, or a copy of it, has them.
 */
export function createWebhookSecrets({ store, audited, secrets, now }: Deps) {
  const identity = (ref: string, id: string) => `webhook secret ${id} of project:${ref}`

  async function idOf(ref: string, hook: HookOf): Promise<string | null> {
    const id = await store.idOf(ref, hook)
    if (id === undefined)
      throw new ApiError('not_found', `The table has no webhook named ${hook.name}`)
    return id
  }

  return {
    /**
     * The secret comes first and the hook that names it after: cut in the middle, nothing signs with it, and asking again makes
     * another. A hook that has one keeps its id, so a rotation changes nothing in the database.
     */
    async renew(by: By, hook: HookOf): Promise<{ secret: string; rotated: boolean }> {
      const before = await idOf(by.ref, hook)
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      const made = await audited(by, 'webhooks.new-secret', async (tx, project) => {
        const present = before === null ? undefined : await store.find(tx, project.id, before)
        if (!present && (await store.count(tx, project.id)) >= maxSecrets)
          throw new ApiError('invalid_input', `A project can have up to ${maxSecrets} secrets`)
        const id = present && before !== null ? before : `whs_${randomSuffix(20)}`
        await store.put(tx, {
          project_id: project.id,
          id,
          sealed_secret: secrets.seal(secret, identity(by.ref, id)),
          sealed_previous: present?.sealed_secret ?? null,
          previous_until: present ? new Date(now().getTime() + rotationHours * 3_600_000) : null,
        })
        const rotated = present !== undefined
        return { id, rotated, change: { after: { hook: hook.name, rotated } } }
      })
      failpoint('webhooks.secret.kept')
      if (!made.rotated) await store.setId(by.ref, hook, made.id)
      return { secret, rotated: made.rotated }
    },

    /** The hook comes first: nothing signs with a secret that is gone. */
    async remove(by: By, hook: HookOf): Promise<{ removed: boolean }> {
      const id = await idOf(by.ref, hook)
      if (id === null) return { removed: false }
      await store.setId(by.ref, hook, null)
      await audited(by, 'webhooks.remove-secret', async (tx, project) => {
        await store.remove(tx, project.id, id)
        return { change: { before: { hook: hook.name } } }
      })
      return { removed: true }
    },

    /** For the data plane, which signs. */
    async keys(ref: string): Promise<Record<string, string[]>> {
      const rows = await store.ofProject(ref)
      return Object.fromEntries(
        rows.map(({ id, sealed_secret, sealed_previous, previous_until }) => {
          const both = previous_until !== null && previous_until > now()
          const sealed = [sealed_secret, ...(both && sealed_previous ? [sealed_previous] : [])]
          return [id, sealed.map((text) => secrets.open(text, identity(ref, id)))]
        }),
      )
    },
  }
}
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>
