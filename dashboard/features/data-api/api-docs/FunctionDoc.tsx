import { useQuery } from '@tanstack/react-query'
import { FunctionSquare } from 'lucide-react'
import type { ApiFunction } from '#contract/projects/project-overview'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { functionQuery } from './queries.ts'
import type { View } from './resource.ts'
import { ExampleList } from './ExampleList.tsx'
import { type Access, functionExamples } from './examples.ts'

type Props = { projectRef: string; id: number; access: Access; language: View['language'] }

/** One function: what it takes and answers, and how a client calls it. */
export function FunctionDoc({ projectRef, id, access, language }: Props) {
  const { data, error, refetch } = useQuery(functionQuery(projectRef, id))
  if (error && !data)
    return <ErrorNote what="function" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="60%" />
  const [found] = data.functions
  if (!found)
    return (
      <EmptyState icon={FunctionSquare} title="This function is gone">
        It was dropped, or created again with a new ID. Choose it in the list.
      </EmptyState>
    )
  return (
    <>
      <p className={found.comment ? undefined : 'muted'}>
        {found.comment ?? 'No description yet.'}
      </p>
      <p>
        Returns <span className="mono">{found.returns}</span>
        {found.volatility === 'VOLATILE' ? ' and may change data.' : ' and only reads.'}
      </p>
      <div className="card">
        <Table
          label={`Arguments of ${found.name}`}
          rowHeight={32}
          keyOf={({ name }: Argument) => name}
          rows={found.args}
          empty={<p className="options-note">It takes no arguments.</p>}
          columns={[
            {
              id: 'name',
              head: 'Argument',
              cell: ({ name }) => <span className="mono">{name}</span>,
            },
            {
              id: 'type',
              head: 'Type',
              cell: ({ type }) => <span className="mono muted">{type}</span>,
            },
            {
              id: 'needed',
              head: 'On call',
              cell: ({ optional }) => (
                <span className="muted">{optional ? 'has a default' : 'required'}</span>
              ),
            },
          ]}
        />
      </div>
      <ExampleList examples={functionExamples(found, access)} language={language} />
    </>
  )
}
type Argument = ApiFunction['args'][number]
