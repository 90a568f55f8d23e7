import type { Selectable } from 'kysely'
import type { Address, TaxId } from '#contract/billing/billing-shapes'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type CustomerRow = Pick<
  Selectable<Tables['platform.billing_customers']>,
  'name' | 'additional_emails' | 'address' | 'external_id'
>
export type CustomerStore = ReturnType<typeof customerStore>
type CustomerChange = {
  name?: string | null | undefined
  additional_emails?: string[] | undefined
  address?: Address | null | undefined
}

const nothing: CustomerRow = { name: null, additional_emails: [], address: null, external_id: null }

export function customerStore(db: Db) {
  return {
    async find(organizationId: string, from: Db | Tx = db): Promise<CustomerRow> {
      const row = await from
        .selectFrom('platform.billing_customers')
        .select(['name', 'additional_emails', 'address', 'external_id'])
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      return row ?? nothing
    },

    /** What is undefined stays. */
    async save(tx: Tx, organizationId: string, change: CustomerChange): Promise<void> {
      const values = {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.additional_emails === undefined
          ? {}
          : { additional_emails: change.additional_emails }),
        ...(change.address === undefined
          ? {}
          : { address: change.address && JSON.stringify(change.address) }),
      }
      await tx
        .insertInto('platform.billing_customers')
        .values({ organization_id: organizationId, ...values })
        .onConflict((conflict) =>
          conflict.column('organization_id').doUpdateSet({
            organization_id: organizationId,
            ...values,
          }),
        )
        .execute()
    },

    async setEmail(tx: Tx, organizationId: string, email: string): Promise<void> {
      await tx
        .updateTable('platform.organizations')
        .set({ billing_email: email })
        .where('id', '=', organizationId)
        .execute()
    },

    /** Keeps the first id: two that ask the provider at once get the same one from it. */
    async setExternalId(organizationId: string, externalId: string): Promise<void> {
      await db
        .insertInto('platform.billing_customers')
        .values({ organization_id: organizationId, external_id: externalId })
        .onConflict((conflict) =>
          conflict
            .column('organization_id')
            .doUpdateSet({ external_id: externalId })
            .where('platform.billing_customers.external_id', 'is', null),
        )
        .execute()
    },

    taxIds: (organizationId: string, from: Db | Tx = db): Promise<TaxId[]> =>
      from
        .selectFrom('platform.tax_ids')
        .select(['id', 'type', 'value', 'country'])
        .where('organization_id', '=', organizationId)
        .orderBy('inserted_at')
        .orderBy('id')
        .execute(),

    /** The one that is there, when it is there. */
    async addTaxId(tx: Tx, organizationId: string, taxId: Omit<TaxId, 'id'>): Promise<TaxId> {
      return tx
        .insertInto('platform.tax_ids')
        .values({ organization_id: organizationId, ...taxId })
        .onConflict((conflict) =>
          conflict
            .columns(['organization_id', 'type', 'value'])
            .doUpdateSet({ country: taxId.country }),
        )
        .returning(['id', 'type', 'value', 'country'])
        .executeTakeFirstOrThrow()
    },

    removeTaxId: (tx: Tx, organizationId: string, id: string): Promise<TaxId | undefined> =>
      tx
        .deleteFrom('platform.tax_ids')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning(['id', 'type', 'value', 'country'])
        .executeTakeFirst(),
  }
}
