import type { QueueMail } from '../../operations/outgoing-mail/outgoing-mail.ts'
import type { Platform } from '../../platform.ts'
import { invitationStore } from './invitation-store.ts'
import { createInvitations, type Invitations } from './invitations.ts'
import { createMembers, type Members } from './members.ts'
import { memberStore } from './store.ts'
import { invitations as invitationApi } from '#contract/organizations/invitations'
import { members as api } from '#contract/organizations/members'
import { implement, implementOpen } from '#kit/http'

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

const memberRoutes = (members: Members, invitations: Invitations) => [
  implement(api.list, ({ slug }) => members.list(slug)),
  implement(api.roles, ({ slug }) => members.roles(slug)),
  implement(api.update, (input, caller, origin) => members.update(caller, input, origin)),
  implement(api.remove, (input, caller, origin) => members.remove(caller, input, origin)),
  implement(api.setRoleProjects, (input, caller, origin) =>
    members.setRoleProjects(caller, input, origin),
  ),
  implement(api.removeRole, (input, caller, origin) => members.removeRole(caller, input, origin)),
  implement(invitationApi.list, ({ slug }) => invitations.list(slug)),
  implement(invitationApi.create, (input, caller, origin) =>
    invitations.create(caller, input, origin),
  ),
  implement(invitationApi.resend, (input, caller, origin) =>
    invitations.resend(caller, input, origin),
  ),
  implement(invitationApi.revoke, (input, caller, origin) =>
    invitations.revoke(caller, input, origin),
  ),
  implementOpen(invitationApi.open, (input) => invitations.open(input)),
  implement(invitationApi.accept, (input, caller, origin) =>
    invitations.accept(caller, input, origin),
  ),
]
