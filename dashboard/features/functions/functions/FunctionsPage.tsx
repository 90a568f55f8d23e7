import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Zap } from 'lucide-react'
import { useState } from 'react'
import { v1Functions, type V1Function } from '#contract/v1/v1-functions'
import { functions } from '#contract/functions/functions'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { functionsQuery, ofFunctions, removedQuery } from './queries.ts'
import './functions.css'

/** /project/{ref}/functions: what the project runs. */
export function FunctionsPage({ projectRef }: { projectRef: string }) {
  const query = useQuery(functionsQuery(projectRef))
  const { data: project } = useQuery(projectQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const [typed, setTyped] = useState('')
  const denied = why(v1Functions.deployFunction)
  const needle = typed.trim().toLowerCase()
  const rows = query.data?.filter(({ slug, name }) =>
    `${slug} ${name}`.toLowerCase().includes(needle),
  )
  const make = denied ? (
    <Button variant="primary" icon={Plus} disabledReason={denied}>
      New function
    </Button>
  ) : (
    <Link
      to="/project/$ref/functions/new"
      params={{ ref: projectRef }}
      className={buttonClass({ variant: 'primary' })}
    >
      <Icon of={Plus} />
      New function
    </Link>
  )
  return (
    <Page>
      <PageHead
        title="Edge functions"
        help="TypeScript functions that answer requests, each at its own URL."
        actions={
          <>
            <SearchField label="Find a function" value={typed} onChange={setTyped} />
            {make}
          </>
        }
      />
      <div className="card">
        <Table
          label="Edge functions"
          columns={columns(projectRef, project?.public_url ?? '')}
          rows={rows}
          keyOf={({ id }) => id}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            <EmptyState icon={Zap} title={needle ? 'No function matches' : 'No functions yet'}>
              {needle
                ? `No function has “${typed.trim()}” in its name.`
                : 'Start with a template, or deploy from the command line.'}
            </EmptyState>
          }
        />
      </div>
      <RemovedFunctions projectRef={projectRef} denied={denied} />
    </Page>
  )
}

const columns = (ref: string, endpoint: string): Column<V1Function>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ slug }) => slug,
    cell: ({ slug }) => (
      <Link
        to="/project/$ref/functions/$functionSlug/code"
        params={{ ref, functionSlug: slug }}
        className="link mono"
      >
        {slug}
      </Link>
    ),
  },
  {
    id: 'url',
    head: 'URL',
    wideOnly: true,
    cell: ({ slug }) => {
      const url = `${endpoint}/functions/v1/${slug}`
      return (
        <span className="row">
          <span className="mono ell">{url}</span>
          <CopyButton text={url} what={`the URL of ${slug}`} />
        </span>
      )
    },
  },
  {
    id: 'updated',
    head: 'Updated',
    width: '140px',
    wideOnly: true,
    sortBy: ({ updated_at: at }) => at,
    cell: ({ updated_at: at }) => <Time at={new Date(at).toISOString()} />,
  },
  {
    id: 'version',
    head: 'Version',
    width: '90px',
    numeric: true,
    sortBy: ({ version }) => version,
    cell: ({ version }) => version,
  },
]

type Props = { projectRef: string; denied: string | undefined }

/** The trash, when something is in it. */
function RemovedFunctions({ projectRef, denied }: Props) {
  const { data } = useQuery(removedQuery(projectRef))
  const restore = useCall(functions.restore, {
    changes: ofFunctions,
    onSuccess: ({ slug }) => {
      toast.success(`${slug} is restored`)
    },
  })
  if (!data?.length) return null
  return (
    <div className="page-tail">
      <Card title="Deleted functions" padded={false}>
        {restore.error && <Alert variant="danger" title={restore.error.message} />}
        <Table
          label="Deleted functions"
          columns={[
            { id: 'name', head: 'Name', cell: ({ slug }) => <span className="mono">{slug}</span> },
            {
              id: 'at',
              head: 'Deleted',
              width: '140px',
              cell: ({ removed_at: at }) => <Time at={at} />,
            },
            {
              id: 'restore',
              head: 'Actions',
              hideHead: true,
              width: '120px',
              numeric: true,
              cell: ({ id }) => (
                <Button
                  disabledReason={denied}
                  busy={restore.isPending && restore.variables.id === id}
                  onClick={() => restore.mutate({ ref: projectRef, id })}
                >
                  Restore
                </Button>
              ),
            },
          ]}
          rows={data}
          keyOf={({ id }) => id}
          empty={null}
        />
      </Card>
    </div>
  )
}
