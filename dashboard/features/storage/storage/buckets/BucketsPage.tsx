import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Archive, Plus, SearchX } from 'lucide-react'
import { useState } from 'react'
import { storage, type StorageBucket } from '#contract/storage/storage'
import { policiesOf } from '../../../../session/project/bucket-policies.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { numberText, bytesText } from '../../../../ui/text/number.ts'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../../ui/lists/Table.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { BucketDialog, BucketMenu } from './BucketMenu.tsx'
import { StorageJobs } from '../StorageJobs.tsx'
import { bucketsQuery, filesTableQuery, usageQuery } from '../queries.ts'
import '../storage.css'

type Props = {
  projectRef: string
  /** Where a bucket opens: the two interfaces have addresses of their own. */
  home: 'buckets' | 'files'
}
type Line = StorageBucket & Record<'objects' | 'bytes' | 'policies', number | undefined>

/** /project/{ref}/storage/buckets and, in the new interface, /project/{ref}/storage/files. */
export function BucketsPage({ projectRef, home }: Props) {
  const query = useQuery(bucketsQuery(projectRef))
  // Counting reads every object: the list does not wait for it.
  const { data: usage } = useQuery(usageQuery(projectRef))
  const { data: guarded } = useQuery(filesTableQuery(projectRef))
  const policies = guarded?.tables.find(({ name }) => name === 'objects')?.policies
  const [typed, setTyped] = useState('')
  const [making, setMaking] = useState(false)
  const denied = useDenials(useProject(projectRef))(storage.createBucket)
  const { buckets, largest = 0 } = query.data ?? {}
  const needle = typed.trim().toLowerCase()
  const used = new Map(usage?.buckets.map((one) => [one.id, one]))
  const rows = buckets
    ?.filter(({ name }) => name.toLowerCase().includes(needle))
    .map((one): Line => {
      const { objects, bytes } = used.get(one.id) ?? {}
      return { ...one, objects, bytes, policies: policies && policiesOf(one.id, policies).length }
    })
  const create = (
    <Button variant="primary" icon={Plus} disabledReason={denied} onClick={() => setMaking(true)}>
      New bucket
    </Button>
  )
  return (
    <Page>
      <PageHead
        title={home === 'files' ? 'Files' : 'Buckets'}
        help="Buckets hold files; policies control who can read and write them."
        actions={
          <>
            <SearchField label="Find a bucket" value={typed} onChange={setTyped} />
            {create}
          </>
        }
      />
      <StorageJobs projectRef={projectRef} />
      <div className="card">
        <Table
          label="Buckets"
          columns={columns(projectRef, home, largest)}
          rows={rows}
          keyOf={({ id }) => id}
          startOrder={{ column: 'name', descending: false }}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            needle ? (
              <EmptyState icon={SearchX} title="No bucket matches">
                No name contains “{typed.trim()}”.
              </EmptyState>
            ) : (
              <EmptyState icon={Archive} title="No buckets yet" action={create}>
                A bucket holds files of any kind: profile pictures, videos, documents.
              </EmptyState>
            )
          }
        />
      </div>
      {making && (
        <BucketDialog
          projectRef={projectRef}
          taken={buckets?.map(({ id }) => id) ?? []}
          largest={largest}
          onClose={() => setMaking(false)}
        />
      )}
    </Page>
  )
}

const columns = (ref: string, home: Props['home'], largest: number): Column<Line>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: ({ id, name, public: isPublic }) => (
      <span className="row">
        <Link
          to={`/project/$ref/storage/${home}/$bucket`}
          params={{ ref, bucket: id }}
          className="link mono ell"
        >
          {name}
        </Link>
        {isPublic && <Badge tone="warning">Public</Badge>}
      </span>
    ),
  },
  {
    id: 'objects',
    head: 'Files',
    width: '90px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ objects }) => objects ?? 0,
    cell: ({ objects }) => (objects === undefined ? '' : numberText(objects)),
  },
  {
    id: 'bytes',
    head: 'Size',
    width: '90px',
    numeric: true,
    sortBy: ({ bytes }) => bytes ?? 0,
    cell: ({ bytes }) => (bytes === undefined ? '' : bytesText(bytes)),
  },
  {
    id: 'policies',
    head: 'Policies',
    width: '90px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ policies }) => policies ?? 0,
    cell: ({ policies }) =>
      policies === 0 ? (
        <span className="muted">None</span>
      ) : policies === undefined ? (
        ''
      ) : (
        <Link to="/project/$ref/storage/policies" params={{ ref }} className="link">
          {numberText(policies)}
        </Link>
      ),
  },
  {
    id: 'limit',
    head: 'Size limit',
    width: '110px',
    numeric: true,
    wideOnly: true,
    sortBy: ({ file_size_limit: limit }) => limit ?? largest,
    cell: ({ file_size_limit: limit }) =>
      limit === null ? <span className="muted">{bytesText(largest)}</span> : bytesText(limit),
  },
  {
    id: 'types',
    head: 'Types',
    wideOnly: true,
    cell: ({ allowed_mime_types: types }) =>
      types ? (
        <span className="mono ell" title={types.join(', ')}>
          {types.join(', ')}
        </span>
      ) : (
        <span className="muted">All</span>
      ),
  },
  {
    id: 'created',
    head: 'Created',
    width: '130px',
    wideOnly: true,
    sortBy: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '48px',
    numeric: true,
    cell: (bucket) => <BucketMenu projectRef={ref} bucket={bucket} largest={largest} />,
  },
]
