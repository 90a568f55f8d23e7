import { invitations } from '#contract/organizations/invitations'
import { members } from '#contract/organizations/members'
import { q } from '../../../api/client.ts'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'

export const membersQuery = (slug: string) => q(members.list, { slug })
export const rolesQuery = (slug: string) => q(members.roles, { slug })
export const invitationsQuery = (slug: string) => q(invitations.list, { slug })

/** After a change of who is in an organization, or as what. It may have been about oneself. */
export const ofTeam = [members.list, members.roles, organizations.list, profile.permissions]

export const ofInvitations = [invitations.list]
