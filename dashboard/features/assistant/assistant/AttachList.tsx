import { useQuery } from '@tanstack/react-query'
import { FileCode2, Table2 } from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import { snippets } from '#contract/database/snippets'
import { messageOf, q } from '../../../api/client.ts'
import { readQuery } from '../../../modules/sql/saved-query.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { useAssistant } from './use-assistant.ts'

/** Attachments of one question; more would not be read. */
const max = 10

/** The project's tables and the person's queries, to choose one from. */
export function AttachList({ onDone }: { onDone: () => void }) {
  const { ref, state, update } = useAssistant()
  const tables = useQuery(
    databaseQuery(pgMeta.tables, { ref, include_columns: 'false', limit: 1000 }),
  )
  const queries = useQuery(q(snippets.list, { ref, limit: 100 }))
  const full = state.tables.length + state.sqlSnippets.length >= max
  const reason = full ? `A question can have ${max} attachments` : undefined

  async function attach(value: string) {
    const [kind, id] = [value.slice(0, 1), value.slice(2)]
    const table = tables.data?.find((one) => kind === 't' && String(one.id) === id)
    if (table) {
      const { schema, name } = table
      update((before) => ({ ...before, tables: [...before.tables, { schema, name }] }))
      return onDone()
    }
    try {
      const { name, content } = await readQuery(ref, id)
      const snippet = { name, sql: content.sql }
      update((before) => ({ ...before, sqlSnippets: [...before.sqlSnippets, snippet] }))
    } catch (error) {
      toast.error(`The query could not be read: ${messageOf(error)}`)
    }
    return onDone()
  }

  const failed = tables.error ?? queries.error
  if (failed && !tables.data && !queries.data)
    return (
      <ErrorNote
        what="tables and queries"
        error={failed}
        onRetry={() => void Promise.all([tables.refetch(), queries.refetch()])}
      />
    )
  if (tables.isPending || queries.isPending)
    return (
      <div className="assistant-loading">
        <Skeleton width="60%" />
        <Skeleton width="75%" />
        <Skeleton width="45%" />
      </div>
    )
  const isAttached = (schema: string, name: string) =>
    state.tables.some((one) => one.schema === schema && one.name === name)
  return (
    <OptionList
      label="Attach"
      search="Find a table or query"
      nothing="No table or query has this name"
      value={undefined}
      options={[
        ...(tables.data ?? [])
          .filter(({ schema, name }) => !isAttached(schema, name))
          .map(({ id, schema, name }) => ({
            value: `t ${id}`,
            label: name,
            detail: schema,
            group: 'Tables',
            before: <Icon of={Table2} size="s" />,
            disabledReason: reason,
          })),
        ...(queries.data?.data ?? []).map(({ id, name }) => ({
          value: `q ${id}`,
          label: name,
          group: 'Queries',
          before: <Icon of={FileCode2} size="s" />,
          disabledReason: reason,
        })),
      ]}
      onSelect={(value) => void attach(value)}
    />
  )
}
