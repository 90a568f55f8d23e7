import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Audited } from '../../audited.ts'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import { customDomainVariant } from '#contract/projects/domains'
import type { Tx } from '../../platform-database/database.ts'
import { requireTarget, type InstallationNames } from './addresses.ts'
import { plansOf } from './shape.ts'
import type { DomainStore } from './store.ts'

type Deps = {
  store: DomainStore
  names: InstallationNames
  audited: Audited
  record: RecordChange
  /** @throws ApiError where the organization may not have the project running */
  admit: (tx: Tx, input: { organizationId: string; callerId: string; ref: string }) => Promise<void>
  now: () => Date
}
type By = { caller: Caller; origin: Origin }

/** The add-on that custom hostnames are paid by. */
export function createDomainAddOn({ store, names, audited, record, admit, now }: Deps) {
  return {
    async set(action: string, by: By, ref: string, variant: string): Promise<void> {
      await audited({ ...by, ref }, action, async (tx) => {
        const subject = await store.subject(ref, tx)
        if (!subject) throw new ApiError('project_not_found')
        requireTarget(names, ref)
        const { organization_id: organizationId } = subject
        await admit(tx, { organizationId, callerId: by.caller.userId, ref })
        if (!plansOf(subject).custom)
          throw new ApiError(
            'plan_limit',
            'The Free plan does not include custom domains. Upgrade the plan of the organization',
          )
        if (subject.add_on) return {}
        await store.beginAddOn(tx, subject, now())
        return { change: { after: { variant } } }
      })
    },

    /** A name that is there has to be deleted first, so that nobody loses it by a click about money. */
    async remove(action: string, by: By, ref: string, variant: string): Promise<void> {
      await audited({ ...by, ref }, action, async (tx, { id }) => {
        const subject = await store.subject(ref, tx)
        if (!subject?.add_on) throw new ApiError('not_found', 'This add-on is not enabled')
        if (await store.hostname(id, tx))
          throw new ApiError('hostname_active', 'Delete the custom hostname of this project first')
        await store.endAddOn(tx, ref, now())
        return { change: { before: { variant } } }
      })
    },

    /** After a change of an organization's plan: the add-on ends where the new plan has none. Names stay, and are not served. */
    async settle(tx: Tx, organizationId: string, at: Date): Promise<void> {
      for (const subject of await store.withAddOn(tx, organizationId)) {
        if (plansOf(subject).custom) continue
        await store.endAddOn(tx, subject.ref, at)
        await record(tx, {
          organizationId,
          actor: null,
          action: 'billing.removeAddOn',
          target: `project:${subject.ref}`,
          change: { before: { variant: customDomainVariant } },
          origin: null,
        })
      }
    },
  }
}
