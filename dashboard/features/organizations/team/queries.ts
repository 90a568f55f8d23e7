import { invitations } from '#contract/organizations/invitations'
import { members } from '#contract/organizations/members'
import { forget, q } from '../../../api/client.ts'
import { api } from '#contract/api'

export const membersQuery = (slug: string) => q(members.list, { slug })
export const rolesQuery = (slug: string) => q(members.roles, { slug })
export const invitationsQuery = (slug: string) => q(invitations.list, { slug })

/** After a change of who is in an organization, or as what. It may have been about oneself. */
export const forgetTeam = () =>
  forget(members.list, members.roles, api.organizations.list, api.profile.permissions)

export const forgetInvitations = () => forget(invitations.list)
