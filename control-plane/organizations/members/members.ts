import type { Member, members as api } from '#contract/organizations/members'
import type { Output, Parsed } from '#contract/endpoint'
import { roleNames, type RoleName } from '#contract/permissions'
import { roleDescriptions, roleId } from '#contract/roles'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { People } from '../../access/access.ts'
import type { RecordChange } from '../audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { type Assignment, assignmentsOf, rolesOf, wordsOf } from './assignments.ts'
import { checkPlan, checkPower, type RowsWithin } from './power.ts'
import type { LockedOrganization, MemberRow, MemberStore, ProjectRoleRow } from './store.ts'

type Deps = {
  store: MemberStore
  record: RecordChange
  people: Pick<People, 'facts'>
  rowsWithin: RowsWithin
}

type Change = { organization: LockedOrganization; member: MemberRow; held: ProjectRoleRow[] }

/** Who is in an organization, and as what (requirements §6). */
export function createMembers({ store, record, people, rowsWithin }: Deps) {
  async function shape(rows: MemberRow[], held: ProjectRoleRow[]): Promise<Member[]> {
    const facts = await people.facts(rows.map((row) => row.user_id))
    return rows.map((row) => ({
      gotrue_id: row.user_id,
      username: row.username,
      primary_email: row.primary_email,
      mfa_enabled: facts.get(row.user_id)?.mfaEnabled ?? false,
      is_sso_user: facts.get(row.user_id)?.isSsoUser ?? false,
      role_ids: [
        ...(row.role ? [roleId(row.role)] : []),
        ...held.filter(({ user_id }) => user_id === row.user_id).map(({ id }) => id),
      ],
      metadata: {},
    }))
  }

  async function get(slug: string, userId: string): Promise<Member> {
    const row = await store.find(slug, userId)
    const [member] = row ? await shape([row], await store.projectRoles(slug, userId)) : []
    if (!member) throw new ApiError('member_not_found')
    return member
  }

  /** Runs a change of one member under the organization's lock, with the audit entry of what came of it. */
  async function change(
    action: string,
    caller: Caller,
    origin: Origin,
    input: { slug: string; gotrue_id: string },
    run: (tx: Tx, found: Change) => Promise<void>,
  ): Promise<void> {
    await store.transaction(async (tx) => {
      const organization = await store.lock(tx, input.slug)
      if (!organization) throw new ApiError('organization_not_found')
      const read = async () => ({
        member: await store.find(input.slug, input.gotrue_id, tx),
        held: await store.projectRoles(input.slug, input.gotrue_id, tx),
      })
      const { member, held } = await read()
      if (!member) throw new ApiError('member_not_found')
      await run(tx, { organization, member, held })
      const after = await read()
      await record(tx, {
        organizationId: organization.id,
        actor: caller,
        action,
        target: `member:${input.gotrue_id}`,
        change: {
          before: { email: member.primary_email, ...wordsOf(member, held) },
          ...(after.member ? { after: wordsOf(after.member, after.held) } : {}),
        },
        origin,
      })
    })
  }

  /** The caller may take what the member has and give what is asked for, and somebody still owns the organization. */
  async function checkChange(
    tx: Tx,
    caller: Caller,
    { organization, member, held }: Change,
    next: readonly Assignment[],
  ): Promise<void> {
    const rows = await rowsWithin(tx, caller.userId, organization.slug)
    const roles = next.map(({ role }) => role)
    checkPower(
      rows,
      'write:Delete',
      'auth.subject_roles',
      organization.slug,
      rolesOf({ member, held }),
    )
    checkPower(rows, 'write:Create', 'auth.subject_roles', organization.slug, roles)
    checkPlan(organization.tier, next)
    const owns = next.some(({ role, refs }) => role === 'Owner' && refs === null)
    if (!owns) await checkOwnerRemains(tx, organization, member)
  }

  async function checkOwnerRemains(tx: Tx, organization: LockedOrganization, member: MemberRow) {
    if (member.role !== 'Owner') return
    if (await store.hasOtherOwner(tx, organization.id, member.user_id)) return
    throw new ApiError('last_owner')
  }

  async function projectIds(tx: Tx, organizationId: string, refs: readonly string[]) {
    const ids = await store.projectIds(tx, organizationId, refs)
    if (ids.length < new Set(refs).size) throw new ApiError('project_not_found')
    return ids
  }

  /** Instead of all that the member had. */
  async function give(
    tx: Tx,
    organizationId: string,
    userId: string,
    assignments: readonly Assignment[],
  ): Promise<void> {
    const whole = assignments.find(({ refs }) => refs === null)
    await store.setRole(tx, organizationId, userId, whole?.role ?? null)
    for (const { role, refs } of assignments) {
      if (!refs) continue
      const ids = await projectIds(tx, organizationId, refs)
      await store.addProjectRole(tx, organizationId, userId, role, ids)
    }
  }

  return {
    async list(slug: string): Promise<Member[]> {
      return shape(await store.list(slug), await store.projectRoles(slug))
    },

    async roles(slug: string): Promise<Output<typeof api.roles>> {
      return {
        org_scoped_roles: roleNames.map((name) => ({
          id: roleId(name),
          name,
          description: roleDescriptions[name],
          base_role_id: roleId(name),
          project_ids: null,
          projects: [],
        })),
        project_scoped_roles: (await store.projectRoles(slug)).map(
          ({ id, base_role, projects }) => ({
            id,
            name: base_role,
            description: roleDescriptions[base_role],
            base_role_id: roleId(base_role),
            project_ids: projects.map((project) => project.id),
            projects: projects.map(({ ref, name }) => ({ ref, name })),
          }),
        ),
      }
    },

    async update(caller: Caller, input: Parsed<typeof api.update>, origin: Origin) {
      const next = assignmentsOf(input)
      await change('members.update', caller, origin, input, async (tx, found) => {
        await checkChange(tx, caller, found, next)
        await give(tx, found.organization.id, found.member.user_id, next)
      })
      return get(input.slug, input.gotrue_id)
    },

    async setRoleProjects(
      caller: Caller,
      input: Parsed<typeof api.setRoleProjects>,
      origin: Origin,
    ) {
      await change('members.setRoleProjects', caller, origin, input, async (tx, found) => {
        const role = found.held.find(({ id }) => id === input.role_id)
        if (!role) throw new ApiError('role_not_found')
        const next = found.held.map(({ id, base_role, projects }) => ({
          role: base_role,
          refs: id === role.id ? input.role_scoped_projects : projects.map(({ ref }) => ref),
        }))
        await checkChange(tx, caller, found, next)
        const refs = input.role_scoped_projects
        const ids = await projectIds(tx, found.organization.id, refs)
        await store.setProjects(tx, role.id, found.member.user_id, ids)
      })
      return get(input.slug, input.gotrue_id)
    },

    async removeRole(caller: Caller, input: Parsed<typeof api.removeRole>, origin: Origin) {
      await change('members.removeRole', caller, origin, input, async (tx, found) => {
        const role = found.held.find(({ id }) => id === input.role_id)
        const whole = found.member.role && roleId(found.member.role) === input.role_id
        if (!role && !whole) throw new ApiError('role_not_found')
        const rows = await rowsWithin(tx, caller.userId, input.slug)
        checkPower(rows, 'write:Delete', 'auth.subject_roles', input.slug, rolesOf(found))
        if (!role || found.held.length === 1) throw new ApiError('last_role')
        await store.removeProjectRole(tx, role.id)
      })
      return get(input.slug, input.gotrue_id)
    },

    /** Takes a member out, or lets them leave. Their access ends with the transaction: every request asks anew. */
    async remove(caller: Caller, input: Parsed<typeof api.remove>, origin: Origin) {
      // The endpoint asks for no more than to see members; an app that may see them may not send them away.
      if (caller.limits) throw new ApiError('insufficient_scope')
      await change('members.remove', caller, origin, input, async (tx, found) => {
        if (found.member.user_id !== caller.userId) {
          const rows = await rowsWithin(tx, caller.userId, input.slug)
          checkPower(rows, 'write:Delete', 'auth.subject_roles', input.slug, rolesOf(found))
        }
        await checkOwnerRemains(tx, found.organization, found.member)
        await store.remove(tx, found.organization.id, found.member.user_id)
      })
      return { gotrue_id: input.gotrue_id }
    },

    /** Makes a person a member, in the transaction of what brings them in. False: they are one already. */
    async join(
      tx: Tx,
      organizationId: string,
      userId: string,
      assignment: { role: RoleName; projectIds: readonly string[] | null },
    ): Promise<boolean> {
      if (!(await store.add(tx, organizationId, userId))) return false
      if (assignment.projectIds === null) {
        await store.setRole(tx, organizationId, userId, assignment.role)
      } else {
        await store.addProjectRole(
          tx,
          organizationId,
          userId,
          assignment.role,
          assignment.projectIds,
        )
      }
      return true
    },

    /** Makes a person an owner instead of whatever they were before, in the transaction of what says so. */
    async makeOwner(tx: Tx, organizationId: string, userId: string): Promise<void> {
      await store.add(tx, organizationId, userId)
      await store.setRole(tx, organizationId, userId, 'Owner')
    },
  }
}
export type Members = ReturnType<typeof createMembers>
