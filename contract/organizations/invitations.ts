import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { ProjectRefs, RoleId } from './members.ts'
import { inOrganization, roleNames } from '../permissions.ts'
import { Slug } from '../values.ts'

/** How long an invitation can be accepted, in hours. */
export const invitationHours = 24

/** Invitation mails that one organization can send in 24 hours, so that nobody uses it to write to strangers. */
export const invitationsPerDay = 50

export const Invitation = z.object({
  id: z.number(),
  invited_at: z.string(),
  invited_email: z.string(),
  /** Of the role that they will have, in the whole organization or in `projects`. */
  role_id: z.number(),
  /** Null: all projects. */
  projects: z.array(z.object({ ref: z.string(), name: z.string() })).nullable(),
  invited_by: z.string(),
  expires_at: z.string(),
  expired: z.boolean(),
})
export type Invitation = z.infer<typeof Invitation>

/** What whoever holds the link may know: they were sent it. */
export const OpenInvitation = z.object({
  organization_slug: z.string(),
  organization_name: z.string(),
  invited_email: z.string(),
  invited_by: z.string(),
  role: z.enum(roleNames),
  /** Names; null: all projects. */
  projects: z.array(z.string()).nullable(),
  expires_at: z.string(),
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

const BySlug = z.object({ slug: Slug })
const ById = BySlug.extend({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) })
/** 256 random bits in base64url. */
const ByToken = BySlug.extend({ token: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

/** Which role it may be depends on the inviter's own (facts §2.4). */
const invites = inOrganization('write:Create', 'user_invites')

const base = '/platform/organizations/:slug/members/invitations' as const

export const invitations = {
  list: endpoint('invitations.list', `GET ${base}`, {
    needs: inOrganization('read:Read', 'user_invites'),
    input: BySlug,
    returns: z.object({ invitations: z.array(Invitation) }),
  }),
  create: endpoint('invitations.create', `POST ${base}`, {
    needs: invites,
    perMinute: 30,
    status: 201,
    input: BySlug.extend({
      email: z.email().max(254),
      role_id: RoleId,
      role_scoped_projects: ProjectRefs.optional(),
    }),
    returns: Invitation,
  }),
  /** A new link; the one before is dead. */
  resend: endpoint('invitations.resend', `POST ${base}/:id/resend`, {
    needs: invites,
    perMinute: 30,
    input: ById,
    returns: Invitation,
  }),
  revoke: endpoint('invitations.revoke', `DELETE ${base}/:id`, {
    needs: inOrganization('write:Delete', 'user_invites'),
    input: ById,
    returns: z.object({ id: z.number() }),
  }),
  /** For the page behind the link, also before signing in. */
  open: endpoint('invitations.open', `GET ${base}/:token`, {
    needs: 'anyone',
    perMinute: 60,
    input: ByToken,
    returns: OpenInvitation,
  }),
  accept: endpoint('invitations.accept', `POST ${base}/:token`, {
    needs: 'signed-in',
    perMinute: 30,
    input: ByToken,
    returns: z.object({ organization_slug: z.string() }),
  }),
}
