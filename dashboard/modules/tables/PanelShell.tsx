import type { ReactNode } from 'react'
import { Button } from '../../ui/controls/Button.tsx'
import { Form } from '../../ui/controls/Form.tsx'
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
    <SidePanel
      open
      size={size}
      onClose={onClose}
      title={title}
      shell={(inside) => (
        <Form error={undefined} pending={false} onSubmit={onSubmit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary">
            {verb}
          </Button>
        </>
      }
    >
      <div className="form-stack">{children}</div>
    </SidePanel>
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
