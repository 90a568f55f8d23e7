import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

/** An hour of each week, UTC, in which a project is upgraded by itself. */
export const MaintenanceWindow = z.object({
  /** 0: Sunday. */
  weekday: z.int().min(0).max(6),
  hour: z.int().min(0).max(23),
})
export type MaintenanceWindow = z.infer<typeof MaintenanceWindow>

export const Upgrade = z.object({
  from: z.string(),
  to: z.string(),
  ordered_at: Instant,
  /** Null while it goes on. */
  finished_at: Instant.nullable(),
  /** `kept`: the server did not come up with the other version and runs on the one from before. */
  outcome: z.enum(['upgraded', 'kept']).nullable(),
  failure: z.string().nullable(),
  /** Milliseconds for which the server answered nobody. */
  down_ms: z.number().nullable(),
})
export type Upgrade = z.infer<typeof Upgrade>

export const Versions = z.object({
  /** Of PostgreSQL, such as 17.10. */
  current: z.string(),
  /** What new projects run on. */
  installed: z.string(),
  /** In words, why the project cannot be brought to that; empty: it can. Null where it runs on it already. */
  blockers: z.array(z.string()).nullable(),
  window: MaintenanceWindow.nullable(),
  last: Upgrade.nullable(),
})
export type Versions = z.infer<typeof Versions>

/** The version of PostgreSQL that a project runs on: it stays until somebody has it changed, or until a window that was chosen. */
export const upgrades = {
  /** @throws not_on_this_installation where the server is somebody else's */
  get: endpoint('upgrades.get', 'GET /platform/projects/:ref/upgrade', {
    needs: inProject('read:Read', 'projects'),
    input: z.object({ ref: ProjectRef }),
    returns: Versions,
  }),
  /** Brings the project to the installed version with one restart. What comes back is on its way. */
  order: endpoint('upgrades.order', 'POST /platform/projects/:ref/upgrade', {
    needs: inProject('write:Update', 'projects'),
    status: 201,
    input: z.object({ ref: ProjectRef }),
    returns: z.object({}),
  }),
  setWindow: endpoint('upgrades.setWindow', 'PUT /platform/projects/:ref/maintenance-window', {
    needs: inProject('write:Update', 'projects'),
    input: z.object({ ref: ProjectRef, window: MaintenanceWindow.nullable() }),
    returns: z.object({}),
  }),
}
