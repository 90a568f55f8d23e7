import { FileCode2, Table2, X } from 'lucide-react'
import { Icon, type IconType } from '../../../ui/Icon.tsx'
import { useAssistant } from './use-assistant.ts'

/** What the next question takes along. */
export function AttachedChips() {
  const { state, update } = useAssistant()
  const { sqlSnippets, tables } = state
  if (sqlSnippets.length + tables.length === 0) return null
  return (
    <ul className="assistant-chips" aria-label="Attached">
      {sqlSnippets.map((snippet) => (
        <Chip
          key={`q ${snippet.name} ${snippet.sql}`}
          icon={FileCode2}
          name={snippet.name}
          onRemove={() =>
            update((before) => ({
              ...before,
              sqlSnippets: before.sqlSnippets.filter((one) => one !== snippet),
            }))
          }
        />
      ))}
      {tables.map((table) => (
        <Chip
          key={`t ${table.schema}.${table.name}`}
          icon={Table2}
          name={`${table.schema}.${table.name}`}
          onRemove={() =>
            update((before) => ({
              ...before,
              tables: before.tables.filter((one) => one !== table),
            }))
          }
        />
      ))}
    </ul>
  )
}

function Chip({ icon, name, onRemove }: { icon: IconType; name: string; onRemove: () => void }) {
  return (
    <li className="badge">
      <Icon of={icon} />
      <span className="ell">{name}</span>
      <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon of={X} size="xs" />
      </button>
    </li>
  )
}
