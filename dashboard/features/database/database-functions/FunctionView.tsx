import type { DatabaseFunction } from '#contract/database/database-functions'
import { Alert } from '../../../ui/Alert.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'

type Props = { found: DatabaseFunction; reason: string | undefined; onClose: () => void }

/** A function to read: all of it as SQL, and why it is not changed here. */
export function FunctionView({ found, reason, onClose }: Props) {
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={<span className="mono">{found.name}</span>}
    >
      <div className="form-stack">
        {reason && <Alert variant="neutral" title={reason} />}
        {found.comment && <p className="help">{found.comment}</p>}
        <CodeBlock code={found.complete_statement.trimEnd()} language="sql" what="SQL" />
      </div>
    </SidePanel>
  )
}
