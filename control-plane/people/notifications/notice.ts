import type { Notification } from '#contract/people/notifications'
import type { Tx } from '../../platform-database/database.ts'

/** One piece of news. Links lead to pages of the dashboard, so they start with one slash. */
export type Notice = {
  name: string
  priority: Notification['priority']
  title: string
  message: string
  organizationId?: string | null
  projectRef?: string | null
  actions?: { label: string; url: `/${string}` }[]
}

/** Tells people in the transaction of what happened. */
export type Notify = (tx: Tx, userIds: readonly string[], notice: Notice) => Promise<void>
