import { sqlOf } from '#contract/ddl/change'
import type { Migration } from '#contract/migrations'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'

type Props = { migration: Migration | undefined; onClose: () => void }

/** One migration: its SQL, and what takes it back where somebody has said so. */
export function MigrationPanel({ migration, onClose }: Props) {
  if (!migration) return null
  const { version, name, statements, rollback } = migration
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={<span className="mono">{name ?? version}</span>}
    >
      <h3 className="section-title">SQL</h3>
      {statements.length > 0 ? (
        <CodeBlock code={sqlOf(statements)} language="sql" what="SQL" />
      ) : (
        <p className="help">The tool that recorded it has not kept its SQL.</p>
      )}
      {rollback && rollback.length > 0 && (
        <>
          <h3 className="section-title">What takes it back</h3>
          <CodeBlock code={sqlOf(rollback)} language="sql" what="SQL that takes it back" />
        </>
      )}
    </SidePanel>
  )
}
