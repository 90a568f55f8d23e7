import type { Job } from '#kit/jobs'
import type { Access, People } from './access/access.ts'
import type { RecordChange } from './audit/audit.ts'
import type { Db } from './database/database.ts'
import { createInvitations } from './members/invitations.ts'
import { invitationStore } from './members/invitation-store.ts'
import { createMembers } from './members/members.ts'
import { memberRoutes } from './members/routes.ts'
import { memberStore } from './members/store.ts'
import type { QueueMail } from './outgoing-mail/outgoing-mail.ts'

type Deps = {
  db: Db
  record: RecordChange
  people: Pick<People, 'facts'>
  access: Pick<Access, 'rowsWithin'>
  queueMail: QueueMail
  startJob: (job: Job) => Promise<void>
  url: string
}

/** The part of the control plane that is about who is in an organization: members, their roles, invitations. */
export function assembleMembers({ db, record, people, access, ...mail }: Deps) {
  const store = memberStore(db)
  const { rowsWithin } = access
  const members = createMembers({ store, record, people, rowsWithin })
  const invitations = createInvitations({
    store: invitationStore(db),
    memberStore: store,
    join: members.join,
    record,
    rowsWithin,
    ...mail,
  })
  return { members, routes: memberRoutes(members, invitations) }
}
