import { useQuery } from '@tanstack/react-query'
import { ServerCog } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Backups } from '#contract/projects/backups'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { backupsQuery } from './queries.ts'

type Props = { projectRef: string; children: (data: Backups) => ReactNode }

/** What is known of a project's backups, or why nothing is. */
export function WithBackups({ projectRef, children }: Props) {
  const { data, error, refetch } = useQuery(backupsQuery(projectRef))
  if (error && !data)
    return <ErrorNote what="Backups" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div className="card">
        <div className="pad">
          <Skeleton width="100%" height={200} />
        </div>
      </div>
    )
  if (!data.walg_enabled)
    return (
      <div className="card">
        <EmptyState icon={ServerCog} title="This database is backed up by its operator">
          Someone else runs its server, which existed before: you cannot copy or restore it from
          here.
        </EmptyState>
      </div>
    )
  return children(data)
}
