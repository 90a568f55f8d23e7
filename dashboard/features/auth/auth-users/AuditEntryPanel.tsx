import { Link } from '@tanstack/react-router'
import type { AuthAuditEntry } from '#contract/auth/auth-records'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { auditActor, auditSubject, auditWords } from './audit-words.ts'

type Props = { projectRef: string; entry: AuthAuditEntry | undefined; onClose: () => void }

/** Everything that was written down about one action. */
export function AuditEntryPanel({ projectRef, entry, onClose }: Props) {
  return (
    <SidePanel
      open={entry !== undefined}
      size="large"
      onClose={onClose}
      title={entry ? auditWords(entry) : 'Entry'}
    >
      {entry && <Entry projectRef={projectRef} entry={entry} />}
    </SidePanel>
  )
}

const nobody = '00000000-0000-0000-0000-000000000000'

function Entry({ projectRef, entry }: { projectRef: string; entry: AuthAuditEntry }) {
  const actor = entry.payload['actor_id']
  const facts = [
    ['When', exactTime(new Date(entry.created_at))],
    ['Action', String(entry.payload['action'])],
    ['Who', auditActor(entry)],
    ['User', auditSubject(entry) || 'The one who did it'],
    ['IP address', entry.ip_address || 'Not known'],
  ]
  return (
    <>
      <dl className="defs">
        {facts.map(([name, value]) => (
          <div key={name} className="users-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {typeof actor === 'string' && actor !== nobody && (
        <p>
          <Link
            className="link"
            to="/project/$ref/auth/users"
            params={{ ref: projectRef }}
            search={{ user: actor }}
          >
            Open who did it
          </Link>
        </p>
      )}
      <CodeBlock code={JSON.stringify(entry, null, 2)} language="js" what="entry" />
    </>
  )
}
