import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { RoleName } from '#contract/permissions'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { organizationProjectsQuery } from '../../../session/project/project-lists.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import type { Option } from '../../../ui/controls/options.ts'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select, SelectField } from '../../../ui/controls/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type Access, withRole, withProject } from './access.ts'
import type { RoleChoice } from './use-role-choice.ts'

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
