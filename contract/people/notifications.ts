import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant, Pagination, pageInput, ProjectRef, Slug } from '../values.ts'

export const notificationPriorities = ['Critical', 'Warning', 'Info'] as const
export const notificationStatuses = ['new', 'seen', 'archived'] as const

/** News for one person (facts §3.3, "Notification v2"). */
export const Notification = z.object({
  id: z.uuid(),
  /** What happened, such as `project.create.failed`. */
  name: z.string(),
  priority: z.enum(notificationPriorities),
  status: z.enum(notificationStatuses),
  inserted_at: Instant,
  data: z.object({
    title: z.string(),
    message: z.string(),
    org_slug: z.string().nullable(),
    project_ref: z.string().nullable(),
    /** Pages of the dashboard where something can be done about it. */
    actions: z.array(z.object({ label: z.string(), url: z.string() })),
  }),
  meta: z.record(z.string(), z.unknown()),
})
export type Notification = z.infer<typeof Notification>

export const notifications = {
  list: endpoint('notifications.list', 'GET /platform/notifications', {
    needs: 'signed-in',
    input: z.object({
      /** The inbox holds what is not archived. */
      box: z.enum(['inbox', 'archived']).default('inbox'),
      priority: z.enum(notificationPriorities).optional(),
      organization: Slug.optional(),
      project: ProjectRef.optional(),
      ...pageInput,
    }),
    returns: z.object({ notifications: z.array(Notification), pagination: Pagination }),
  }),
  summary: endpoint('notifications.summary', 'GET /platform/notifications/summary', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({
      unread_count: z.number(),
      has_critical: z.boolean(),
      has_warning: z.boolean(),
    }),
  }),
  /** Marks some as seen, archived, or new again. Ids of other people's are passed over. */
  update: endpoint('notifications.update', 'PATCH /platform/notifications', {
    needs: 'signed-in',
    input: z.object({
      ids: z.array(z.uuid()).min(1).max(100),
      status: z.enum(notificationStatuses),
    }),
    returns: z.object({ updated: z.number() }),
  }),
  archiveAll: endpoint('notifications.archiveAll', 'PATCH /platform/notifications/archive-all', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({ updated: z.number() }),
  }),
  /** Removes what is archived. */
  remove: endpoint('notifications.remove', 'DELETE /platform/notifications', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.object({ removed: z.number() }),
  }),
}
