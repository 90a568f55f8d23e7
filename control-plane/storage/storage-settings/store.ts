import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'
import { servedHostname, servedVanity } from '../../platform-database/served-names-store.ts'

/** What a project has chosen; null: what every project begins with. */
export type ChosenStorage = {
  file_size_limit: number | null
  image_transformation: boolean | null
  s3_protocol: boolean | null
}
export type StoredProject = ChosenStorage & {
  id: string
  organization_id: string
  tier: Tier
  region: string
  /** Names of its own by which requests reach it. */
  served_hostname: string | null
  served_vanity: string | null
}

export function storageSettingsStore(db: Db) {
  const projectOf = (ref: string, from: Db | Tx) =>
    from
      .selectFrom('platform.projects as project')
      .innerJoin('platform.organizations as organization', (join) =>
        join.onRef('organization.id', '=', 'project.organization_id'),
      )
      .leftJoin('platform.storage_configs as config', 'config.project_id', 'project.id')
      .select([
        'project.id',
        'project.organization_id',
        'project.region',
        'organization.tier',
        'config.file_size_limit',
        'config.image_transformation',
        'config.s3_protocol',
        servedHostname.as('served_hostname'),
        servedVanity.as('served_vanity'),
      ])
      .where('project.ref', '=', ref)
      .where('project.status', '<>', 'REMOVED')

  const shaped = <T extends { file_size_limit: string | null }>(row: T) => {
    const { file_size_limit: limit, ...rest } = row
    return { ...rest, file_size_limit: limit === null ? null : Number(limit) }
  }

  return {
    /** Undefined when there is no such project. */
    async find(ref: string, from: Db | Tx = db): Promise<StoredProject | undefined> {
      const row = await projectOf(ref, from).executeTakeFirst()
      return row && shaped(row)
    },

    async save(tx: Tx, projectId: string, chosen: ChosenStorage): Promise<void> {
      const { file_size_limit: limit, image_transformation, s3_protocol } = chosen
      const values = {
        file_size_limit: limit === null ? null : String(limit),
        image_transformation,
        s3_protocol,
        updated_at: new Date(),
      }
      await tx
        .insertInto('platform.storage_configs')
        .values({ project_id: projectId, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute()
    },
  }
}
export type StorageSettingsStore = ReturnType<typeof storageSettingsStore>
