import { createHash } from 'node:crypto'
import {
  type Invitation,
  type invitations as api,
  invitationHours,
  invitationsPerDay,
  type OpenInvitation,
} from '#contract/organizations/invitations'
import type { Parsed } from '#contract/endpoint'
import type { RoleName } from '#contract/permissions'
import { roleId } from '#contract/roles'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import { newSecret } from '#kit/ids'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { baseRole } from './assignments.ts'
import { invitationMail } from './invitation-mail.ts'
import type { InvitationRow, InvitationStore } from './invitation-store.ts'
import type { Members } from './members.ts'
import { checkPlan, checkPower, type RowsWithin } from './power.ts'
import type { LockedOrganization, MemberStore } from './store.ts'

type Deps = {
  store: InvitationStore
  memberStore: Pick<MemberStore, 'transaction' | 'lock' | 'projectIds'>
  join: Members['join']
  record: RecordChange
  rowsWithin: RowsWithin
  /** Writes the mail down in the transaction; the job that it returns sends it and is started after the commit. */
  queueMail: (tx: Tx, mail: ReturnType<typeof invitationMail>) => Promise<Job>
  startJob: (job: Job) => Promise<void>
  /** Where this platform is reached, for links in mails. */
  url: string
}

const day = 24 * 3600 * 1000

/** Only this is kept of a token; 256 random bits need no slow hash. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

const shape = (row: InvitationRow): Invitation => ({
  id: Number(row.id),
  invited_at: row.invited_at.toISOString(),
  invited_email: row.email,
  role_id: roleId(row.role),
  projects: row.projects?.map(({ ref, name }) => ({ ref, name })) ?? null,
  invited_by: row.invited_by_email,
  expires_at: row.expires_at.toISOString(),
  expired: row.expires_at.getTime() <= Date.now(),
})

/** An invitation to projects that are all gone leads nowhere. */
const isEmpty = (row: InvitationRow) => row.projects?.length === 0

/** What is written about it; never the token. */
const words = (row: Pick<InvitationRow, 'email' | 'role' | 'projects'>) => ({
  email: row.email,
  role: row.role,
  ...(row.projects ? { projects: row.projects.map(({ ref }) => ref) } : {}),
})

/** Invitations by mail: accepted once, within 24 hours, by the person whose confirmed address it is. */
export function createInvitations(deps: Deps) {
  const { store, memberStore, record, rowsWithin } = deps

  async function locked(tx: Tx, slug: string): Promise<LockedOrganization> {
    const organization = await memberStore.lock(tx, slug)
    if (!organization) throw new ApiError('organization_not_found')
    return organization
  }

  async function found(tx: Tx, organization: LockedOrganization, id: number) {
    const row = await store.find(tx, organization.id, id)
    if (!row) throw new ApiError('invitation_not_found')
    return row
  }

  async function mail(tx: Tx, row: InvitationRow, token: string): Promise<Job> {
    const sent = await store.countMail(tx, row.organization_id, new Date(Date.now() - day))
    if (sent > invitationsPerDay) throw new ApiError('invitation_limit')
    const { organization_name: name, organization_slug: slug } = row
    return deps.queueMail(
      tx,
      invitationMail({
        url: deps.url,
        to: row.email,
        token,
        organization: { name, slug },
        invitedBy: row.invited_by_email,
        role: row.role,
        projects: row.projects?.map((project) => project.name) ?? null,
      }),
    )
  }

  const write = (
    tx: Tx,
    action: string,
    row: InvitationRow,
    change: 'before' | 'after',
    caller: Caller,
    origin: Origin,
  ) =>
    record(tx, {
      organizationId: row.organization_id,
      actor: caller,
      action,
      target: `invitation:${row.id}`,
      change: { [change]: words(row) },
      origin,
    })

  async function checkMay(
    tx: Tx,
    caller: Caller,
    action: 'write:Create' | 'write:Delete',
    slug: string,
    role: RoleName,
  ) {
    const rows = await rowsWithin(tx, caller.userId, slug)
    checkPower(rows, action, 'user_invites', slug, [role])
  }

  /** Valid, or why it is not. */
  function checked(row: InvitationRow | undefined): InvitationRow {
    if (!row || isEmpty(row)) throw new ApiError('invitation_not_found')
    if (row.expires_at.getTime() <= Date.now()) throw new ApiError('invitation_expired')
    return row
  }

  return {
    list: async (slug: string) => ({ invitations: (await store.list(slug)).map(shape) }),

    async create(caller: Caller, input: Parsed<typeof api.create>, origin: Origin) {
      const role = baseRole(input.role_id)
      const email = input.email.toLowerCase()
      const refs = input.role_scoped_projects ?? null
      const token = newSecret()
      const { row, job } = await memberStore.transaction(async (tx) => {
        const organization = await locked(tx, input.slug)
        await checkMay(tx, caller, 'write:Create', input.slug, role)
        checkPlan(organization.tier, [{ role, refs }])
        const ids = refs && (await memberStore.projectIds(tx, organization.id, refs))
        if (refs && ids && ids.length < new Set(refs).size) throw new ApiError('project_not_found')
        if (await store.isMember(tx, organization.id, email)) throw new ApiError('already_member')
        const before = await store.byEmail(tx, organization.id, email)
        if (before && before.expires_at.getTime() > Date.now()) {
          throw new ApiError('already_invited')
        }
        if (before) await store.close(tx, before.id)
        const made = await store.insert(tx, {
          organization_id: organization.id,
          email,
          role,
          project_ids: ids,
          token_hash: hashOf(token),
          invited_by: caller.userId,
          invited_by_email: caller.email,
          expires_at: new Date(Date.now() + invitationHours * 3600 * 1000),
          closed_at: null,
        })
        const written = await found(tx, organization, Number(made.id))
        await write(tx, 'invitations.create', written, 'after', caller, origin)
        return { row: written, job: await mail(tx, written, token) }
      })
      await deps.startJob(job)
      return shape(row)
    },

    async resend(caller: Caller, { slug, id }: Parsed<typeof api.resend>, origin: Origin) {
      const token = newSecret()
      const { row, job } = await memberStore.transaction(async (tx) => {
        const organization = await locked(tx, slug)
        const before = await found(tx, organization, id)
        await checkMay(tx, caller, 'write:Create', slug, before.role)
        checkPlan(organization.tier, [
          { role: before.role, refs: before.projects?.map(({ ref }) => ref) ?? null },
        ])
        if (isEmpty(before)) throw new ApiError('invitation_not_found')
        const expires = new Date(Date.now() + invitationHours * 3600 * 1000)
        await store.renew(tx, before.id, hashOf(token), expires)
        const renewed = await found(tx, organization, id)
        await write(tx, 'invitations.resend', renewed, 'after', caller, origin)
        return { row: renewed, job: await mail(tx, renewed, token) }
      })
      await deps.startJob(job)
      return shape(row)
    },

    async revoke(caller: Caller, { slug, id }: Parsed<typeof api.revoke>, origin: Origin) {
      await memberStore.transaction(async (tx) => {
        const organization = await locked(tx, slug)
        const row = await found(tx, organization, id)
        await checkMay(tx, caller, 'write:Delete', slug, row.role)
        await store.close(tx, row.id)
        await write(tx, 'invitations.revoke', row, 'before', caller, origin)
      })
      return { id }
    },

    async open({ slug, token }: Parsed<typeof api.open>): Promise<OpenInvitation> {
      const row = checked(await store.byToken(slug, hashOf(token)))
      return {
        organization_slug: row.organization_slug,
        organization_name: row.organization_name,
        invited_email: row.email,
        invited_by: row.invited_by_email,
        role: row.role,
        projects: row.projects?.map(({ name }) => name) ?? null,
        expires_at: row.expires_at.toISOString(),
      }
    },

    /** `caller.email` is an address that the auth service has confirmed: nobody signs in without. */
    async accept(caller: Caller, { slug, token }: Parsed<typeof api.accept>, origin: Origin) {
      await memberStore.transaction(async (tx) => {
        // Who does not know the token learns nothing of the organization, not even whether it is there.
        const organization = await memberStore.lock(tx, slug)
        const row = checked(organization && (await store.byToken(slug, hashOf(token), tx)))
        if (row.email !== caller.email.toLowerCase()) throw new ApiError('invitation_not_yours')
        if (!(await store.hasProfile(tx, caller.userId))) {
          throw new ApiError('user_profile_not_found')
        }
        const projectIds = row.projects?.map((project) => String(project.id)) ?? null
        const joined = await deps.join(tx, row.organization_id, caller.userId, {
          role: row.role,
          projectIds,
        })
        if (!joined) throw new ApiError('already_member')
        await store.close(tx, row.id)
        await write(tx, 'invitations.accept', row, 'after', caller, origin)
      })
      return { organization_slug: slug }
    },
  }
}
export type Invitations = ReturnType<typeof createInvitations>
