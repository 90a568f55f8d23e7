import { DatabaseError } from 'pg'
import { sql, type Selectable } from 'kysely'
import { customDomainVariant } from '#contract/projects/domains'
import type { Tier } from '#contract/billing/plans'
import type { WantedHostname } from '#contract/internal-api'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import { servedHostname, servedVanity } from '../../platform-database/served-names-store.ts'
import type { HostnameLook, ProjectsTables } from '../../platform-database/tables-projects.ts'

export type HostnameRow = Selectable<ProjectsTables['platform.custom_hostnames']>
export type VanityRow = Selectable<ProjectsTables['platform.vanity_subdomains']>

/** A project as far as its names depend on it. */
export type Subject = {
  id: string
  ref: string
  name: string
  organization_id: string
  tier: Tier
  /** Whether the add-on is enabled. */
  add_on: boolean
}

const uniqueViolation = '23505'

/** Whether the add-on of a project is enabled. */
const isPaid = sql<boolean>`exists (select from platform.add_on_usage usage where usage.project_ref = project.ref
  and usage.ended_at is null and usage.variant = ${customDomainVariant})`

const subjects = (from: Db | Tx) => allSubjects(from).where('project.status', '<>', 'REMOVED')

const allSubjects = (from: Db | Tx) =>
  from
    .selectFrom('platform.projects as project')
    .innerJoin(
      'platform.organizations as organization',
      'organization.id',
      'project.organization_id',
    )
    .select([
      'project.id',
      'project.ref',
      'project.name',
      'project.organization_id',
      'organization.tier',
      isPaid.as('add_on'),
    ])

export const domainStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),
  lock: lockProject,

  subject: (ref: string, from: Db | Tx = db): Promise<Subject | undefined> =>
    subjects(from).where('project.ref', '=', ref).executeTakeFirst(),

  hostname: (projectId: string, from: Db | Tx = db): Promise<HostnameRow | undefined> =>
    from
      .selectFrom('platform.custom_hostnames')
      .selectAll()
      .where('project_id', '=', projectId)
      .executeTakeFirst(),

  async initialize(tx: Tx, row: Pick<HostnameRow, 'project_id' | 'hostname' | 'nonce'>, at: Date) {
    const fresh = {
      hostname: row.hostname,
      nonce: row.nonce,
      status: 'initiated' as const,
      looked: null,
      checked_at: null,
      failing_since: null,
      initiated_at: at,
      activated_at: null,
    }
    await tx
      .insertInto('platform.custom_hostnames')
      .values({ project_id: row.project_id, ...fresh })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(fresh))
      .execute()
  },

  /**
   * What was found; only for the name that was looked for, so that a look which took long says nothing of another one. False where
   * another look was first: each change is found by one of them.
   */
  async looked(
    from: Db | Tx,
    {
      project_id,
      nonce,
      failing_since,
    }: Pick<HostnameRow, 'project_id' | 'nonce' | 'failing_since'>,
    to: Pick<HostnameRow, 'status' | 'checked_at' | 'failing_since'> & { looked: HostnameLook },
  ): Promise<boolean> {
    const { numUpdatedRows } = await from
      .updateTable('platform.custom_hostnames')
      .set({ ...to, looked: JSON.stringify(to.looked) })
      .where('project_id', '=', project_id)
      .where('nonce', '=', nonce)
      .where(sql<boolean>`failing_since is not distinct from ${failing_since}`)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** The project for which a name is active, also while it waits in the trash: it keeps its name as any other does. */
  holder: (tx: Tx, hostname: string): Promise<(Subject & { nonce: string }) | undefined> =>
    allSubjects(tx)
      .innerJoin('platform.custom_hostnames as custom', 'custom.project_id', 'project.id')
      .select('custom.nonce')
      .where('custom.hostname', '=', hostname)
      .where('custom.status', '=', 'active')
      .executeTakeFirst(),

  /** The name is not active any more, and what was begun with it has to be shown anew. */
  async release(tx: Tx, projectId: string, at: Date): Promise<void> {
    await tx
      .updateTable('platform.custom_hostnames')
      .set({ status: 'initiated', failing_since: at, activated_at: null })
      .where('project_id', '=', projectId)
      .execute()
  },

  /** False where somebody else was first; `tx` can then only be rolled back. */
  async activate(tx: Tx, projectId: string, at: Date): Promise<boolean> {
    try {
      await tx
        .updateTable('platform.custom_hostnames')
        .set({ status: 'active', failing_since: null, activated_at: at })
        .where('project_id', '=', projectId)
        .execute()
      return true
    } catch (error) {
      if (error instanceof DatabaseError && error.code === uniqueViolation) return false
      throw error
    }
  },

  async remove(tx: Tx, projectId: string): Promise<void> {
    await tx.deleteFrom('platform.custom_hostnames').where('project_id', '=', projectId).execute()
  },

  /** Names whose records were last looked at before `before`. */
  due: (before: Date): Promise<(HostnameRow & { ref: string })[]> =>
    db
      .selectFrom('platform.custom_hostnames as custom')
      .innerJoin('platform.projects as project', 'project.id', 'custom.project_id')
      .selectAll('custom')
      .select('project.ref')
      .where('project.status', '<>', 'REMOVED')
      .where((e) => e.or([e('checked_at', 'is', null), e('checked_at', '<', before)]))
      .orderBy('checked_at', (order) => order.asc().nullsFirst())
      .execute(),

  vanity: (projectId: string, from: Db | Tx = db): Promise<VanityRow | undefined> =>
    from
      .selectFrom('platform.vanity_subdomains')
      .selectAll()
      .where('project_id', '=', projectId)
      .executeTakeFirst(),

  async isTaken(name: string, projectId: string): Promise<boolean> {
    const row = await db
      .selectFrom('platform.vanity_subdomains')
      .select('project_id')
      .where('name', '=', name)
      .where('project_id', '<>', projectId)
      .executeTakeFirst()
    return row !== undefined
  },

  /** False where another project has it; `tx` can then only be rolled back. */
  async setVanity(tx: Tx, projectId: string, name: string, at: Date): Promise<boolean> {
    const row = { name, activated_at: at }
    try {
      await tx
        .insertInto('platform.vanity_subdomains')
        .values({ project_id: projectId, ...row })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
        .execute()
      return true
    } catch (error) {
      if (error instanceof DatabaseError && error.code === uniqueViolation) return false
      throw error
    }
  },

  async removeVanity(tx: Tx, projectId: string): Promise<void> {
    await tx.deleteFrom('platform.vanity_subdomains').where('project_id', '=', projectId).execute()
  },

  /** Begins to bill the add-on. */
  async beginAddOn(tx: Tx, { organization_id, ref, name }: Subject, at: Date): Promise<void> {
    await tx
      .insertInto('platform.add_on_usage')
      .values({
        organization_id,
        project_ref: ref,
        project_name: name,
        variant: customDomainVariant,
        started_at: at,
        ended_at: null,
      })
      .execute()
  },

  async endAddOn(tx: Tx, ref: string, at: Date): Promise<void> {
    await tx
      .updateTable('platform.add_on_usage')
      .set({ ended_at: sql`greatest(started_at, ${at})` })
      .where('project_ref', '=', ref)
      .where('variant', '=', customDomainVariant)
      .where('ended_at', 'is', null)
      .execute()
  },

  /** Projects with the add-on, of one organization. */
  withAddOn: (tx: Tx, organizationId: string): Promise<Subject[]> =>
    subjects(tx)
      .where('project.organization_id', '=', organizationId)
      .where(isPaid, '=', true)
      .execute(),

  /** Whether a project that pays for it has shown that a name is its own. */
  async isProven(hostname: string): Promise<boolean> {
    const row = await subjects(db)
      .innerJoin('platform.custom_hostnames as custom', 'custom.project_id', 'project.id')
      .where('custom.hostname', '=', hostname)
      .where('custom.status', 'in', ['verified', 'active'])
      .where(isPaid, '=', true)
      .executeTakeFirst()
    return row !== undefined
  },

  /** By which names requests reach projects now. `vanityOf`: the whole name of a vanity subdomain. */
  async served(vanityOf: (name: string) => string | undefined): Promise<WantedHostname[]> {
    const rows = await db
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .leftJoin('platform.hostname_certificates as own', 'own.project_id', 'project.id')
      .select([
        'project.ref',
        servedHostname.as('hostname'),
        servedVanity.as('vanity'),
        'own.hostname as certified',
        'own.version',
      ])
      .where('project.status', 'not in', ['REMOVED', 'GOING_DOWN'])
      .where(
        sql<boolean>`(project.id in (select project_id from platform.custom_hostnames)
          or project.id in (select project_id from platform.vanity_subdomains))`,
      )
      .orderBy('project.id')
      .execute()
    return rows.flatMap(({ ref, hostname, vanity, certified, version }): WantedHostname[] => {
      const whole = vanity === null ? undefined : vanityOf(vanity)
      const certificate = certified === hostname ? version : null
      return [
        ...(hostname === null
          ? []
          : [{ hostname, ref, ...(certificate !== null && { certificate }) }]),
        ...(whole === undefined ? [] : [{ hostname: whole, ref }]),
      ]
    })
  },
})
export type DomainStore = ReturnType<typeof domainStore>
