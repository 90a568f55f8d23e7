import { queryOptions } from '@tanstack/react-query'
import { migrations } from '#contract/database/migrations'
import { pgMeta } from '#contract/database/pg-meta'
import { tableRows } from '#contract/database/rows/table-rows'
import { tableTransfer, type Import } from '#contract/database/table-transfer'
import { forget, queryClient, type CallError } from '../../../../api/client.ts'
import { callDatabase } from '../../../../session/project/database.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { counted } from '../../../../ui/text/number.ts'

/** Milliseconds between two looks while something is going on here, and while something waits for its file. */
const [often, seldom] = [600, 15_000]

/** One's own imports in a project, whichever page they were begun in. That one has ended is told once, wherever one is. */
export const importsQuery = (ref: string) =>
  queryOptions<Import[], CallError>({
    queryKey: [tableTransfer.imports.name, { ref }],
    queryFn: async ({ signal, queryKey }) => {
      const list = await callDatabase(tableTransfer.imports, { ref }, signal)
      const before = queryClient.getQueryData<Import[]>(queryKey) ?? []
      const ended = list.filter(
        (one) =>
          one.ended_at !== null &&
          before.some(({ id, ended_at }) => id === one.id && ended_at === null),
      )
      for (const one of ended) notify(one)
      if (ended.length > 0)
        await forget(tableRows.list, tableRows.count, pgMeta.entities, migrations.list)
      return list
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (!data) return error ? seldom : false
      if (data.some(({ phase }) => phase === 'loading')) return often
      return data.some(({ phase }) => phase === 'receiving') ? seldom : false
    },
    staleTime: seldom,
  })

/** Imports whose end stands where the person is looking; it needs no second word in a corner. */
const heard = new Set<string>()
/** Whoever waited for its end has left. */
export const leaveImport = (id: string) => heard.delete(id)

function notify({ id, kept, rows, bad, table, problem }: Import): void {
  if (kept) toast.success(`${counted(rows - bad, 'row', 'rows')} imported into ${table}`, { id })
  else if (!heard.has(id)) {
    const description = problem ?? `${counted(bad, 'row does', 'rows do')} not fit.`
    toast.error(`Nothing was imported into ${table}`, { id, description })
  }
}

/** Changes the list that is shown. A look that is on its way saw what was before, and is given up. */
export async function changeImports(
  ref: string,
  change: (list: readonly Import[]) => Import[],
): Promise<void> {
  const { queryKey } = importsQuery(ref)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Import[]>(queryKey, (list) => change(list ?? []))
}

export const refreshImports = () => forget(tableTransfer.imports)

/** The import when it has ended; undefined when it was taken from the list. Somebody has to be looking at the list. */
export function endOf(ref: string, id: string): Promise<Import | undefined> {
  const { queryKey } = importsQuery(ref)
  heard.add(id)
  return new Promise((resolve) => {
    const look = () => {
      const list = queryClient.getQueryData<Import[]>(queryKey)
      const found = list?.find((one) => one.id === id)
      if (!list || (found && found.ended_at === null)) return
      leave()
      resolve(found)
    }
    const leave = queryClient.getQueryCache().subscribe(look)
    look()
  })
}

/** The id under which a table is opened; undefined when it is gone. */
export async function tableId(
  ref: string,
  schema: string,
  table: string,
): Promise<number | undefined> {
  const { entities } = await callDatabase(pgMeta.entities, {
    ref,
    schema,
    search: table,
    limit: 200,
  })
  return entities.find(({ name }) => name === table)?.id
}
