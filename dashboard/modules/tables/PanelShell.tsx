import type { ReactNode } from 'react'
import { FormPanel } from '../../ui/floats/FormPanel.tsx'
import { SidePanel } from '../../ui/floats/SidePanel.tsx'
import type { SidePanelSize } from '../../ui/floats/SidePanelBox.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'

type Props = {
  title: ReactNode
  verb: string
  size?: SidePanelSize
  onClose: () => void
  /** Leads to the review; nothing is done yet. */
  onSubmit: () => void
  children: ReactNode
}

/** A form at the right whose button leads to the SQL of what it will do. */
export function PanelShell({ title, verb, size = 'xxlarge', onClose, onSubmit, children }: Props) {
  return (
    <FormPanel title={title} size={size} verb={verb} onSubmit={onSubmit} onClose={onClose}>
      <div className="form-stack">{children}</div>
    </FormPanel>
  )
}

type LoadingPanelProps = {
  title: ReactNode
  query: { error: Error | null; refetch: () => unknown }
  onClose: () => void
}

/** A panel while what it is about is being read. */
export function LoadingPanel({ title, query, onClose }: LoadingPanelProps) {
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
