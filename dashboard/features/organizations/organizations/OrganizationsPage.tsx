import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2, ChevronRight, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { Organization } from '#contract/organizations/organizations'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { profileQuery, useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Avatar } from '../../../ui/text/Avatar.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import './organizations.css'
import { numberText } from '../../../ui/text/number.ts'

type Props = {
  /** The slug that a link named and that does not exist for this person. */
  notFound: string | undefined
}

/** /organizations: every organization the reader belongs to. */
export function OrganizationsPage({ notFound }: Props) {
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const { data: profile } = useSuspenseQuery(profileQuery)
  const [typed, setTyped] = useState('')
  const search = typed.trim().toLowerCase()
  const found = organizations.filter(({ name, slug }) =>
    `${name} ${slug}`.toLowerCase().includes(search),
  )
  return (
    <Page width="list">
      <PageHead
        title="Organizations"
        help="Each has its own members, projects and bill."
        actions={
          organizations.length > 0 && (
            <>
              <SearchField label="Find an organization" value={typed} onChange={setTyped} />
              <NewOrganization />
            </>
          )
        }
      />
      <div className="sections">
        {notFound !== undefined && (
          <Alert variant="danger" title="We couldn't find that organization">
            {notFound && <span className="mono">{notFound}</span>} does not exist, or you are not a
            member of it.
          </Alert>
        )}
        <div className="card orgs">
          <Table
            label="Organizations"
            columns={columns}
            rows={found}
            keyOf={({ slug }) => slug}
            rowHeight={60}
            empty={organizations.length === 0 ? <NoOrganizations /> : <NoneFound typed={typed} />}
          />
        </div>
        <p className="muted t12">
          Looking for a colleague's organization? Ask an owner to invite{' '}
          <span className="mono">{profile.primary_email}</span>.
        </p>
      </div>
    </Page>
  )
}

const columns: Column<Organization>[] = [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ name, slug }) => (
      <span className="row org-name">
        <Avatar name={name} square size={32} />
        <span className="org-words">
          <Link className="cover med ell" to="/org/$slug" params={{ slug }}>
            {name}
          </Link>
          <span className="mono faint ell">{slug}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'plan',
    head: 'Plan',
    sortBy: ({ plan }) => plan.name,
    cell: ({ plan }) => <Badge>{plan.name}</Badge>,
  },
  {
    id: 'projects',
    head: 'Projects',
    numeric: true,
    sortBy: (o) => o.project_count,
    cell: (o) => numberText(o.project_count),
  },
  {
    id: 'members',
    head: 'Members',
    numeric: true,
    wideOnly: true,
    sortBy: (o) => o.member_count,
    cell: (o) => numberText(o.member_count),
  },
  {
    id: 'role',
    head: 'Your role',
    wideOnly: true,
    sortBy: ({ role }) => role ?? '',
    cell: ({ role }) => <span className="muted">{role ?? 'In some projects'}</span>,
  },
  {
    id: 'open',
    head: 'Open',
    hideHead: true,
    numeric: true,
    wideOnly: true,
    cell: () => <Icon of={ChevronRight} size="s" className="faint" />,
  },
]

function NewOrganization() {
  const off = useDisabledFeatures()
  if (off('organizations:create'))
    return (
      <Button
        variant="primary"
        icon={Plus}
        disabledReason="New organizations are switched off here"
      >
        New organization
      </Button>
    )
  return (
    <Link to="/new" className={buttonClass({ variant: 'primary' })}>
      <Icon of={Plus} />
      New organization
    </Link>
  )
}

const NoOrganizations = () => (
  <EmptyState icon={Building2} title="No organizations yet" action={<NewOrganization />}>
    An organization holds your projects, the people who work on them, and one bill.
  </EmptyState>
)

const NoneFound = ({ typed }: { typed: string }) => (
  <EmptyState icon={SearchX} title="No organization found">
    No name contains “{typed.trim()}”.
  </EmptyState>
)
