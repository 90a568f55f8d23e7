import type { Job } from '#kit/jobs'
import type { Access, People } from './access/access.ts'
import type { RecordChange } from './organizations/audit/audit.ts'
import type { Db } from './platform-database/database.ts'
import { createInvitations } from './organizations/members/invitations.ts'
import { invitationStore } from './organizations/members/invitation-store.ts'
import { createMembers } from './organizations/members/members.ts'
import { memberRoutes } from './organizations/members/routes.ts'
import { memberStore } from './organizations/members/store.ts'
import type { QueueMail } from './operations/outgoing-mail/outgoing-mail.ts'

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
