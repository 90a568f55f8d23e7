import type { QueueMail } from '../../operations/outgoing-mail/outgoing-mail.ts'
import type { Platform } from '../../platform.ts'
import { invitationStore } from './invitation-store.ts'
import { createInvitations } from './invitations.ts'
import { createMembers } from './members.ts'
import { memberRoutes } from './routes.ts'
import { memberStore } from './store.ts'

/** Who is in an organization: members, their roles, invitations. */
export function membersFeature(
  { db, record, people, access, jobs, url }: Platform,
  { queueMail }: { queueMail: QueueMail },
) {
  const store = memberStore(db)
  const { rowsWithin } = access
  const members = createMembers({ store, record, people, rowsWithin })
  const invitations = createInvitations({
    store: invitationStore(db),
    memberStore: store,
    join: members.join,
    record,
    rowsWithin,
    queueMail,
    startJob: jobs.start,
    url,
  })
  return { members, routes: memberRoutes(members, invitations) }
}
