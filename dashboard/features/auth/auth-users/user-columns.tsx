import type { ListedUser } from '#contract/auth/auth-users'
import { Status } from '../../../ui/text/Status.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import type { Arrangement } from './arrangement.ts'
import { providersText, userName, userStatus } from './user-words.ts'

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
export const addressColumn = (
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
