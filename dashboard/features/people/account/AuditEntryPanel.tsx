import type { AccountAuditEntry } from '#contract/people/account'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { actionWords } from '../../../session/organization/audit-words.ts'

type Props = { entry: AccountAuditEntry | undefined; onClose: () => void }

/** Everything that is known of one action. */
export function AuditEntryPanel({ entry, onClose }: Props) {
  return (
    <SidePanel
      open={entry !== undefined}
      onClose={onClose}
      title={entry && (actionWords(entry.action.name) ?? entry.action.name)}
    >
      {entry && <Details entry={entry} />}
    </SidePanel>
  )
}

function Details({
  entry: { action, actor, target, change, occurred_at },
}: {
  entry: AccountAuditEntry
}) {
  const [call] = action.metadata
  const facts = [
    ['When', exactTime(new Date(occurred_at))],
    ['Action', action.name],
    ...(call ? [['Call', `${call.method} ${call.route}`]] : []),
    ['Target', target.description],
    ['IP address', actor.metadata[0]?.ip ?? 'Unknown'],
  ]
  return (
    <div className="form-stack">
      <dl className="facts-list">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono t12">{value}</dd>
          </div>
        ))}
      </dl>
      {Object.keys(change).length > 0 && (
        <div className="labelled">
          <span>What changed</span>
          <CodeBlock code={JSON.stringify(change, null, 2)} language="js" what="change" />
        </div>
      )}
    </div>
  )
}
