import { useQuery } from '@tanstack/react-query'
import { SquareTerminal } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { useOpenSql } from '../../../modules/sql/open-sql.ts'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { definitionQuery } from './queries.ts'

type Props = { projectRef: string; entity: EntityDetail }

/** The SQL that would make the table again. */
export function Definition({ projectRef, entity }: Props) {
  const { data, error, refetch } = useQuery(definitionQuery(projectRef, entity.id))
  const sql = useOpenSql(projectRef)
  return (
    <div className="definition scroll">
      {error && !data ? (
        <ErrorNote what="definition" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton width={320} />
      ) : (
        <>
          <div className="row">
            <span className="muted t12">As Postgres prints it, with indexes and policies.</span>
            <span className="grow" />
            {sql.error && <span className="err ell">{sql.error.message}</span>}
            <Button
              icon={SquareTerminal}
              busy={sql.busy}
              onClick={() => sql.open(`Definition of ${entity.name}`, data.sql)}
            >
              Open in the SQL editor
            </Button>
          </div>
          <CodeBlock code={data.sql} language="sql" what="SQL definition" />
        </>
      )}
    </div>
  )
}
