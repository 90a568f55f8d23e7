import { expect, vi } from 'vitest'
import type { Insertable } from 'kysely'
import { TrashedProject } from '#contract/projects/trash'
import { newProjectRef } from '#kit/ids'
import type { Tables } from '../platform-database/tables.ts'
import type { Person } from './control-plane.ts'
import type { World } from './world.ts'

export const dayMs = 86_400_000

/** Of the organization of a world. */
export const trashPath = '/platform/organizations/acme/trash'

/** A row that waits since then, for 30 days. */
export const waitingSince = (at: Date) => ({
  status: 'REMOVED' as const,
  deleted_at: at,
  removed_for_good_at: new Date(at.getTime() + 30 * dayMs),
})

/** What tests of the trash do to the project of a world, unless they name another one, as its owner. */
export function trashBench(world: World) {
  const at = (project = world.ref) => `/platform/projects/${project}`
  const row = (project = world.ref) =>
    world.control.db
      .selectFrom('platform.projects')
      .selectAll()
      .where('ref', '=', project)
      .executeTakeFirstOrThrow()
  const reaches = (status: string, project = world.ref) =>
    expect
      .poll(async () => (await row(project)).status, { timeout: 120_000, interval: 25 })
      .toBe(status)
  async function trashed(who: Person = world.ada): Promise<TrashedProject[]> {
    const { status, body } = await who.call('GET', trashPath)
    expect(status, JSON.stringify(body)).toBe(200)
    return TrashedProject.array().parse(body['projects'])
  }
  const restore = (project = world.ref, who: Person = world.ada) =>
    who.call('POST', `${trashPath}/${project}/restore`)
  const removeNow = (project = world.ref, who: Person = world.ada) =>
    who.call('DELETE', `${trashPath}/${project}`)
  async function discard(project = world.ref): Promise<void> {
    const { status, body } = await world.ada.call('DELETE', at(project))
    expect([status, body['status']]).toEqual([200, 'GOING_DOWN'])
    await reaches('REMOVED', project)
  }
  async function bring(project = world.ref): Promise<void> {
    expect((await restore(project)).status).toBe(200)
    await reaches('ACTIVE_HEALTHY', project)
  }
  /** Once the services have heard of it. */
  const notes = () => vi.waitFor(() => world.sql('select text from notes'), { timeout: 120_000 })
  /** A project without a server, as far as the platform's database goes. */
  async function bare(
    name: string,
    more: Partial<Insertable<Tables['platform.projects']>> = {},
  ): Promise<string> {
    const made = newProjectRef()
    const { organization_id } = await row()
    await world.control.db
      .insertInto('platform.projects')
      .values({
        ref: made,
        organization_id,
        name,
        status: 'INACTIVE',
        job_id: null,
        failure: null,
        region: 'eu-central-1',
        cloud_provider: 'AWS',
        compute_size: 'nano',
        db_version: '17.10',
        db_address: null,
        sealed_secrets: '',
        ...more,
      })
      .execute()
    return made
  }
  const forget = (project: string) =>
    world.control.db.deleteFrom('platform.projects').where('ref', '=', project).execute()

  return { at, row, reaches, trashed, restore, removeNow, discard, bring, notes, bare, forget }
}
