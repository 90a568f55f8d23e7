import { useQuery } from '@tanstack/react-query'
import {
  ChevronDown,
  Mail,
  Plus,
  RefreshCw,
  SearchX,
  UserPlus,
  UsersRound,
  ArrowDown,
  ArrowUp,
  Columns3,
} from 'lucide-react'
import { useState } from 'react'
import { authUsers, maxDeleted } from '#contract/auth/auth-users'
import { forget } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { useArrangement, type Arrangement } from './arrangement.ts'
import { CreateUserDialog, InviteDialog, DeleteUsersDialog } from './UserDialogs.tsx'
import { ofUsers, usersQuery } from './queries.ts'
import type { UserFilter } from './search.ts'
import { UserFilters } from './UserFilters.tsx'
import { UserPanel } from './UserPanel.tsx'
import { firstArrangement, userColumns, UserTable } from './UserTable.tsx'
import '../../../ui/lists/list-page.css'
import './auth-users.css'

type Props = {
  projectRef: string
  filter: UserFilter
  onFilter: (filter: UserFilter) => void
}

/** /project/{ref}/auth/users: who has an account in the project's own auth service. */
export function UsersPage({ projectRef, filter, onFilter }: Props) {
  const { user: open, ...narrowing } = filter
  const { q, state, provider } = narrowing
  const key = JSON.stringify(narrowing)
  const first = useQuery(usersQuery(projectRef, narrowing))
  const why = useDenials(useProject(projectRef))
  const off = useDisabledFeatures()
  const [dialog, setDialog] = useState<'create' | 'invite' | 'delete'>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [arrangement, arrange] = useArrangement(
    `plinth.auth-users-columns.${projectRef}`,
    firstArrangement,
  )
  const change = (next: UserFilter) => {
    setChosen(new Set())
    onFilter(next)
  }
  const close = () => setDialog(undefined)
  const deniedToCreate = why(authUsers.create)
  const tooMany =
    chosen.size > maxDeleted && `At most ${numberText(maxDeleted)} users can be deleted at once`
  return (
    <Page>
      <PageHead
        title="Users"
        help="Who has an account in this project, and how they sign in."
        actions={
          <>
            <IconButton
              icon={RefreshCw}
              variant="secondary"
              label="Refresh"
              onClick={() => void forget(...ofUsers)}
            />
            <ColumnChooser value={arrangement} onChange={arrange} />
            <Menu
              label="Add user"
              align="end"
              trigger={
                <Button variant="primary" icon={Plus}>
                  Add user
                  <ChevronDown size={12} aria-hidden />
                </Button>
              }
            >
              <MenuItem
                icon={UserPlus}
                disabledReason={deniedToCreate}
                onSelect={() => setDialog('create')}
              >
                Create a user
              </MenuItem>
              {!off('authentication:show_send_invitation') && (
                <MenuItem
                  icon={Mail}
                  disabledReason={why(authUsers.invite)}
                  onSelect={() => setDialog('invite')}
                >
                  Send an invitation
                </MenuItem>
              )}
            </Menu>
          </>
        }
      />
      <UserFilters filter={narrowing} capped={first.data?.capped ?? false} onFilter={change} />
      {chosen.size > 0 && (
        <div className="users-chosen">
          <output>
            {numberText(chosen.size)} {chosen.size === 1 ? 'user' : 'users'} selected
          </output>
          <Button variant="ghost" onClick={() => setChosen(new Set())}>
            Clear selection
          </Button>
          <Button
            variant="danger-quiet"
            disabledReason={why(authUsers.removeMany) ?? tooMany}
            onClick={() => setDialog('delete')}
          >
            Delete selected
          </Button>
        </div>
      )}
      <UserTable
        key={key}
        projectRef={projectRef}
        filter={narrowing}
        arrangement={arrangement}
        chosen={chosen}
        onChosen={setChosen}
        open={open}
        onOpen={(user) => onFilter({ ...filter, user })}
        panel={(page) => (
          <UserPanel
            projectRef={projectRef}
            id={open}
            page={page}
            onOpen={(user) => onFilter({ ...filter, user })}
            onClose={() => onFilter({ ...filter, user: undefined })}
          />
        )}
        empty={
          q || state || provider ? (
            <EmptyState
              icon={SearchX}
              title="No user found"
              action={<Button onClick={() => change({})}>Clear filters</Button>}
            >
              No users match.
            </EmptyState>
          ) : (
            <EmptyState
              icon={UsersRound}
              title="No users yet"
              action={
                <Button
                  variant="primary"
                  icon={Plus}
                  disabledReason={deniedToCreate}
                  onClick={() => setDialog('create')}
                >
                  Create a user
                </Button>
              }
            >
              Users appear here as soon as they sign up.
            </EmptyState>
          )
        }
      />
      {dialog === 'create' && <CreateUserDialog projectRef={projectRef} onClose={close} />}
      {dialog === 'invite' && <InviteDialog projectRef={projectRef} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteUsersDialog
          projectRef={projectRef}
          ids={[...chosen]}
          onDeleted={() => {
            setChosen(new Set())
            close()
          }}
          onClose={close}
        />
      )}
    </Page>
  )
}

type ColumnChooserProps = { value: Arrangement; onChange: (next: Arrangement | undefined) => void }

/** Which columns are shown, and in which order. */
function ColumnChooser({ value, onChange }: ColumnChooserProps) {
  const off = useDisabledFeatures()
  const { order, hidden } = value
  const headOf = (id: string) => userColumns.find((column) => column.id === id)?.head ?? id
  const move = (at: number, by: -1 | 1) => {
    const next = [...order]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    onChange({ order: next, hidden })
  }
  return (
    <Popover
      label="Columns"
      align="end"
      trigger={<IconButton icon={Columns3} variant="secondary" label="Columns" />}
    >
      <div className="users-columns">
        <ul>
          {order.map((id, at) =>
            id === 'phone' && off('authentication:show_email_phone_columns') ? null : (
              <li key={id}>
                <Checkbox
                  label={headOf(id)}
                  checked={!hidden.includes(id)}
                  onChange={({ target }) =>
                    onChange({
                      order,
                      hidden: target.checked ? hidden.filter((one) => one !== id) : [...hidden, id],
                    })
                  }
                />
                <span className="grow" />
                <IconButton
                  icon={ArrowUp}
                  iconSize="s"
                  label={`Move ${headOf(id)} to the left`}
                  disabledReason={at === 0 && 'This is the first column'}
                  onClick={() => move(at, -1)}
                />
                <IconButton
                  icon={ArrowDown}
                  iconSize="s"
                  label={`Move ${headOf(id)} to the right`}
                  disabledReason={at === order.length - 1 && 'This is the last column'}
                  onClick={() => move(at, 1)}
                />
              </li>
            ),
          )}
        </ul>
        <Button variant="ghost" onClick={() => onChange(undefined)}>
          Reset columns
        </Button>
      </div>
    </Popover>
  )
}
