import { useState } from 'react'
import { messageOf } from '../../../../api/client.ts'
import { saveFile } from '../../../../ui/save-file.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { fileName } from '../results/full-download.ts'
import { migrationName } from './migration-name.ts'
import { copyOf, type Values } from '../running/query-values.ts'
import { useWorkspace } from '../use-workspace.ts'

/** Changes of queries from the list. All go through the open query, so that they never race what is being typed. */
export function useSnippetChange() {
  const { queries } = useWorkspace()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()

  async function open(id: string) {
    const query = await queries.load(id)
    if (!query) throw new Error('This query does not exist any more')
    return query
  }

  /** True when it is saved; else `error` says why not, and a toast for what has no dialog. */
  async function change(id: string, values: Partial<Values>): Promise<boolean> {
    setPending(true)
    setError(undefined)
    try {
      const query = await open(id)
      query.edit(values)
      await query.save()
      const { save } = query.view()
      if (save.kind !== 'failed') return true
      setError(save.message)
      toast.error(save.message, { id: 'sql-change' })
    } catch (failure) {
      setError(messageOf(failure))
      toast.error(messageOf(failure), { id: 'sql-change' })
    } finally {
      setPending(false)
    }
    return false
  }

  /** The id of the copy, which belongs to the reader alone. */
  async function duplicate(id: string): Promise<string | undefined> {
    try {
      const query = await open(id)
      const copy = queries.create(copyOf(query.view().values))
      await copy.save()
      return copy.id
    } catch (failure) {
      toast.error(messageOf(failure), { id: 'sql-change' })
      return undefined
    }
  }
  /** The text as a file, or as one for the folder that migration tools read. */
  async function download(id: string, kind: 'file' | 'migration'): Promise<void> {
    try {
      const { name, sql } = (await open(id)).view().values
      const text = sql.endsWith('\n') ? sql : `${sql}\n`
      const file = kind === 'file' ? fileName(name, 'sql') : migrationName(name, new Date())
      saveFile(file, text, 'application/sql')
    } catch (failure) {
      toast.error(messageOf(failure), { id: 'sql-change' })
    }
  }
  return { change, duplicate, download, isPending, error }
}
