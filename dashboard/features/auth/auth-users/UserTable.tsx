import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState, type ReactNode, useEffect, useRef } from 'react'
import { usersPageSize, type ListedUser } from '#contract/auth/auth-users'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { choiceColumn } from '../../../ui/lists/choice-column.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { neighboursOf, stepOf, type Arrangement } from './arrangement.ts'
import { userCountQuery, usersQuery } from './queries.ts'
import type { UserFilter } from './search.ts'
import { providersText, userName, userStatus } from './user-words.ts'

type Props = {
  projectRef: string
  filter: UserFilter
  arrangement: Arrangement
  chosen: ReadonlySet<string>
  onChosen: (ids: ReadonlySet<string>) => void
  /** Whose panel is open. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
  empty: ReactNode
  /** Shows one of them beside the others of the page, which are named. */
  panel: (page: readonly string[]) => ReactNode
}

/** The users in pages of fifty. Where a page begins is known from the page before, so a deep one is as quick as the first. */
export function UserTable({
  projectRef,
  filter,
  arrangement,
  chosen,
  onChosen,
  open,
  onOpen,
  empty,
  panel,
}: Props) {
  const withAddresses = !useDisabledFeatures()('authentication:show_email_phone_columns')
  const [cursors, setCursors] = useState<string[]>([])
  const query = useQuery({
    ...usersQuery(projectRef, filter, cursors.at(-1)),
    placeholderData: keepPreviousData,
  })
  const users = query.data?.users
  const next = query.data?.next
  // Until the next page is there the one before is shown, and what is said of it stays true.
  const [first, setFirst] = useState(1)
  const requested = cursors.length * usersPageSize + 1
  if (users && !query.isPlaceholderData && first !== requested) setFirst(requested)
  const shown = arrangement.order
    .filter((id) => !arrangement.hidden.includes(id) && (withAddresses || id !== 'phone'))
    .flatMap((id) => userColumns.filter((column) => column.id === id))
  const list = (
    <div className="card" aria-busy={query.isPlaceholderData || undefined}>
      <Table
        label="Users"
        columns={[
          choiceColumn({
            rows: users ?? [],
            label: 'Select all on this page',
            nameOf: userName,
            chosen,
            onChosen,
          }),
          addressColumn(open, onOpen, withAddresses),
          ...shown,
        ]}
        rows={users}
        keyOf={({ id }) => id}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={empty}
      />
      {users && users.length > 0 && (
        <div className="foot">
          <Count projectRef={projectRef} filter={filter} />
          <span className="grow" />
          <span>
            {numberText(first)} – {numberText(first + users.length - 1)}
          </span>
          <IconButton
            icon={ChevronLeft}
            iconSize="s"
            label="Previous page"
            disabledReason={cursors.length === 0 && 'This is the first page'}
            onClick={() => setCursors(cursors.slice(0, -1))}
          />
          <IconButton
            icon={ChevronRight}
            iconSize="s"
            label="Next page"
            disabledReason={!next && 'This is the last page'}
            onClick={() => next && !query.isPlaceholderData && setCursors([...cursors, next])}
          />
        </div>
      )}
    </div>
  )
  const page = (users ?? []).map(({ id }) => id)
  return <UsersBeside {...{ page, open, onOpen, list }} panel={panel(page)} />
}

/** By the planner's reckoning where there are many; exact for whoever wants to wait. */
function Count({ projectRef, filter }: Pick<Props, 'projectRef' | 'filter'>) {
  const [exact, setExact] = useState(false)
  const query = useQuery({
    ...userCountQuery(projectRef, filter, exact),
    placeholderData: keepPreviousData,
  })
  if (!query.data) return <span>{query.error?.message}</span>
  const { count, is_estimate: isEstimate } = query.data
  return (
    <>
      <span>
        {isEstimate && 'About '}
        {numberText(count)} {count === 1 ? 'user' : 'users'}
      </span>
      {isEstimate && (
        <Button variant="ghost" busy={query.isFetching} onClick={() => setExact(true)}>
          Count exactly
        </Button>
      )}
    </>
  )
}

type UsersBesideProps = {
  /** The users of the list's page, in its order. */
  page: readonly string[]
  /** Whose panel is open. */
  open: string | undefined
  onOpen: (id: string | undefined) => void
  list: ReactNode
  panel: ReactNode
}

/** The list and the panel of one user beside it, with the keys that go from one to the next. */
function UsersBeside({ page, open, onOpen, list, panel }: UsersBesideProps) {
  const box = useRef<HTMLDivElement>(null)
  const latest = useRef({ page, open, onOpen })
  useEffect(() => {
    latest.current = { page, open, onOpen }
  })
  useEffect(() => {
    const buttonOf = (id: string) =>
      box.current?.querySelector<HTMLElement>(`[data-user="${CSS.escape(id)}"]`)

    function press(event: KeyboardEvent) {
      const { target } = event
      if (event.defaultPrevented || !(target instanceof HTMLElement)) return
      // What had the focus can go with the user it was about: then the page itself has it. A dialog has its own keys.
      if (target !== document.body && !box.current?.contains(target)) return
      const { page, open, onOpen } = latest.current
      const inList = target.closest<HTMLElement>('[data-user]')?.dataset['user']
      const step = stepOf(event, inList !== undefined)
      if (step === 'close') {
        if (open === undefined) return
        onOpen(undefined)
        // Whose panel it was: the focus may have been in it.
        buttonOf(open)?.focus()
        return
      }
      const from = inList ?? open
      const to = step && from !== undefined ? neighboursOf(page, from)[step] : undefined
      if (to === undefined) return
      event.preventDefault()
      if (inList !== undefined) buttonOf(to)?.focus()
      if (open !== undefined) onOpen(to)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <div className="users-beside" ref={box}>
      {list}
      {panel}
    </div>
  )
}

const none = <span className="faint">None</span>
const text = (value: string | null) =>
  value ? <span className="ell users-text">{value}</span> : none
const time = (at: string | null, never: string) =>
  at ? <Time at={at} /> : <span className="faint">{never}</span>

/** Every column but the address, which is always there and opens the user. */
export const userColumns: Column<ListedUser>[] = [
  {
    id: 'id',
    head: 'User ID',
    width: '140px',
    cell: ({ id }) => (
      <span className="mono t12 muted" title={id}>
        {id.slice(0, 13)}…
      </span>
    ),
  },
  { id: 'name', head: 'Display name', cell: ({ name }) => text(name) },
  { id: 'phone', head: 'Phone', width: '140px', cell: ({ phone }) => text(phone) },
  {
    id: 'providers',
    head: 'Provider',
    cell: (user) => <span className="muted">{providersText(user)}</span>,
  },
  {
    id: 'status',
    head: 'Status',
    cell: (user) => {
      const { word, tone } = userStatus(user, new Date())
      return tone ? <Status tone={tone}>{word}</Status> : <span className="muted">{word}</span>
    },
  },
  {
    id: 'type',
    head: 'Type',
    cell: (user) => (
      <span className="muted">
        {user.is_sso_user ? 'Single sign-on' : user.is_anonymous ? 'Anonymous' : 'Own account'}
      </span>
    ),
  },
  { id: 'role', head: 'Role', cell: ({ role }) => <span className="mono t12">{role}</span> },
  {
    id: 'created_at',
    head: 'Created',
    width: '104px',
    numeric: true,
    cell: ({ created_at: at }) => time(at, 'unknown'),
  },
  {
    id: 'updated_at',
    head: 'Changed',
    width: '104px',
    numeric: true,
    cell: ({ updated_at: at }) => time(at, 'unknown'),
  },
  {
    id: 'last_sign_in_at',
    head: 'Last sign-in',
    width: '104px',
    numeric: true,
    cell: ({ last_sign_in_at: at }) => time(at, 'never'),
  },
]

export const firstArrangement: Arrangement = {
  order: userColumns.map(({ id }) => id),
  hidden: ['type', 'role', 'updated_at'],
}

/** The column that is always there; without addresses where the operator hides them. */
const addressColumn = (
  open: string | undefined,
  onOpen: (id: string) => void,
  withAddresses: boolean,
): Column<ListedUser> => ({
  id: 'email',
  head: withAddresses ? 'Email' : 'User',
  cell: (user) => (
    <button
      type="button"
      className="link users-open ell"
      data-user={user.id}
      aria-current={user.id === open || undefined}
      onClick={() => onOpen(user.id)}
    >
      {(withAddresses && user.email) || (
        <span className="faint">
          {userName(withAddresses ? user : { ...user, email: null, phone: null })}
        </span>
      )}
    </button>
  ),
})
