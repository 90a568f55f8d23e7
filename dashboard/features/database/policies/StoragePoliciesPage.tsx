import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Plus } from 'lucide-react'
import { databasePolicies, type GuardedTable } from '#contract/database/database-policies'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { storage } from '#contract/storage/storage'
import { q } from '../../../api/client.ts'
import { policiesOf } from '../../../session/project/bucket-policies.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type { PolicyTemplate } from './policy-draft.ts'
import { PolicyList, type Written } from './PolicyList.tsx'
import { guardedTablesQuery } from './queries.ts'
import { storageTemplates } from './service-templates.ts'
import './policies.css'

/** /project/{ref}/storage/policies: who reads and writes which files, bucket by bucket. */
export function StoragePoliciesPage({ projectRef }: { projectRef: string }) {
  const query = useInfiniteQuery(guardedTablesQuery(projectRef, 'storage', ''))
  const list = useQuery(q(storage.buckets, { ref: projectRef }))
  const [typed, setTyped] = useState('')
  const locked = useDenials(useProject(projectRef))(databasePolicies.create)
  const tables = query.data?.pages.flatMap((page) => page.tables) ?? []
  const table = (name: string) => tables.find((one) => one.name === name)
  const [objects, ofBuckets] = [table('objects'), table('buckets')]
  const needle = typed.trim().toLowerCase()
  const buckets = list.data?.buckets.filter(({ name }) => name.toLowerCase().includes(needle))
  const error = query.error ?? list.error
  const common = { projectRef, locked }
  return (
    <Page>
      <PageHead
        title="Storage policies"
        help="Row level security for files: without a policy, only secret keys can read and write."
        actions={<SearchField label="Find a bucket" value={typed} onChange={setTyped} />}
      />
      {error && (
        <ErrorNote
          what="Policies"
          error={error}
          onRetry={() => {
            void query.refetch()
            void list.refetch()
          }}
        />
      )}
      {!error && (!objects || !buckets) && <Skeleton width="40%" />}
      {objects &&
        buckets?.map(({ id, name, public: isPublic }) => (
          <BucketPolicies
            key={id}
            {...common}
            title={name}
            isPublic={isPublic}
            table={objects}
            policies={policiesOf(id, objects.policies)}
            templates={storageTemplates(id)}
          />
        ))}
      {objects && list.data && (
        <Others
          {...common}
          title="Other policies of files"
          table={objects}
          policies={objects.policies.filter(
            (one) => !list.data.buckets.some(({ id }) => policiesOf(id, [one]).length > 0),
          )}
        />
      )}
      {ofBuckets && (
        <Others
          {...common}
          title="Policies of buckets themselves"
          table={ofBuckets}
          policies={ofBuckets.policies}
        />
      )}
    </Page>
  )
}

type OthersProps = {
  projectRef: string
  locked: string | undefined
  title: string
  table: GuardedTable
  policies: Policy[]
}

const Others = (props: OthersProps) => <BucketPolicies {...props} isPublic={false} />

type Props = {
  projectRef: string
  /** Why nothing can be changed here. */
  locked: string | undefined
  title: string
  isPublic: boolean
  table: GuardedTable
  policies: Policy[]
  templates?: PolicyTemplate[]
}

/** The policies that speak of one bucket. */
function BucketPolicies({
  projectRef,
  locked,
  title,
  isPublic,
  table,
  policies,
  templates,
}: Props) {
  const [written, setWritten] = useState<Written>()
  const review = useReview(projectRef, databasePolicies.tables)
  return (
    <section className="card policy-table" aria-label={title}>
      <header>
        <h2 className="ell">{title}</h2>
        {isPublic && <Badge tone="warning">Public</Badge>}
        <div className="end">
          <Button icon={Plus} disabledReason={locked} onClick={() => setWritten({})}>
            New policy
          </Button>
        </div>
      </header>
      <PolicyList
        {...{ projectRef, table, policies, locked, templates, review }}
        none="No policies."
        written={written}
        onWrite={setWritten}
      />
    </section>
  )
}
