import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { planNames } from '#contract/billing/plans'
import { members } from '#contract/organizations/members'
import { roleNames, type RoleName } from '#contract/permissions'
import { roleDescriptions, roleId, rolesByPlan } from '#contract/roles'
import { useCall } from '../../../api/client.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { organizationProjectsQuery } from '../../../session/project/project-lists.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import type { Option } from '../../../ui/controls/options.ts'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select, SelectField } from '../../../ui/controls/Select.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import {
  accessOf,
  bodyOf,
  changesBetween,
  incomplete,
  rolesHeld,
  rolesIn,
  type Access,
  withRole,
  withProject,
  type Line,
  type MemberRow,
} from './access.ts'
import { ofTeam } from './queries.ts'

type Props = {
  slug: string
  choice: RoleChoice
  access: Access
  onAccess: (access: Access) => void
  /** Each project can have another role. */
  mixed: boolean
}

/** Where somebody may work, and as what. */
export function AccessFields({ slug, choice, access, onAccess, mixed }: Props) {
  const { everywhere, role } = access
  return (
    <>
      <RadioGroup label="Access to">
        <Radio
          name="where"
          label="All projects"
          help="Including projects created later, and the organization itself."
          checked={everywhere}
          onChange={() => onAccess({ ...access, everywhere: true })}
        />
        <Radio
          name="where"
          label="Single projects"
          help={choice.noProjects ?? 'Other projects stay hidden.'}
          disabled={choice.noProjects !== undefined}
          checked={!everywhere}
          onChange={() => onAccess({ ...access, everywhere: false })}
        />
      </RadioGroup>
      {(everywhere || !mixed) && (
        <SelectField
          label="Role"
          help={choice.help(role)}
          error={choice.giving(role)}
          options={choice.options}
          value={role}
          onChange={(next) => onAccess(withRole(access, next))}
        />
      )}
      {!everywhere && (
        <ProjectChoice
          slug={slug}
          access={access}
          onAccess={onAccess}
          options={mixed ? choice.options : undefined}
        />
      )}
    </>
  )
}

type ProjectChoiceProps = {
  slug: string
  access: Access
  onAccess: (access: Access) => void
  /** Given when each project can have another role. */
  options: readonly Option<RoleName>[] | undefined
}

/** The projects of an organization to choose from, those first that are chosen when the list opens. */
function ProjectChoice({ slug, access, onAccess, options }: ProjectChoiceProps) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const [first] = useState(() => [...access.projects].map(([ref, { name }]) => ({ ref, name })))
  const query = useInfiniteQuery({
    ...organizationProjectsQuery(slug, search),
    placeholderData: keepPreviousData,
  })
  const read = query.data?.pages.flatMap((page) => page.projects)
  const top = search ? [] : first
  const rows = read && [
    ...top,
    ...read.filter(({ ref }) => !top.some((chosen) => chosen.ref === ref)),
  ]
  return (
    <fieldset className="field">
      <legend className="label pick-legend">
        Projects <span className="muted plain">{access.projects.size} chosen</span>
      </legend>
      <div className="pick">
        <div className="pick-head">
          <SearchField label="Find a project" keys={false} value={typed} onChange={setTyped} />
        </div>
        {query.error && !read ? (
          <ErrorNote what="projects" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <ul className="pick-list scroll" aria-busy={!rows || undefined}>
            {rows?.map(({ ref, name }) => {
              const chosen = access.projects.get(ref)
              const choose = (role: RoleName | undefined) =>
                onAccess(withProject(access, { ref, name }, role))
              return (
                <li key={ref} className="row">
                  <span className="grow ell">
                    <Checkbox
                      label={name}
                      checked={chosen !== undefined}
                      onChange={(event) => choose(event.target.checked ? access.role : undefined)}
                    />
                  </span>
                  {options && chosen && (
                    <span className="pick-role">
                      <Select
                        label={`Role in ${name}`}
                        size="tool"
                        options={options}
                        value={chosen.role}
                        onChange={choose}
                      />
                    </span>
                  )}
                </li>
              )
            }) ?? (
              <li className="row">
                <Skeleton width={160} />
              </li>
            )}
            {rows?.length === 0 && (
              <li className="muted">
                {search ? `No project has “${search}” in its name` : 'No projects yet'}
              </li>
            )}
          </ul>
        )}
        {query.hasNextPage && (
          <div className="pick-foot">
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

type AccessPanelProps = { slug: string; member: MemberRow; onClose: () => void }

/** What one member may do, in the organization or in each of its projects, and what would change. */
export function AccessPanel({ slug, member, onClose }: AccessPanelProps) {
  const choice = useRoleChoice(slug)
  const [before] = useState(() => accessOf(member))
  const [access, setAccess] = useState(before)
  const changes = changesBetween(before, access)
  const save = useCall(members.update, {
    changes: ofTeam,
    onSuccess: () => {
      toast.success(`The access of ${member.primary_email} is changed`)
      onClose()
    },
  })
  const refusal = rolesIn(access)
    .map((role) => choice.giving(role))
    .find((reason) => reason !== undefined)
  return (
    <FormPanel
      title={`Access of ${member.primary_email}`}
      size="large"
      verb="Save access"
      disabled={changes.length === 0}
      reason={incomplete(access) ?? choice.taking(member) ?? refusal}
      pending={save.isPending}
      onSubmit={() => save.mutate({ slug, gotrue_id: member.gotrue_id, ...bodyOf(access) })}
      onClose={onClose}
    >
      <AccessFields
        slug={slug}
        choice={choice}
        access={access}
        onAccess={setAccess}
        mixed={choice.perProject === 'custom'}
      />
      <Changes lines={changes} />
      {save.error && (
        <p className="err" role="alert">
          {save.error.message}
        </p>
      )}
    </FormPanel>
  )
}

function Changes({ lines }: { lines: readonly Line[] }) {
  if (lines.length === 0) return null
  return (
    <section className="field" aria-label="What changes">
      <h3 className="label">What changes</h3>
      <ul className="lost changes">
        {lines.map(({ where, before, after }) => (
          <li key={where}>
            <span className="grow ell">{where}</span>
            <span className="muted">{before}</span>
            <Icon of={ArrowRight} size="s" />
            <span className="sr">becomes</span>
            <span>{after}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the reader may do with roles here, from the plan and from the same rows that the server decides by. */
export function useRoleChoice(slug: string) {
  const { plan } = useOrganization(slug)
  const why = useDenials({ organizationSlug: slug })
  const offer = rolesByPlan[plan.id]
  const about = (role: RoleName) => ({ resource: { role_id: roleId(role) } })

  /** Why the reader may not give this role; undefined when they may. */
  const giving = (role: RoleName) =>
    offer.roles.includes(role)
      ? why(members.update, about(role))
      : `The ${planNames[plan.id]} plan has no ${role} role; Team has`

  /** Why the reader may not change or remove this member; undefined when they may. */
  const taking = (member: MemberRow) =>
    rolesHeld(member)
      .map((role) => why(members.removeRole, about(role)))
      .find((reason) => reason !== undefined)

  return {
    giving,
    taking,
    perProject: offer.perProject,
    /** Why there are no roles for single projects; undefined when there are. */
    noProjects:
      offer.perProject === 'none'
        ? `Roles for single projects come with the ${planNames.team} plan`
        : undefined,
    options: roleNames.map((role): Option<RoleName> => ({
      value: role,
      label: role,
      disabledReason: giving(role),
    })),
    help: (role: RoleName) => roleDescriptions[role],
  }
}
export type RoleChoice = ReturnType<typeof useRoleChoice>
