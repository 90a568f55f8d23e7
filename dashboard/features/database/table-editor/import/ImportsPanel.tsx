import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { ImportCard } from './ImportCard.tsx'
import { importsQuery } from './imports-query.ts'

type Props = { projectRef: string; onClose: () => void }

/** The imports of the last day: those under way, wherever they were begun, and those that have ended. */
export function ImportsPanel({ projectRef, onClose }: Props) {
  const { data, error, refetch } = useQuery(importsQuery(projectRef))
  return (
    <SidePanel open size="large" onClose={onClose} title="Imports">
      {error && !data && <ErrorNote what="imports" error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <EmptyState icon={FileUp} title="No imports">
          Imports appear here and stay for a day after they end.
        </EmptyState>
      )}
      <ul className="imports">
        {data?.map((state) => (
          <ImportCard key={state.id} projectRef={projectRef} state={state} onLeave={onClose} />
        ))}
      </ul>
    </SidePanel>
  )
}
