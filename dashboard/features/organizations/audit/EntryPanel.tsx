import type { AuditEntry } from '#contract/organizations/audit'
import { actionWords } from '../../../session/organization/audit-words.ts'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { differences } from './differences.ts'

type Props = { entry: AuditEntry | undefined; onClose: () => void }

/** Everything that is known of one action. */
export function EntryPanel({ entry, onClose }: Props) {
  return (
    <SidePanel
      open={entry !== undefined}
      size="large"
      onClose={onClose}
      title={entry && (actionWords(entry.action.name) ?? entry.action.name)}
    >
      {entry && <Details entry={entry} />}
    </SidePanel>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, change } = entry
  const [call] = action.metadata
  const facts: [string, string][] = [
    ['When', exactTime(new Date(entry.occurred_at))],
    ['Who', actor.metadata[0]?.email ?? 'The platform itself'],
    ['Action', action.name],
    ['Call', call ? `${call.method} ${call.route} (${call.status})` : 'None: internal change'],
    ['Target', target.description],
    ['IP address', actor.metadata[0]?.ip ?? 'Unknown'],
    ['Program', entry.user_agent || 'Unknown'],
    ['Request', entry.request_id ?? 'None'],
    ['Hash', entry.hash],
  ]
  const lines = differences(change)
  return (
    <>
      {lines.length > 0 && (
        <div className="tbl-scroll">
          <table className="tbl rows-32" aria-label="What changed">
            <thead>
              <tr>
                <th>What</th>
                <th>Before</th>
                <th>After</th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ name, before, after }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td className="audit-value mono t12 muted">{before}</td>
                  <td className="audit-value mono t12">{after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <dl className="audit-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono t12">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="labelled">
        <span>Raw entry</span>
        <CodeBlock code={JSON.stringify(change, null, 2)} language="js" what="entry" />
      </div>
    </>
  )
}
