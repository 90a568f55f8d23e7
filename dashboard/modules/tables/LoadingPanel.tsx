import type { ReactNode } from 'react'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { SidePanel } from '../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

type Props = {
  title: ReactNode
  query: { error: Error | null; refetch: () => unknown }
  onClose: () => void
}

/** A panel while what it is about is being read. */
export function LoadingPanel({ title, query, onClose }: Props) {
  return (
    <SidePanel open size="xxlarge" title={title} onClose={onClose}>
      {query.error ? (
        <ErrorNote what="table" error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div className="form-stack">
          {[320, 480, 240, 400].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
    </SidePanel>
  )
}
