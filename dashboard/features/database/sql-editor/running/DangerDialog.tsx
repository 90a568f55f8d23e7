import type { SqlDanger as Danger } from '#contract/database/sql/sql-tools'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { CodeWell } from '../editor/CodeWell.tsx'

const reasons: Record<Danger['kind'], string> = {
  destructive: 'removes data or objects',
  'update-without-where': 'has no WHERE: it changes every row',
  'alter-database': 'changes the whole database and can lock everyone out',
}
/** More than this nobody reads; the rest is counted. */
const listed = 20

type Props = { dangers: readonly Danger[]; onClose: () => void; onRun: () => void }

/** Asks before statements run that can lose data, and shows exactly which. */
export function DangerDialog({ dangers, onClose, onRun }: Props) {
  const many = dangers.length > 1
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={
        many ? `Run ${dangers.length} destructive statements?` : 'Run this destructive statement?'
      }
      verb="Run anyway"
      error={undefined}
      pending={false}
      onConfirm={onRun}
    >
      <p>What {many ? 'they take' : 'it takes'} away cannot be brought back from here.</p>
      <ul className="sql-dangers">
        {dangers.slice(0, listed).map(({ kind, text, line }) => (
          <li key={`${line} ${text}`}>
            <p className="t12 muted">
              Line {line}: {reasons[kind]}
            </p>
            <CodeWell label={`Statement of line ${line}`}>
              {text.length > 2000 ? `${text.slice(0, 2000)}…` : text}
            </CodeWell>
          </li>
        ))}
      </ul>
      {dangers.length > listed && <p>And {dangers.length - listed} more.</p>}
    </ConfirmDialog>
  )
}
